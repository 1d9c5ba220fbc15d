import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { PATIENCE } from './patience.ts'

/** The most milliseconds that clearing a page, or closing a context, may take. */
const CLOSING_MS = 10_000

type Options = BrowserContextOptions & { viewport: { width: number; height: number } }

/** A pooled page that visitors use one after the other: a new one costs as much as two visits. */
interface PooledPage {
  readonly options: Options
  readonly context: BrowserContext
  readonly page: Page
  /** Receives the page's errors. */
  note: (text: string, url?: string) => void
  /** Whether a visitor changed something that no other may find. */
  isUsedUp: boolean
}

/** Unused pages, the latest used last. */
const freePages: PooledPage[] = []
const MAX_FREE = 4

/** Methods whose effect stays in a page or its context across visits. */
const LASTING = [
  'addInitScript',
  'addLocatorHandler',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'install',
  'newCDPSession',
  'newPage',
  'routeWebSocket',
  'setExtraHTTPHeaders',
  'setFixedTime',
  'setGeolocation',
  'setOffline',
]

/** A cleared page of an earlier visitor if there is one, in a context with these options. */
export async function takePage(browser: Browser, options: Options): Promise<PooledPage> {
  const kind = JSON.stringify(options)
  const at = freePages.findLastIndex((pooled) => JSON.stringify(pooled.options) === kind)
  return freePages.splice(at, at < 0 ? 0 : 1)[0] ?? newPooledPage(browser, options)
}

/** Returns the page to the pool if it can be cleared, otherwise closes it. */
export async function returnPage(pooled: PooledPage): Promise<void> {
  pooled.note = () => {}
  if (await clear(pooled)) freePages.push(pooled)
  else await close(pooled.context)
  const oldest = freePages.length > MAX_FREE && freePages.shift()
  if (oldest) await close(oldest.context)
}

/** A page in a new context. */
async function newPooledPage(browser: Browser, options: Options): Promise<PooledPage> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(PATIENCE.timeout)
  context.on('page', (page) => {
    keepCache(page)
    page.goto = retryWhileBusy(page.goto.bind(page))
    page.on('console', (message) => {
      if (message.type() === 'error') pooled.note(message.text(), message.location().url)
    })
    page.on('pageerror', (error) => pooled.note(String(error)))
  })
  const page = await context.newPage()
  const pooled: PooledPage = { options, context, page, note: () => {}, isUsedUp: false }
  const objects = [context, page, context.clock] as unknown as Record<string, unknown>[]
  for (const object of objects) {
    for (const name of LASTING) {
      const method = object[name]
      if (typeof method !== 'function') continue
      object[name] = (...parameters: unknown[]) => {
        pooled.isUsedUp = true
        return method.apply(object, parameters)
      }
    }
  }
  return pooled
}

/**
 * Keeps the browser's cache on when a test answers calls instead of the shop: Playwright turns it
 * off then, and every script, font and image of the page is fetched and parsed again. API calls are
 * never cached.
 */
function keepCache(page: Page): void {
  const client = clientOf(page)
  const send = client.send.bind(client)
  client.send = (method, parameters) =>
    method === 'Network.setCacheDisabled' ? Promise.resolve() : send(method, parameters)
}

/** Playwright's internal connection to the browser, for what it has no API for. */
export function clientOf(page: Page): Client {
  const { _connection: connection } = page as unknown as {
    _connection: { toImpl(page: Page): { delegate: { _mainFrameSession: { _client: Client } } } }
  }
  return connection.toImpl(page).delegate._mainFrameSession._client
}

interface Client {
  send(method: string, parameters?: object): Promise<unknown>
}

/** Makes a page as good as new; returns false if that fails. */
async function clear({ options, context, page, isUsedUp }: PooledPage): Promise<boolean> {
  if (isUsedUp || page.isClosed() || context.pages().length !== 1) return false
  // A service worker, and what it keeps, would stay.
  if (options.serviceWorkers === 'allow') return false
  try {
    // Not a page of the shop, which would react to what is stored.
    await page.goto('/robots.txt', { timeout: CLOSING_MS })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await page.evaluate(async () => {
      localStorage.clear()
      sessionStorage.clear()
      for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
    })
    await context.clearCookies()
    const { colorScheme = null, reducedMotion = null } = options
    const asAtFirst = {
      colorScheme,
      reducedMotion,
      forcedColors: null,
      media: null,
      contrast: null,
    }
    await page.emulateMedia(asAtFirst)
    await page.setViewportSize(options.viewport)
    return context.pages().length === 1
  } catch {
    return false
  }
}

/**
 * Closes a context. One that is closed during a navigation sometimes never reports it; it ends with
 * the browser.
 */
async function close(context: BrowserContext): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  const enough = new AbortController()
  await Promise.race([
    context.close(),
    delay(CLOSING_MS, undefined, { signal: enough.signal }).catch(() => {}),
  ])
  enough.abort()
}

/** Navigates, and retries like a visitor whom a busy shop asks to come back in a moment. */
function retryWhileBusy(goto: Page['goto']): Page['goto'] {
  return async (url, options) => {
    for (;;) {
      const answer = await goto(url, options)
      if (answer?.status() !== 503) return answer
      await delay(500)
    }
  }
}
