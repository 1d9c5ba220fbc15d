import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

/** Forbids Debian's packages to start what they contain. */
const POLICY = '/usr/sbin/policy-rc.d'

/** Whether this user may install Debian's packages. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

/** Installs Debian's packages without starting anything that they contain. */
export function install(...packages: string[]): void {
  const isOurs = !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    apt('update')
    apt('install', '--no-install-recommends', ...packages)
  } finally {
    if (isOurs) rmSync(POLICY)
  }
}

function apt(...args: string[]): void {
  // Another test may be installing something at the moment.
  execFileSync('apt-get', ['-y', '-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}
