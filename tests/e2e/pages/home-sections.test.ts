import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { LOADER_FADE_OUT_MS, LOADER_MIN_DURATION_MS } from '../../../src/rules/durations.ts'
import { DESKTOP, newVisitor, untilAnswering } from '../../support/browser.ts'
import { link } from '../../support/scene-steps.ts'
import { type ShopProcess, spawnShop } from '../../support/shop-process.ts'
import { sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()
let between: Server
/** The site in front of a backend that fails where a test wants it to. */
let site: ShopProcess
let failing: RegExp | null = null

beforeAll(async () => {
  between = createServer(async (request, response) => {
    if (failing?.test(request.url ?? '')) {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
      return
    }
    const answer = await fetch(shop.url + request.url)
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'text/plain',
    })
    if (answer.body) Readable.fromWeb(answer.body as never).pipe(response)
    else response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => between.once('listening', listening))
  const { port } = between.address() as AddressInfo
  site = await spawnShop({ API_ORIGIN: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await site.stop()
  between.close()
})
beforeEach(() => {
  failing = null
})

/** The main part of a page of this site. */
async function mainOf(path: string): Promise<string> {
  const html = await (await fetch(new URL(path, site.url))).text()
  return html.slice(html.indexOf('<main'), html.indexOf('</main>'))
}

const sections = [
  ['featuredBooks', /documents\/featured$/, 'Failed to load featured books'],
  ['bestsellers', /top-selling/, 'Failed to load bestsellers'],
  ['authorBooks', /by-featured-authors/, 'Failed to load author books'],
  ['authors', /api\/teachers/, 'Failed to load authors'],
  ['featured', /documents|teachers/, 'Failed to load featured content'],
] as const

test.each(sections)(
  'a failure of %s is shown, the rest stays, and a retry loads all',
  async (key, calls, english) => {
    failing = calls
    expect(await mainOf('/en')).toContain(english)
    const main = await mainOf('/')
    expect(main.match(/role="alert"/g)).toHaveLength(1)
    const [alert = ''] = /role="alert".*?<\/a>/s.exec(main) ?? []
    expect(alert).toContain(uiText('ar', `home:errors.${key}`))
    expect(alert).toContain(uiText('ar', 'common:retry'))
    expect(main.match(/class="spine[ "]/g)).toHaveLength(4)
    if (key !== 'featured') expect(main.match(/-details\//g)?.length).toBeGreaterThan(2)
    failing = null
    const retried = await mainOf(/ href="([^"]+)"/.exec(alert)?.[1] ?? '')
    expect(retried).not.toContain('role="alert"')
    for (const id of ['featured', 'bestsellers', 'teachers-books', 'teachers']) {
      expect(retried.match(new RegExp(` id="${id}"`, 'g')), id).toHaveLength(1)
    }
  },
)

test('the loading overlay covers the page while it waits for the next one', async () => {
  const { page } = await newVisitor(shop.url, { viewport: DESKTOP, at: '/' })
  await untilAnswering(page)
  const loader = page.locator('page-loader')
  await expect.poll(() => loader.isVisible()).toBe(false)

  // Playwright queries nothing on a page that is being left: the page reports by itself.
  const overlayShown = Promise.withResolvers<string>()
  await page.exposeFunction('reportOverlay', overlayShown.resolve)
  await page.evaluate(() => {
    // Nothing is prefetched: the next page has to be waited for.
    document.documentElement.dataset.line = 'saved'
    const loader = document.querySelector('page-loader') as HTMLElement
    const { reportOverlay } = window as unknown as { reportOverlay(zIndex: string): void }
    loader.addEventListener('toggle', () => reportOverlay(getComputedStyle(loader).zIndex))
  })
  await page.route('**/shop', async (route) => {
    await overlayShown.promise
    await route.continue()
  })
  await link(page, 'ar', 'common:menu.shop').first().click({ noWaitAfter: true })
  expect(await overlayShown.promise).toBe('9999')
  await page.waitForURL('**/shop')
  await expect.poll(() => loader.isVisible()).toBe(false)

  // An island's pending work: shown, then hidden again.
  const seen = await page.evaluate(async () => {
    const loader = document.querySelector('page-loader') as HTMLElement
    const isShown = () => loader.matches(':popover-open')
    const times: Record<string, number> = {}
    loader.addEventListener('beforetoggle', ({ newState }) => {
      times[newState] = performance.now()
    })
    const work = Promise.withResolvers<void>()
    document.dispatchEvent(new CustomEvent('karras:loading', { detail: work.promise }))
    const states = [isShown()]
    while (!isShown()) await new Promise(requestAnimationFrame)
    work.resolve()
    while (isShown()) await new Promise(requestAnimationFrame)
    return { states, lasted: (times.closed ?? 0) - (times.open ?? 0) }
  })
  expect(seen.states).toEqual([false])
  expect(seen.lasted).toBeGreaterThanOrEqual(LOADER_MIN_DURATION_MS + LOADER_FADE_OUT_MS - 40)
})

test('fast work shows no overlay', async () => {
  const { page } = await newVisitor(shop.url, { at: '/' })
  await untilAnswering(page)
  const wasShown = await page.evaluate(async () => {
    const loader = document.querySelector('page-loader') as HTMLElement
    document.dispatchEvent(new CustomEvent('karras:loading', { detail: Promise.resolve() }))
    const until = performance.now() + 600
    while (performance.now() < until) {
      if (loader.matches(':popover-open')) return true
      await new Promise(requestAnimationFrame)
    }
    return false
  })
  expect(wasShown).toBe(false)
})
