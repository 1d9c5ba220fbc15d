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
  // Without it the headless shell rounds each letter to whole pixels, which no visitor's browser does.
  '--font-render-hinting=none',
]

/**
 * Where Chromium is, or null. Debian's `chromium-headless-shell` has no windows around its pages, and
 * opens one at less than half the work of the whole browser.
 */
function findChromium(): string | null {
  const candidates = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
    chromium.executablePath(),
  ]
  return candidates.find((path) => path && existsSync(path)) ?? null
}

/** The whole browser where it is installed, else as `ensureChromium`: what it asks of an app, the shell does not. */
export function ensureWholeChromium(): string {
  const whole = ['/usr/bin/chromium', '/usr/bin/google-chrome', chromium.executablePath()]
  return whole.find((path) => existsSync(path)) ?? ensureChromium()
}

/** Finds Chromium, or installs Debian's where that is possible; else says in one line what to do. */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (isDebianRoot) {
    console.log('No Chromium found: installing Debian’s …')
    apt('update')
    try {
      apt('install', 'chromium-headless-shell')
    } catch {
      // Older releases have the whole browser alone.
      apt('install', 'chromium')
    }
    const installed = findChromium()
    if (installed) return installed
  }
  throw new Error(
    'The browser tests need Chromium: install it, or name its program in CHROMIUM_PATH.',
  )
}

function apt(command: 'update' | 'install', ...packages: string[]): void {
  execFileSync('apt-get', [command, '-y', '-qq', '--no-install-recommends', ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}
