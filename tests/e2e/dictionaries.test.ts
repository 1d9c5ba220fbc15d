import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { brotliDecompressSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { LOCALES, type Locale } from '../../src/i18n/locales.ts'
import { inLanguage } from '../../src/i18n/paths.ts'
import { newVisitor } from '../support/browser.ts'
import { PATIENCE } from '../support/patience.ts'
import { sharedShop } from '../support/stage.ts'

/** The most bytes that a page costs a browser that has the dictionary. */
const MAX_BYTES = {
  '/shop-details/7': 2000,
  '/teacher-details/2': 2000,
  '/faq': 2000,
  '/contact': 2000,
  '/teachers': 4000,
  '/shop': 4000,
  '/shop?level=primary-school': 4000,
  '/': 4000,
} as const

const shop = sharedShop()

/** The response as sent, its body not decoded. */
function get(path: string, headers: Record<string, string> = {}) {
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

/** The dictionary that a language's home page links to. */
async function dictionaryOf(locale: Locale) {
  const { headers } = await get(inLanguage(locale, '/'))
  const [, path = ''] = /<([^>]+)>; rel="compression-dictionary"/.exec(String(headers.link)) ?? []
  const answer = await get(path, { 'accept-encoding': 'br' })
  const bytes = brotliDecompressSync(answer.body)
  const hash = createHash('sha256').update(bytes).digest('base64')
  return { bytes, token: `:${hash}:`, cost: answer.body.length }
}

describe('the dictionary of a language', () => {
  test.each(LOCALES)('leaves only the page’s own content: %s', async (locale) => {
    const { bytes, token, cost } = await dictionaryOf(locale)
    expect(cost).toBeLessThan(32_000)
    for (const [path, max] of Object.entries(MAX_BYTES)) {
      const address = inLanguage(locale, path)
      const { headers, body } = await get(address, {
        'accept-encoding': 'gzip, deflate, br, zstd, dcb, dcz',
        'available-dictionary': token,
      })
      expect(headers).toMatchObject({
        'content-encoding': 'dcz',
        vary: 'accept-encoding, available-dictionary',
      })
      const html = zstdDecompressSync(body.subarray(40), { dictionary: bytes })
      expect(html.toString()).toBe((await get(address)).body.toString())
      expect(body.length, address).toBeLessThan(max)
    }
  })

  test.each(LOCALES)('contains nothing of a shop, a document or a visitor: %s', async (locale) => {
    const text = (await dictionaryOf(locale)).bytes.toString()
    const json = async (path: string) => JSON.parse((await get(path)).body.toString())
    const documents: { title: string; description: string }[] = await json('/api/documents')
    const teachers: Record<string, unknown>[] = await json('/api/teachers')
    expect(documents.length).toBeGreaterThan(10)
    const written = [
      ...documents.flatMap(({ title, description }) => [title, description]),
      ...teachers.flatMap(({ firstName, lastName, bio, email }) => [
        `${firstName} ${lastName}`,
        bio,
        email,
      ]),
    ]
    for (const part of written.filter(Boolean)) expect(text).not.toContain(part)
    expect(text).not.toMatch(/localhost|127\.0\.0\.1|karras\.test|eyJ/)
    expect(text).not.toContain(new URL(shop.url).host)
  })
})

test('a browser loads it after its first page, and the second page costs next to nothing', async () => {
  // No other test uses this viewport: its browser has an empty cache.
  const visitor = await newVisitor(shop.url, { viewport: { width: 361, height: 740 } })
  const { context, page } = visitor
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  // The browser fetches it when idle: on a busy machine, on one of the next pages. Each time it is
  // another page, since a cached one would be answered with 304.
  let next = 8
  await vi.waitFor(async () => {
    const answer = await page.goto(`/shop-details/${next++}`, { waitUntil: 'networkidle' })
    expect((await answer?.allHeaders())?.['content-encoding']).toBe('dcz')
  }, PATIENCE)
  bytes = 0
  const answer = await page.goto('/shop-details/7', { waitUntil: 'networkidle' })
  expect((await answer?.allHeaders())?.['content-encoding']).toBe('dcz')
  expect(bytes).toBeLessThan(2000)
  expect(await page.locator('main h1').textContent()).toBeTruthy()
  await visitor.leave()
})
