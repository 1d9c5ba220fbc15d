import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { expect } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { OFFICE_TOKEN_KEY } from '../../src/rules/office-storage-keys.ts'
import { CHROMIUM_FLAGS, ensureChromium } from './chromium.ts'
import type { Person } from './people.ts'
import { SITE_URL } from './shop-process.ts'

/** How long a context may take to close. */
const CLOSING_MS = 10_000

export const PHONE = { width: 360, height: 740 }
export const DESKTOP = { width: 1280, height: 800 }

let started: Promise<Browser> | undefined

export function browser(): Promise<Browser> {
  started ??= chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_FLAGS })
  return started
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
  /** Console errors that this test causes on purpose. */
  allowed?: readonly RegExp[]
}

/** Somebody with a browser of their own: an empty context, its page, and what went wrong in it. */
export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** Console errors, uncaught exceptions and content security policy reports so far. */
  readonly faults: string[]
  /** Closes the browser context; fails when anything went wrong in it. */
  leave(): Promise<void>
}

/**
 * A new visitor of a shop. Phones have touch. Requests that leave the shop are refused; those to
 * the address that it calls its own come to where it really listens.
 */
export async function visitor(origin: string, options: VisitorOptions = {}): Promise<Visitor> {
  const viewport = options.viewport ?? PHONE
  const context = await (await browser()).newContext({
    baseURL: origin,
    viewport,
    hasTouch: viewport.width < 768,
    isMobile: viewport.width < 768,
    colorScheme: options.colorScheme ?? 'light',
    javaScriptEnabled: options.javaScriptEnabled ?? true,
    reducedMotion: 'reduce',
    acceptDownloads: true,
  })
  await context.route(
    (url) => url.origin !== origin && url.protocol.startsWith('http'),
    (route) => {
      const { origin: asked, pathname, search } = new URL(route.request().url())
      if (asked !== SITE_URL) return route.abort()
      return route.fulfill({ status: 307, headers: { location: origin + pathname + search } })
    },
  )
  const faults: string[] = []
  const note = (text: string) => {
    if (!options.allowed?.some((pattern) => pattern.test(text))) faults.push(text)
  }
  context.on('page', (page) => {
    page.goto = untilServed(page.goto.bind(page))
    page.on('console', (message) => {
      const { url } = message.location()
      if (message.type() === 'error' && !isBusyPage(message.text(), url, origin)) {
        note(`${message.text()} (${url})`)
      }
    })
    page.on('pageerror', (error) => note(String(error)))
  })
  const page = await context.newPage()
  return {
    context,
    page,
    faults,
    async leave() {
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      // Closed while a page is on its way elsewhere, a context sometimes never says that it is; the
      // browser's own end takes it along.
      const enough = new AbortController()
      await Promise.race([
        context.close(),
        delay(CLOSING_MS, undefined, { signal: enough.signal }).catch(() => {}),
      ])
      enough.abort()
      expect(faults).toEqual([])
    },
  }
}

/** Whether a browser complains that the shop was too busy for a page, which is asked for again. */
function isBusyPage(text: string, url: string, origin: string): boolean {
  return text.includes('status of 503') && url.startsWith(origin) && !url.includes('/api/')
}

/** Goes to a page as one does whom a busy shop asks to come again in a moment. */
function untilServed(goto: Page['goto']): Page['goto'] {
  return async (url, options) => {
    for (;;) {
      const answer = await goto(url, options)
      if (answer?.status() !== 503) return answer
      await delay(500)
    }
  }
}

/** Somebody who logged in before, on this browser, and is on no page of the shop yet. */
export function loggedIn(
  origin: string,
  person: Pick<Person, 'token'>,
  options: VisitorOptions = {},
): Promise<Visitor> {
  return withToken('token', origin, person, options)
}

/** The same of a staff member at the office. */
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
  const someone = await visitor(origin, options)
  // No page of the shop, which would act on the token at once.
  await someone.page.goto('/robots.txt')
  await someone.page.evaluate(([name, value]) => localStorage.setItem(name, value), [
    key,
    token,
  ] as const)
  return someone
}

/** Waits until the islands that hydrate on load have: what is done before is not always minded. */
export async function untilAwake(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('main astro-island[ssr]'))
}

/** Types into a field by its label. */
export async function fill(page: Page, label: string, value: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(value)
}
