import { expect, test } from 'vitest'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { DESKTOP, newVisitor, withoutCache } from '../../support/browser.ts'
import { fillCart } from '../../support/kept-cart.ts'
import { markupFaults } from '../../support/markup.ts'
import {
  expectNoOverflow,
  expectReadable,
  MISSING_TEXT,
  NARROW_AND_WIDE,
} from '../../support/reading.ts'
import { shopForFile } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'
import { workDuring } from '../../support/trace.ts'
import { FIRST_VISIT_BUDGETS, pageWeigher } from '../../support/weight.ts'

const PAGES = [
  '/',
  '/shop',
  '/shop?level=high-school',
  '/shop?search=zzzzzz',
  '/shop-details/1',
  '/teacher-details/1',
  '/login',
  '/register',
  '/checkout',
  '/my-documents',
  '/chat',
  '/teachers',
  '/team',
  '/about',
  '/faq',
  '/contact',
  '/terms',
  '/privacy',
  '/no-such-page',
  '/wishlist',
  '/forget-password',
  '/reset-password',
  '/reset-password?token=0123',
  '/confirm-email',
  '/confirm-email?token=0123',
  '/error',
  '/busy',
]

const shop = shopForFile()

/**
 * How often a page over its time budget is visited again: on a busy machine its tasks are
 * interrupted.
 */
const ATTEMPTS = 3

test.each(LOCALES)(
  'pages in %s answer with valid HTML of one heading, and no key of a text',
  async (locale) => {
    for (const path of PAGES) {
      const response = await fetch(shop.url + inLanguage(locale, path))
      const html = await response.text()
      expect(await markupFaults(html), path).toEqual([])
      expect(response.status, path).toBe(path === '/no-such-page' ? 404 : 200)
      expect(html, path).toMatch(new RegExp(`<html[^>]* lang="${locale}"`))
      expect(html.match(/<h1[ >]/g), path).toHaveLength(1)
      const words = html.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '').replace(/<[^>]*>/g, '\n')
      expect(words, path).not.toMatch(MISSING_TEXT)
    }
  },
)

// support/screens.ts looks at the other languages.
test('the shop in English has readable prices, and no sideways scroll', async () => {
  const { page } = await newVisitor(shop.url, { locale: 'en', at: '/shop' })
  const prices = await page.locator('main .price:visible').allTextContents()
  expect(prices.length).toBeGreaterThan(5)
  const free = uiText('en', 'common:price.free')
  for (const price of prices)
    if (price.trim() !== free) expect(price.trim()).toMatch(/^\d+\.\d\d\s*TND$/)
  await expectReadable(page, 'en')
  await expectNoOverflow(page, NARROW_AND_WIDE)
})

test('home, shop, details and teacher are readable without script', async () => {
  const { page } = await newVisitor(shop.url, { javaScriptEnabled: false })
  const documents = page.locator('main a[href*="/shop-details/"]')
  await page.goto('/')
  await expect.poll(() => documents.count()).toBeGreaterThan(8)
  // Filters are a form, and pages are links.
  await page.goto('/shop?level=primary-school')
  await expect.poll(() => page.locator('form#filters').getAttribute('method')).not.toBe('post')
  await page.goto((await documents.first().getAttribute('href')) ?? '')
  expect((await page.locator('h1').innerText()).length).toBeGreaterThan(3)
  await page.locator('main a[href*="/teacher-details/"]').first().click()
  expect((await page.locator('h1').innerText()).length).toBeGreaterThan(3)
})

test.each(Object.entries(FIRST_VISIT_BUDGETS))(
  'the first visit of %s in Arabic on a phone stays within its budget',
  async (path, most) => {
    const { page } = await newVisitor(shop.url)
    await page.goto('/robots.txt')
    if (path === '/checkout') await fillCart(page)
    const session = await withoutCache(page)
    const weigh = await pageWeigher(page, session)
    // A wait that happens in one visit does not happen in another on the same machine.
    for (let attempt = 1; ; attempt++) {
      const { seen: weight, work } = await workDuring(page, session, () => weigh(path))
      const elements = await page.locator('*').count()
      const found = {
        bytes: weight.total,
        script: weight.script,
        elements,
        work: work.total / work.standard,
        longest: (work.tasks[0] ?? 0) / work.standard,
      }
      const over = Object.entries(found).filter(
        ([key, value]) => value > most[key as keyof typeof most],
      )
      if (attempt < ATTEMPTS && over.some(([key]) => key === 'work' || key === 'longest')) continue
      expect(Object.fromEntries(over), JSON.stringify(weight.files.slice(0, 8))).toEqual({})
      if (path !== '/checkout') {
        expect(weight.files.map(([url]) => url).join(), path).not.toMatch(/react|client\./)
      }
      break
    }
  },
)

test('a page names its script and what that imports, for browsers to get after what is seen', async () => {
  const get = async (path: string) => (await fetch(shop.url + path)).text()
  const html = await get('/shop')
  const links = html.matchAll(/<link rel="modulepreload" fetchpriority="low" href="([^"]+)"/g)
  const named = [...links].map(([, address = '']) => address)
  const script = /<script type="module" src="([^"]+)"/.exec(html)
  expect(named[0]).toBe(script?.[1])
  // Before the script: the first that names a file decides how urgent it is.
  expect(html.lastIndexOf('rel="modulepreload"')).toBeLessThan(script?.index ?? 0)
  const imported = await Promise.all(
    named.map(async (address) => {
      const imports = (await get(address)).matchAll(/(?:from|import)"\.\/([^"]+)"/g)
      return [...imports].map(([, file]) => `/_astro/${file}`)
    }),
  )
  expect(imported.flat()).not.toEqual([])
  expect(imported.flat().filter((address) => !named.includes(address))).toEqual([])
})

test('the language picker leads to the same page and query, also where no script comes', async () => {
  const allowed = [/ERR_FAILED/]
  const { page } = await newVisitor(shop.url, { viewport: DESKTOP, allowed })
  await page.route(/\.js$/, (route) => route.abort())
  await page.goto('/shop?level=high-school')
  await page.locator('.picker__button:visible').first().click()
  await page.locator('.picker a[hreflang="fr"]:visible').first().click()
  await page.waitForURL(/\/fr\/shop\?level=high-school$/)
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('fr')
})

test('what a later page loads by itself brings no React along', async () => {
  const { page } = await newVisitor(shop.url)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto('/')
  await page.locator('main a[href*="/shop-details/"]').first().click()
  await page.locator('.offline-bar').waitFor({ state: 'attached' })
  expect(requests.filter((url) => /\/(react|client)\./.test(url))).toEqual([])
})

test('the component gallery exists in development only', async () => {
  for (const path of ['/gallery', '/fr/gallery']) {
    const response = await fetch(shop.url + path)
    await response.arrayBuffer()
    expect(response.status).toBe(404)
  }
})

test('links of the log-in page without a route of their own redirect', async () => {
  const answer = async (path: string) => {
    const response = await fetch(shop.url + path, { redirect: 'manual' })
    return [response.status, response.headers.get('location')]
  }
  expect(await answer('/category')).toEqual([301, '/shop'])
  expect(await answer('/home')).toEqual([301, '/'])
  expect(await answer('/fr/home')).toEqual([301, '/fr'])
  expect(await answer('/shop/')).toEqual([301, '/shop'])
})

test('every page has the security headers, and a compressed page with an ETag answers 304', async () => {
  for (const path of ['/', '/fr/shop', '/shop?search=a', '/shop-details/1', '/no-such-page']) {
    const response = await fetch(shop.url + path, { headers: { 'accept-encoding': 'br' } })
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).not.toContain('unsafe-inline')
    expect(policy).not.toContain('unsafe-eval')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-encoding')).toBe('br')
    await response.arrayBuffer()
  }
  const first = await fetch(`${shop.url}/shop-details/1`)
  const tag = first.headers.get('etag') ?? ''
  expect(tag).not.toBe('')
  const again = await fetch(`${shop.url}/shop-details/1`, { headers: { 'if-none-match': tag } })
  expect(again.status).toBe(304)
})
