import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { canInstall, install } from './debian.ts'

/** Chromium's flags: no sandbox (root in a container), and no background network requests. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Without it the headless shell rounds each letter to whole pixels, which no visitor's browser
  // does.
  '--font-render-hinting=none',
]

/**
 * The path of Chromium, or null. Debian's `chromium-headless-shell` has no browser windows, and
 * starts with less than half the work of the full browser.
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

/**
 * The full browser if it is installed, otherwise as `ensureChromium`: the shell lacks the checks
 * for an installable app.
 */
export function ensureWholeChromium(): string {
  const whole = ['/usr/bin/chromium', '/usr/bin/google-chrome', chromium.executablePath()]
  return whole.find((path) => existsSync(path)) ?? ensureChromium()
}

/**
 * Finds Chromium, or installs Debian's where that is possible; otherwise says in one line what to
 * do.
 */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  if (canInstall()) {
    console.log('No Chromium found: installing Debian’s …')
    try {
      install('chromium-headless-shell')
    } catch {
      // Older releases have the full browser only.
      install('chromium')
    }
    const installed = findChromium()
    if (installed) return installed
  }
  throw new Error(
    'The browser tests need Chromium: install it, or name its program in CHROMIUM_PATH.',
  )
}
