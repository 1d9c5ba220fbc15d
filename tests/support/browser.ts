import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright'
import { expect, onTestFinished, TestRunner } from 'vitest'
import { DEFAULT_LOCALE, type Locale } from '../../src/i18n/locales.ts'
import { inLanguage } from '../../src/i18n/paths.ts'
import { OFFICE_TOKEN_KEY } from '../../src/rules/storage-keys.ts'
import { CHROMIUM_FLAGS, ensureChromium } from './chromium.ts'
import { returnPage, takePage } from './page-pool.ts'
import type { Person } from './people.ts'
import { SITE_URL } from './shop-process.ts'

export const PHONE = { width: 360, height: 740 }
export const DESKTOP = { width: 1280, height: 800 }

let started: Promise<Browser> | undefined
/** The shop that the latest visitor opened. */
let latestOrigin = ''

/**
 * The browser of this process, shared by all test files. It reaches no address beyond this machine,
 * and resolves the shop's own SITE_URL to the shop of the latest visitor.
 */
export function browser(): Promise<Browser> {
  started ??= launch()
  return started
}

async function launch(): Promise<Browser> {
  const wayToTheShop = createServer((request, response) => {
    response.writeHead(307, { location: latestOrigin + request.url, connection: 'close' }).end()
  })
  wayToTheShop.listen(0, '127.0.0.1').unref()
  await once(wayToTheShop, 'listening')
  const { port } = wayToTheShop.address() as AddressInfo
  const { hostname } = new URL(SITE_URL)
  const rules = [
    `MAP ${hostname}:80 127.0.0.1:${port}`,
    `MAP ${hostname} 127.0.0.1`,
    'MAP * ~NOTFOUND',
  ]
  return chromium.launch({
    executablePath: ensureChromium(),
    args: [...CHROMIUM_FLAGS, `--host-resolver-rules=${rules.join(', ')}`],
    // Without a locale, Chromium would name a file with Arabic or accented letters “download”.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
}

export async function closeBrowser(): Promise<void> {
  await (await started)?.close()
  started = undefined
}

export interface VisitorOptions {
  viewport?: { width: number; height: number }
  locale?: Locale
  colorScheme?: 'light' | 'dark'
  javaScriptEnabled?: boolean
  /** Allows the service worker. */
  keepsPages?: boolean
  /** Console errors that this test causes on purpose. */
  allowed?: readonly RegExp[]
  /** The page that is opened, in the visitor's language; none by default. */
  at?: string
}

/** A visitor with an empty browser profile, and the errors in it. */
export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** Console errors, uncaught exceptions and content security policy reports so far. */
  readonly faults: string[]
  /**
   * Clears the page and returns it to the pool; fails if there were errors. Visitors of a test leave
   * by themselves when it ends.
   */
  leave(): Promise<void>
}

/** Opens a browser for a new visitor of a shop, in which nothing is stored. Phones have touch. */
export async function newVisitor(origin: string, options: VisitorOptions = {}): Promise<Visitor> {
  const visitor = await enter(origin, options)
  await openPageOf(visitor, options)
  return visitor
}

async function openPageOf({ page }: Visitor, { at, locale = DEFAULT_LOCALE }: VisitorOptions) {
  if (at !== undefined) await page.goto(inLanguage(locale, at))
}

async function enter(origin: string, options: VisitorOptions): Promise<Visitor> {
  latestOrigin = origin
  const { viewport = PHONE, colorScheme = 'light', javaScriptEnabled = true } = options
  const seat = await takePage(await browser(), {
    baseURL: origin,
    viewport,
    hasTouch: viewport.width < 768,
    isMobile: viewport.width < 768,
    colorScheme,
    javaScriptEnabled,
    reducedMotion: 'reduce',
    acceptDownloads: true,
    serviceWorkers: options.keepsPages ? 'allow' : 'block',
  })
  const { context, page } = seat
  const faults: string[] = []
  seat.note = (text, url = '') => {
    if (isBusyPage(text, url, origin)) return
    const line = url ? `${text} (${url})` : text
    if (!options.allowed?.some((pattern) => pattern.test(line))) faults.push(line)
  }
  let hasLeft = false
  async function leave() {
    if (hasLeft) return
    hasLeft = true
    seat.note = () => {}
    await returnPage(seat)
    // As one text: of a list, messages show only its length.
    expect(faults.join('\n')).toBe('')
  }
  if (TestRunner.getCurrentTest()) onTestFinished(leave)
  return { context, page, faults, leave }
}

/**
 * Whether a console error reports that the shop was too busy for a page of its own or of a document,
 * which is requested again.
 */
function isBusyPage(text: string, url: string, origin: string): boolean {
  if (!text.includes('status of 503') || !url.startsWith(origin)) return false
  return !url.includes('/api/') || url.includes('/api/preview/')
}

/** A visitor who logged in earlier, in this browser. */
export function loggedIn(
  origin: string,
  person: Pick<Person, 'token'>,
  options: VisitorOptions = {},
): Promise<Visitor> {
  return withToken('token', origin, person, options)
}

/** The same for a staff member at the office. */
export function atOffice(
  origin: string,
  person: Pick<Person, 'token'>,
  options: VisitorOptions = {},
): Promise<Visitor> {
  return withToken(OFFICE_TOKEN_KEY, origin, person, options)
}

async function withToken(
  key: string,
  origin: string,
  { token }: Pick<Person, 'token'>,
  options: VisitorOptions,
): Promise<Visitor> {
  const visitor = await enter(origin, options)
  // Not a page of the shop, which would react to the token at once.
  if (!visitor.page.url().startsWith(origin)) await visitor.page.goto('/robots.txt')
  await visitor.page.evaluate(([name, value]) => localStorage.setItem(name, value), [
    key,
    token,
  ] as const)
  await openPageOf(visitor, options)
  return visitor
}

/** Disables the cache of a page, for tests that count or hold back its requests. */
export async function withoutCache(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  return session
}

/**
 * Waits until the islands that hydrate on load have hydrated: events before that are sometimes
 * ignored.
 */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('main astro-island[ssr]'))
}

/** Waits until the page's script has run, and touches the page. */
export async function untilAnswering(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector<HTMLLinkElement>('#later')?.media === 'all',
  )
  await page.keyboard.press('Shift')
}

/** Types into a field by its label. */
export async function fill(page: Page, label: string, value: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(value)
}
