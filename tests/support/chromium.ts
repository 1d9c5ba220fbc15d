import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

/** What Chromium is started with: no sandbox (root in a container), and silent on the network. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Where Chromium is (decisions §2), or null. */
export function findChromium(): string | null {
  const candidates = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
    chromium.executablePath(),
  ]
  return candidates.find((path) => path && existsSync(path)) ?? null
}

/** Finds Chromium, or installs Debian's where that is possible; else says in one line what to do. */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (isDebianRoot) {
    console.log('No Chromium found: installing the package chromium …')
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] }
    execFileSync('apt-get', ['update', '-qq'], quiet)
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      ...quiet,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    const installed = findChromium()
    if (installed) return installed
  }
  throw new Error(
    'The browser tests need Chromium: install it, or name its program in CHROMIUM_PATH.',
  )
}
