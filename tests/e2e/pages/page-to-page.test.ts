import { request } from 'node:http'
import { chromium } from 'playwright'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CALLS } from '../../../src/contract/index.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { FIXED_PATHS, pagesWith } from '../../../src/rules/pages.ts'
import { STATIC_CART_KEY } from '../../../src/rules/storage-keys.ts'
import { CHROMIUM_FLAGS, ensureChromium } from '../../support/chromium.ts'
import { PATIENCE } from '../../support/patience.ts'
import { shopForFile } from '../../support/stage.ts'

const shop = shopForFile({ CDN_SECONDS: '600' })

/** The response as sent, its body not decoded. */
function get(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (done, fail) => {
      request(new URL(path, shop.url), { headers }, async (answer) => {
        const body = Buffer.concat(await answer.toArray())
        const { date: _, ...others } = answer.headers
        done({ status: answer.statusCode ?? 0, headers: others, body })
      })
        .on('error', fail)
        .end()
    },
  )
}

const PUBLIC = [
  ...pagesWith('isPublic'),
  '/shop?level=high-school',
  '/shop-details/3',
  '/teacher-details/2',
]
// Each of these renders its first page, since the filled shop has no CDN.
const OTHERS = [...FIXED_PATHS, '/no-such-page', '/shop-details/999999', '/robots.txt', '/rss.xml']

test('no page depends on the visitor, and a CDN may cache the public ones', async () => {
  const { token } = await shop.aCustomer()
  const known = {
    cookie: `token=${token}; session_id=abc`,
    authorization: `Bearer ${token}`,
    'x-session-id': 'abc',
    'accept-language': 'fr',
  }
  for (const locale of LOCALES) {
    for (const path of new Set([...PUBLIC, ...OTHERS].map((each) => inLanguage(locale, each)))) {
      const nobody = await get(path)
      const somebody = await get(path, known)
      expect(somebody, path).toEqual(nobody)
      expect(nobody.headers['set-cookie'], path).toBeUndefined()
      expect(String(nobody.headers.vary ?? ''), path).not.toMatch(/cookie|authorization/i)
      expect(nobody.body.includes(token), path).toBe(false)
    }
  }
})

test('public pages carry their tags, and a CDN caches nothing else', async () => {
  for (const path of PUBLIC) {
    const { headers } = await get(path)
    expect([path, headers['cache-control']]).toEqual([path, 'public, max-age=0, s-maxage=600'])
    expect(headers['cache-tag']).toMatch(/^every-page,/)
    expect(headers['surrogate-key']).toBe(String(headers['cache-tag']).replaceAll(',', ' '))
  }
  expect((await get('/shop-details/3')).headers['cache-tag']).toMatch(/\bdocument-3\b/)
  for (const path of [
    '/no-such-page',
    '/reset-password',
    '/confirm-email',
    '/payment/transfer/x',
    '/office',
  ]) {
    const { headers } = await get(path)
    expect([path, String(headers['cache-control'])]).toEqual([
      path,
      expect.stringMatching(/^(private, )?no-(cache|store)$/),
    ])
  }
})

test('no response of a call may be cached by a proxy', async () => {
  const { token } = await shop.aCustomer()
  const calls = Object.values(CALLS).filter(
    ({ method, path }) => method === 'GET' && !path.includes(':'),
  )
  expect(calls.length).toBeGreaterThan(20)
  for (const { path } of calls) {
    for (const headers of [undefined, { authorization: `Bearer ${token}` }]) {
      const answer = await get(`/api${path}`, headers)
      expect([path, answer.headers['cache-control']]).toEqual([
        path,
        expect.stringMatching(/no-store|private/),
      ])
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  }
})

test('a prefetched page is sent from the store and never rendered', async () => {
  const { id } = await shop.aDocument({ title: 'Never asked for' })
  const ahead = { 'sec-purpose': 'prefetch;prerender' }
  const path = `/shop-details/${id}`
  const refused = await get(path, ahead)
  expect([refused.status, refused.body.length, refused.headers['cache-control']]).toEqual([
    503,
    0,
    'no-store',
  ])
  // News of the document that are still under way discard what was rendered before them.
  await vi.waitFor(async () => {
    const requested = await get(path)
    expect(requested.status).toBe(200)
    expect(await get(path, ahead)).toEqual(requested)
  }, PATIENCE)
})

test('pressing a link prefetches it at once, and a page that was left is restored as it was', async () => {
  // Uses a browser with a back/forward cache; the other tests' browser loads such pages anew.
  const own = await chromium.launch({
    executablePath: ensureChromium(),
    args: CHROMIUM_FLAGS,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  onTestFinished(() => own.close())
  const page = await own.newPage({ baseURL: shop.url, viewport: { width: 1280, height: 800 } })
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto('/fr/shop')
  const first = page.locator('main a[href^="/fr/shop-details/"]').first()
  const href = (await first.getAttribute('href')) ?? ''
  await page.request.get(href)
  await page.evaluate(() => {
    document.documentElement.dataset.line = ''
    document.body.dataset.was = 'here'
  })
  const opened = page.waitForRequest((requested) => requested.method() === 'HEAD')
  await first.hover()
  const session = await page.context().newCDPSession(page)
  await session.send('Preload.enable')
  const fetched = new Promise<void>((done) =>
    session.on('Preload.prefetchStatusUpdated', ({ status, prefetchUrl }) => {
      if (status === 'Ready' && prefetchUrl.endsWith(href)) done()
    }),
  )
  await page.mouse.down()
  await fetched
  await page.mouse.up()
  await page.waitForURL(`**${href}`)
  // It counts as a visit through a request of its own.
  expect((await opened).headers()['karras-opened']).toBe('1')
  expect(
    await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.toJSON().deliveryType),
  ).toBe('navigational-prefetch')

  // Changes here are seen there.
  await page.evaluate(([key, cart]) => localStorage.setItem(key, cart), [
    STATIC_CART_KEY,
    '{"items":[{"documentId":3}]}',
  ] as const)
  await page.evaluate(() => history.back())
  // A page that is restored is not loaded.
  await page.waitForURL('**/fr/shop', { waitUntil: 'commit' })
  await expect.poll(() => page.locator('visitor-text[of=cart]').first().textContent()).toBe('1')
  const { was, reasons } = await page.evaluate(() => ({
    was: document.body.dataset.was,
    reasons: performance.getEntriesByType('navigation')[0]?.toJSON().notRestoredReasons?.reasons,
  }))
  // A headless browser keeps no page, and gives only that reason ("masked"); a page that cannot be
  // kept would have another reason.
  if (was !== 'here') expect(reasons).toEqual([{ reason: 'masked' }])
  expect(faults).toEqual([])
})
