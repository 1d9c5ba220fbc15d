import { createHash } from 'node:crypto'
import { brotliDecompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { EVERY_PAGE_TAG } from '../../../src/rules/page-tags.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { type Answer, openStore, type Pages, publisherOf } from './support.ts'

const SHELL = Array.from({ length: 400 }, (_, n) => `<li class="c${n * 7919}">${n}</li>`).join('')
const OFFERED = {
  'cache-control': 'private, max-age=0, stale-while-revalidate=86400',
  'cdn-cache-control': 'no-store',
  'use-as-dictionary': 'match="/*", match-dest=("document")',
  vary: 'accept-encoding, available-dictionary',
}

/** The headers with which Chromium navigates; `from` is the text of the page that it has. */
const chromium = (from?: string) => ({
  'sec-ch-ua': '"Not:A-Brand";v="8", "Chromium";v="156"',
  'sec-fetch-dest': 'document',
  'accept-encoding': 'gzip, deflate, br, zstd, dcb, dcz',
  ...(from !== undefined && { 'available-dictionary': tokenOf(from) }),
})

const tokenOf = (text: string) => `:${createHash('sha256').update(text).digest('base64')}:`

/** The text of an answer to a browser that has this page, and no other. */
function bodyOf({ headers, body }: Answer, from: string): string {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body).toString()
  if (headers['content-encoding'] === undefined) return body.toString()
  expect(headers['content-encoding']).toBe('dcz')
  expect(body.subarray(0, 8).toString('hex')).toBe('5e2a4d1820000000')
  expect(`:${body.subarray(8, 40).toString('base64')}:`).toBe(tokenOf(from))
  return zstdDecompressSync(body.subarray(40), { dictionary: Buffer.from(from) }).toString()
}

/** A shop with two pages, whose texts a test may change. */
async function aShop(directory = temporaryDirectory(), more: Pages = {}) {
  const texts = { one: `${SHELL}<h1>درس</h1>`, other: `${SHELL}<h1>تمرين</h1>` }
  const shop = await publisherOf(
    {
      '/one': () => ({ text: texts.one, tags: ['one'] }),
      '/other': () => ({ text: texts.other, tags: ['other'] }),
      ...more,
    },
    directory,
  )
  return { ...shop, texts }
}

describe('a public page', () => {
  test('is a dictionary for Chromium, and for nobody else what it was', async () => {
    const { ask, texts } = await aShop()
    const first = await ask('/one', chromium())
    expect(first.headers).toMatchObject({ ...OFFERED, 'content-encoding': 'br' })
    for (const headers of [
      {},
      { 'accept-encoding': 'gzip, deflate, br, zstd', 'sec-fetch-dest': 'document' },
      { ...chromium(texts.one), 'sec-ch-ua': '"Not:A-Brand";v="8"' },
      // A file that a script requests is no page that the browser opened.
      { ...chromium(texts.one), 'sec-fetch-dest': 'empty' },
      { ...chromium(texts.one), 'sec-fetch-dest': 'iframe' },
    ] as Record<string, string>[]) {
      const answer = await ask('/one', headers)
      expect(answer.headers['cache-control']).toBe('no-cache')
      expect(answer.headers).not.toHaveProperty('use-as-dictionary')
      expect(answer.headers).not.toHaveProperty('cdn-cache-control')
      expect(answer.headers.vary).toBe(OFFERED.vary)
      expect(bodyOf(answer, texts.one)).toBe(texts.one)
    }
  })

  test('is sent as what differs from the page before it, and from itself before a change', async () => {
    const { ask, texts, publisher } = await aShop()
    await ask('/one', chromium())
    const second = await ask('/other', chromium(texts.one))
    expect(second.headers).toMatchObject({ ...OFFERED, 'content-encoding': 'dcz' })
    expect(second.body.length).toBeLessThan(150)
    expect(bodyOf(second, texts.one)).toBe(texts.other)
    // The second time it is made already.
    expect((await ask('/other', chromium(texts.one))).body).toEqual(second.body)

    const before = texts.other
    texts.other += '<p>جديد</p>'
    await publisher.changed(['other'])
    const changed = await ask('/other', chromium(before))
    expect(changed.headers['content-encoding']).toBe('dcz')
    expect(bodyOf(changed, before)).toBe(texts.other)
    texts.other += '<p>أجدد</p>'
    await publisher.changed([EVERY_PAGE_TAG])
    expect(bodyOf(await ask('/other', chromium(before)), before)).toBe(texts.other)
  })

  test('is confirmed without a body, whatever the browser has it from', async () => {
    const { ask, texts } = await aShop()
    await ask('/one', chromium())
    for (const headers of [chromium(texts.one), chromium(), { 'accept-encoding': 'gzip' }]) {
      const { etag = '' } = (await ask('/other', headers)).headers
      expect(etag).toMatch(/^"[\w-]{22}/)
      const again = await ask('/other', { ...chromium(texts.one), 'if-none-match': etag })
      expect(again).toMatchObject({ status: 304, headers: OFFERED })
      expect(again.body).toHaveLength(0)
      const other = await ask('/other', { 'if-none-match': etag })
      expect(other).toMatchObject({ status: 304, headers: { 'cache-control': 'no-cache' } })
    }
  })

  test('is whole for a HEAD, and for a browser that does not take the encoding', async () => {
    const { ask, texts } = await aShop()
    await ask('/one', chromium())
    for (const accepted of ['br', 'br, dcz;q=0', 'gzip, deflate, br, zstd']) {
      const headers = { ...chromium(texts.one), 'accept-encoding': accepted }
      expect((await ask('/other', headers)).headers['content-encoding']).toBe('br')
    }
    const head = await ask('/other', chromium(texts.one), 'HEAD')
    expect(head).toMatchObject({ status: 200, headers: { 'content-encoding': 'br' } })
    expect(head.headers).not.toHaveProperty('use-as-dictionary')
    // It saves data: nothing is fetched for it.
    const saving = await ask('/other', { ...chromium(texts.one), 'save-data': 'on' })
    expect(saving.headers['content-encoding']).toBe('dcz')
  })

  test.each(['garbage, "\\', ':AAAA:', tokenOf('a page of another build'), `${tokenOf('x')}, x`])(
    'is whole where the shop has no such page: %s',
    async (token) => {
      const { ask, texts } = await aShop()
      const answer = await ask('/one', { ...chromium(), 'available-dictionary': token })
      expect(answer.headers['content-encoding']).toBe('br')
      expect(bodyOf(answer, '')).toBe(texts.one)
    },
  )

  test('is whole after a restart, until the page is read again', async () => {
    const directory = temporaryDirectory()
    const { ask: before } = await aShop(directory)
    await before('/one', chromium())
    const { ask, texts, renders } = await aShop(directory)
    expect((await ask('/other', chromium(texts.one))).headers['content-encoding']).toBe('br')
    await ask('/one', chromium())
    expect(renders).toEqual(['/other'])
    const answer = await ask('/other', chromium(texts.one))
    expect([answer.headers['content-encoding'], bodyOf(answer, texts.one)]).toEqual([
      'dcz',
      texts.other,
    ])
  })

  test('is whole when the page before it is no longer in memory', async () => {
    const store = openStore(temporaryDirectory(), { memoryBytes: 30_000 })
    const paths = Array.from({ length: 20 }, (_, n) => `/p${n}`)
    const pages = Object.fromEntries(
      paths.map((path) => [path, () => ({ text: SHELL + path, tags: ['x'] })]),
    )
    const { ask } = await publisherOf(pages, undefined, { store })
    for (const path of paths) await ask(path, chromium())
    const [last, first] = [`${SHELL}/p18`, `${SHELL}/p0`]
    expect((await ask('/p19', chromium(last))).headers['content-encoding']).toBe('dcz')
    const answer = await ask('/p19', chromium(first))
    expect(answer.headers['content-encoding']).toBe('br')
    expect(bodyOf(answer, first)).toBe(`${SHELL}/p19`)
  })

  test('is the same page for any content and any browser', async () => {
    const { ask, texts, publisher } = await aShop()
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.nat(SHELL.length).map((at) => SHELL.slice(at, at + 300)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 20 }), async (parts) => {
        const before = texts.one
        texts.one = Buffer.from(parts.join('')).toString()
        await publisher.changed(['one'])
        for (const from of [before, texts.other]) {
          expect(bodyOf(await ask('/one', chromium(from)), from)).toBe(texts.one)
        }
        expect(bodyOf(await ask('/one', { 'accept-encoding': 'br' }), '')).toBe(texts.one)
        expect((await ask('/one')).body.toString()).toBe(texts.one)
      }),
      { numRuns: 50 },
    )
  })
})

test('a page that is not public, or that a CDN keeps, takes no part', async () => {
  const text = SHELL
  const type = { 'content-type': 'text/html; charset=utf-8' }
  const kept = { ...type, 'cache-control': 'public, max-age=0, s-maxage=600' }
  const secret = { ...type, 'cache-control': 'no-cache', 'referrer-policy': 'no-referrer' }
  const { ask, texts } = await aShop(undefined, {
    '/office': () => ({ text, tags: ['a'], headers: { ...type, 'cache-control': 'no-store' } }),
    '/payment/transfer/x': () => ({ text, headers: { ...type, 'cache-control': 'private' } }),
    '/for-a-cdn': () => ({ text, tags: ['a'], headers: kept }),
    '/secret': () => ({ text, tags: ['a'], headers: secret }),
    '/feed': () => ({ text, tags: ['a'], headers: { 'content-type': 'text/xml' } }),
    '/404': () => ({ status: 404, text, tags: ['a'] }),
  })
  await ask('/one', chromium())
  for (const path of ['/office', '/payment/transfer/x', '/for-a-cdn', '/secret', '/feed', '/no']) {
    const { headers } = await ask(path, chromium(texts.one))
    expect([path, headers['content-encoding'], headers.vary]).toEqual([
      path,
      'br',
      'accept-encoding',
    ])
    expect(headers).not.toHaveProperty('use-as-dictionary')
    expect(headers['cache-control'] ?? '').not.toContain('stale')
  }
  // Nor is one of them a dictionary of public pages.
  const from = await ask('/other', chromium(text))
  expect(from.headers['content-encoding']).toBe('br')
})

test('an address has its share of what is compressed; what was is free for all', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const paths = Array.from({ length: 130 }, (_, n) => `/p${n}`)
  const page = (path: string) => () => ({ text: SHELL + path, tags: ['x'] })
  const { ask, publisher, texts } = await aShop(
    undefined,
    Object.fromEntries(paths.map((path) => [path, page(path)])),
  )
  await ask('/one', chromium())
  await publisher.renderAll(() => paths)
  const from = async (address: string, path: string) => {
    const headers = { ...chromium(texts.one), 'x-forwarded-for': address }
    const answer = await ask(path, headers)
    expect(bodyOf(answer, texts.one)).toBe(SHELL + path)
    return answer.headers['content-encoding']
  }
  const encodings: unknown[] = []
  for (const path of paths) encodings.push(await from('198.51.100.7', path))
  expect(encodings).toEqual(paths.map((_, n) => (n < 100 ? 'dcz' : 'br')))
  expect(await from('198.51.100.7', '/p0')).toBe('dcz')
  expect(await from('203.0.113.1', '/p129')).toBe('dcz')
  vi.setSystemTime(Date.now() + 11_000)
  expect(await from('198.51.100.7', '/p128')).toBe('dcz')
})

test('each of many requests at once is answered, though few are compressed at a time', async () => {
  const paths = Array.from({ length: 300 }, (_, n) => `/p${n}`)
  const page = (path: string) => () => ({ text: SHELL + path, tags: ['x'] })
  const { ask, publisher, texts } = await aShop(
    undefined,
    Object.fromEntries(paths.map((path) => [path, page(path)])),
  )
  await ask('/one', chromium())
  await publisher.renderAll(() => paths)
  const answers = await Promise.all(paths.map((path) => ask(path, chromium(texts.one))))
  for (const [n, answer] of answers.entries()) {
    expect(bodyOf(answer, texts.one)).toBe(`${SHELL}/p${n}`)
  }
  expect(new Set(answers.map(({ headers }) => headers['content-encoding']))).toContain('dcz')
})
