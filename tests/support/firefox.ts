import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ElementHandle, launch, type Page } from 'puppeteer-core'
import { vi } from 'vitest'
import { PHONE } from './browser.ts'
import { canInstall, install } from './debian.ts'
import { PATIENCE } from './patience.ts'

const PREFERENCES = {
  'browser.download.folderList': 2,
  'pdfjs.disabled': true,
  'ui.prefersReducedMotion': 1,
}

/** How long Firefox may take to start (ms): its first start reads 250 MB, while other tests write. */
const START_MS = 240_000

/** A page was left before its font (NS_BINDING_ABORTED), or a script that the service worker asks for, was there. */
const ABORTED = /status=2152398850|ServiceWorker intercepted the request/

function findFirefox(): string | undefined {
  const candidates = [process.env.FIREFOX_PATH, '/usr/bin/firefox-esr', '/usr/bin/firefox']
  return candidates.find((path) => path && existsSync(path))
}

/**
 * Finds Firefox, or installs Debian's where that is possible; otherwise says in one line that its
 * tests are skipped, and returns undefined.
 */
export function ensureFirefox(): string | undefined {
  if (!findFirefox() && canInstall()) {
    console.log('No Firefox found: installing Debian’s …')
    try {
      install('firefox-esr')
    } catch {
      // Without it, its tests are skipped.
    }
  }
  const found = findFirefox()
  if (!found) console.log('No Firefox (FIREFOX_PATH, firefox-esr): its tests are skipped.')
  return found
}

/** A page as wide as a phone's in a Firefox with a new profile. */
export interface FirefoxVisitor {
  readonly page: Page
  /** Console errors and uncaught exceptions so far. */
  readonly faults: string[]
  /** Where downloads go. */
  readonly downloads: string
  close(): Promise<void>
}

/** Starts the Firefox of this path. */
export async function openFirefox(executablePath: string): Promise<FirefoxVisitor> {
  const downloads = await mkdtemp(join(tmpdir(), 'karras-firefox-'))
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    timeout: START_MS,
    extraPrefsFirefox: { ...PREFERENCES, 'browser.download.dir': downloads },
  })
  const page = await browser.newPage()
  await page.setViewport(PHONE)
  // A page of a document is drawn in turn, which may be late on a busy machine.
  page.setDefaultTimeout(PATIENCE.timeout)
  const faults: string[] = []
  const note = (text: string) => {
    if (!ABORTED.test(text)) faults.push(text)
  }
  page.on('console', (message) => {
    if (message.type() === 'error') note(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => note(String(error)))
  return {
    page,
    faults,
    downloads,
    async close() {
      await browser.close()
      await rm(downloads, { recursive: true, force: true })
    },
  }
}

/** Waits for the first visible element of a selector with this text in its name or content. */
export function seen(page: Page, selector: string, text = ''): Promise<ElementHandle> {
  return vi.waitFor(async () => {
    const found = await page.evaluateHandle(
      (selector, text) =>
        [...document.querySelectorAll(selector)].find(
          (element) =>
            element.checkVisibility({ visibilityProperty: true }) &&
            (element.ariaLabel || element.textContent)?.includes(text),
        ),
      selector,
      text,
    )
    const element = found.asElement()
    if (!element) throw new Error(`There is no ${selector} “${text}” on ${page.url()}.`)
    return element as ElementHandle
  }, PATIENCE)
}

/** Clicks on it. */
export async function click(page: Page, selector: string, text = ''): Promise<void> {
  await (await seen(page, selector, text)).click()
}

/** Types into it. */
export async function type(page: Page, selector: string, text: string): Promise<void> {
  await (await seen(page, selector)).type(text)
}
