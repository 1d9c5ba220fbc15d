import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { PATIENCE } from './patience.ts'

/** How long a page may take to be cleared, or a context to close. */
const CLOSING_MS = 10_000

type Options = BrowserContextOptions & { viewport: { width: number; height: number } }

/** A page that one visitor after the other uses: a new one costs as much as two visits. */
export interface Seat {
  readonly options: Options
  readonly context: BrowserContext
  readonly page: Page
  /** Takes what goes wrong in the page. */
  note: (text: string, url?: string) => void
  /** Whether a visitor did what no other may find. */
  isUsedUp: boolean
}

/** Seats that nobody sits on, the latest used last. */
const free: Seat[] = []
const MOST_FREE = 4

/** What stays in a page or its context whatever is visited next. */
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

/** A page with nothing saved, where there is one of an earlier visitor, in a context with these options. */
export async function takeSeat(browser: Browser, options: Options): Promise<Seat> {
  const kind = JSON.stringify(options)
  const at = free.findLastIndex((seat) => JSON.stringify(seat.options) === kind)
  return free.splice(at, at < 0 ? 0 : 1)[0] ?? newSeat(browser, options)
}

/** Keeps the seat for the next visitor where it can be cleared, else closes it. */
export async function giveBack(seat: Seat): Promise<void> {
  seat.note = () => {}
  if (await clear(seat)) free.push(seat)
  else await close(seat.context)
  const oldest = free.length > MOST_FREE && free.shift()
  if (oldest) await close(oldest.context)
}

/** A page in a new context. */
async function newSeat(browser: Browser, options: Options): Promise<Seat> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(PATIENCE.timeout)
  context.on('page', (page) => {
    keepCache(page)
    page.goto = untilServed(page.goto.bind(page))
    page.on('console', (message) => {
      if (message.type() === 'error') seat.note(message.text(), message.location().url)
    })
    page.on('pageerror', (error) => seat.note(String(error)))
  })
  const page = await context.newPage()
  const seat: Seat = { options, context, page, note: () => {}, isUsedUp: false }
  const objects = [context, page, context.clock] as unknown as Record<string, unknown>[]
  for (const object of objects) {
    for (const name of LASTING) {
      const method = object[name]
      if (typeof method !== 'function') continue
      object[name] = (...parameters: unknown[]) => {
        seat.isUsedUp = true
        return method.apply(object, parameters)
      }
    }
  }
  return seat
}

/**
 * Leaves the browser its cache where a test answers calls in place of the shop: Playwright turns it off
 * then, and every script, letter and picture of the page is fetched and read anew. No call of the API is
 * ever cached.
 */
function keepCache(page: Page): void {
  const client = clientOf(page)
  const send = client.send.bind(client)
  client.send = (method, parameters) =>
    method === 'Network.setCacheDisabled' ? Promise.resolve() : send(method, parameters)
}

/** Playwright's own line to the browser, for what it has no call for. */
export function clientOf(page: Page): Client {
  const { _connection: connection } = page as unknown as {
    _connection: { toImpl(page: Page): { delegate: { _mainFrameSession: { _client: Client } } } }
  }
  return connection.toImpl(page).delegate._mainFrameSession._client
}

interface Client {
  send(method: string, parameters?: object): Promise<unknown>
}

/** Makes a page as good as new; false where it is not. */
async function clear({ options, context, page, isUsedUp }: Seat): Promise<boolean> {
  if (isUsedUp || page.isClosed() || context.pages().length !== 1) return false
  try {
    // No page of the shop, which would act on what is saved.
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
 * Closes a context. Closed while a page is on its way elsewhere, a context sometimes never says that it is; the
 * browser's own end takes it along.
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
