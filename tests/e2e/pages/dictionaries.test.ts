import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { brotliDecompressSync, zstdDecompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { alteredShop } from '../../support/altered-shop.ts'
import { newVisitor, type VisitorOptions } from '../../support/browser.ts'
import { allKept, CUT_ERRORS, eventually, untilControlled } from '../../support/kept.ts'
import { PATIENCE } from '../../support/patience.ts'
import { openShop } from '../../support/shop.ts'
import { shopForFile } from '../../support/stage.ts'

/** The most bytes of a page that a browser opens after another one. */
const MOST = [
  ['/shop-details/7', '/shop-details/3', 2000],
  ['/shop-details/7', '/shop', 7000],
  ['/shop', '/shop?level=primary-school', 4000],
  ['/shop', '/shop-details/7', 7000],
  ['/', '/teachers', 7000],
  ['/teachers', '/teacher-details/2', 7000],
  ['/faq', '/contact', 7000],
] as const

// A shop of its own: in a shared one, other files add documents to the lists whose bytes are compared.
const shop = shopForFile()

const CHROMIUM = {
  'sec-ch-ua': '"Not:A-Brand";v="8", "Chromium";v="156"',
  'sec-fetch-dest': 'document',
  'accept-encoding': 'gzip, deflate, br, zstd, dcb, dcz',
}

/** The response as sent, its body not decoded. */
function get(path: string, headers: Record<string, string>) {
  return new Promise<{ headers: Record<string, unknown>; body: Buffer }>((done, fail) => {
    request(new URL(path, shop.url), { headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => done({ headers: answer.headers, body: Buffer.concat(chunks) }))
    })
      .on('error', fail)
      .end()
  })
}

test.each(LOCALES)('a page after another costs what differs: %s', async (locale) => {
  for (const [before, after, most] of MOST) {
    const first = await get(inLanguage(locale, before), CHROMIUM)
    const dictionary = brotliDecompressSync(first.body)
    const hash = createHash('sha256').update(dictionary).digest('base64')
    const address = inLanguage(locale, after)
    const asked = { ...CHROMIUM, 'available-dictionary': `:${hash}:` }
    const { headers, body } = await get(address, asked)
    expect(headers['content-encoding'], address).toBe('dcz')
    expect(body.length, address).toBeLessThan(most)
    const html = zstdDecompressSync(body.subarray(40), { dictionary })
    expect(html.toString()).toBe((await get(address, {})).body.toString())
  }
})

/** A visitor of a shop, and how its pages came. */
async function aVisitor(origin: string, options: VisitorOptions = {}) {
  const visitor = await newVisitor(origin, { viewport: { width: 361, height: 740 }, ...options })
  const { context, page } = visitor
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const requested: string[] = []
  page.on('request', (each) => requested.push(new URL(each.url()).pathname))
  /** Opens a page; returns its encoding and the bytes of all bodies that it needed. */
  const open = async (path: string) => {
    bytes = 0
    const answer = await page.goto(path, { waitUntil: 'networkidle' })
    return { encoding: (await answer?.allHeaders())?.['content-encoding'], bytes }
  }
  return { ...visitor, open, requested }
}

test('a browser fetches nothing in advance, and the second page costs next to nothing', async () => {
  const { page, open, requested } = await aVisitor(shop.url)
  expect((await open('/shop-details/8')).encoding).toBe('br')
  const first = [...requested]
  const second = await open('/shop-details/7')
  expect(second.encoding).toBe('dcz')
  expect(second.bytes).toBeLessThan(2000)
  expect((await open('/shop-details/9')).encoding).toBe('dcz')
  expect(await page.locator('main h1').textContent()).toBeTruthy()
  expect(first.filter((path) => path.includes('dictionary'))).toEqual([])
})

test('a changed page comes at once, and going back shows what was there', async () => {
  const { id } = await shop.aDocument({ price: dinars(7.31) })
  const { page, open } = await aVisitor(shop.url)
  const path = `/shop-details/${id}`
  const price = page.locator('main .price').first()
  await open(path)
  expect(await price.textContent()).toContain('7.31')
  await open('/faq')
  const change = ['change.kind=price', 'change.price=13.39']
  const preview = await shop.call('previewBulkChange', `chosen.ids=${id}`, ...change)
  await shop.call('applyBulkChange', `id=${preview.id}`, 'reason=Rentrée')
  // The office is a process of its own, whose change the shop hears of within seconds.
  await vi.waitFor(async () => {
    const answer = await fetch(shop.url + path)
    expect(await answer.text()).toContain('13.39')
  }, PATIENCE)
  const changed = await open(path)
  expect(await price.textContent()).toContain('13.39')
  expect(changed.encoding).toBe('dcz')
  await page.goBack()
  await page.waitForURL('**/faq')
  await page.goForward()
  await page.waitForURL(`**${path}`)
  expect(await price.textContent()).toContain('13.39')
})

test('a page is whole after a restart or of another shop, and the next one a difference again', async () => {
  const way = await alteredShop(shop.url)
  const { page, open, leave } = await aVisitor(way.url)
  await open('/shop-details/8')
  const restarted = await openShop({})
  way.moveTo(restarted.url)
  const whole = await open('/shop-details/7')
  expect(whole.encoding).toBe('br')
  expect(await page.locator('main h1').textContent()).toBeTruthy()
  expect((await open('/shop-details/9')).encoding).toBe('dcz')
  await leave()
  await restarted.close()
})

test('the worker keeps a page that came as a difference, and shows it without a network', async () => {
  const options = { keepsPages: true, allowed: CUT_ERRORS }
  const { context, page, open } = await aVisitor(shop.url, options)
  await page.goto('/about')
  await page.locator('a[href="/shop"]:visible').first().click()
  await page.waitForURL('**/shop')
  await untilControlled(page)
  for (const path of ['/shop-details/8', '/shop-details/7']) await open(path)
  const text = await page.locator('main h1').textContent()
  await eventually(async () => (await allKept(page)).pages ?? []).toContain('/shop-details/7')
  await context.setOffline(true)
  await page.goto('/shop-details/7')
  await page.waitForFunction(() => document.documentElement.dataset.kept)
  expect(await page.locator('main h1').textContent()).toBe(text)
})
