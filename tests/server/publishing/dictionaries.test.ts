import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { dictionaryOf } from '../../../src/server/publishing/answers/dictionary.ts'
import { buildOf } from '../../../src/server/publishing/build/builds.ts'
import { newTextOf } from '../../../src/server/publishing/build/shared-text.ts'
import { openDictionaries } from '../../../src/server/publishing/serving/shop-dictionaries.ts'
import type { PageStore } from '../../../src/server/publishing/store/page-store.ts'
import { PATIENCE } from '../../support/patience.ts'
import { type Answer, clientFor, openStore, rendered, temporaryDirectory } from './support.ts'

const SHELL = Array.from({ length: 400 }, (_, n) => `<li class="c${n * 7919}">${n}</li>`).join('')
const OLD_SHELL = SHELL.replace('c7919', 'c1')

/** A project with two builds: `b…`, which is served, and the previous one. */
function project() {
  const root = temporaryDirectory()
  for (const [letter, text] of [
    ['a', OLD_SHELL],
    ['b', SHELL],
  ] as const) {
    const { dictionaryDirectory } = buildOf(root, letter.repeat(20))
    mkdirSync(dictionaryDirectory, { recursive: true })
    for (const locale of ['ar', 'fr']) {
      const bytes = Buffer.from(`${locale}${text}`)
      writeFileSync(join(dictionaryDirectory, `${locale}.dict`), bytes)
      writeFileSync(join(dictionaryDirectory, `${locale}.dict.br`), brotliCompressSync(bytes))
    }
  }
  return openDictionaries(buildOf(root, 'b'.repeat(20)))
}

const arabic = dictionaryOf(Buffer.from(`ar${SHELL}`))
const french = dictionaryOf(Buffer.from(`fr${SHELL}`))
const older = dictionaryOf(Buffer.from(`ar${OLD_SHELL}`))

const ACCEPTED = 'gzip, deflate, br, zstd, dcb, dcz'
const headersWith = ({ token }: { token: string }) => ({
  'accept-encoding': ACCEPTED,
  'available-dictionary': token,
})

/** The text of a response to a client that has that dictionary. */
function read({ headers, body }: Answer, dictionary = arabic): string {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body).toString()
  expect(headers['content-encoding']).toBe('dcz')
  expect(body.subarray(0, 8).toString('hex')).toBe('5e2a4d1820000000')
  expect(`:${body.subarray(8, 40).toString('base64')}:`).toBe(dictionary.token)
  return zstdDecompressSync(body.subarray(40), { dictionary: dictionary.bytes }).toString()
}

/** Requests the pages of a store. */
const storeClient = (store: PageStore) =>
  clientFor(async (req, res) => (await store.get(req.url ?? ''))?.send(req, res) ?? false)

describe('a page, for a client that has a dictionary,', () => {
  test('is sent as the difference; to all others as before', async () => {
    const store = openStore(temporaryDirectory(), { dictionaries: project() })
    const text = `${SHELL}<h1>درس</h1>`
    for (const path of ['/shop', '/fr/shop']) {
      await store.put(rendered(path, text, ['catalogue'], store.clock()))
    }
    const get = await storeClient(store)
    for (const [path, dictionary] of [
      ['/shop', arabic],
      // Another language's, such as the page's own before it was loaded.
      ['/shop', french],
      ['/fr/shop', french],
      ['/shop', older],
    ] as const) {
      const answer = await get(path, headersWith(dictionary))
      expect(read(answer, dictionary)).toBe(text)
      expect(answer.body.length).toBeLessThan(200)
      expect(answer.headers.vary).toBe('accept-encoding, available-dictionary')
      expect(await get(path, { 'if-none-match': answer.headers.etag ?? '' })).toMatchObject({
        status: 304,
        headers: { vary: 'accept-encoding, available-dictionary' },
      })
    }
    for (const headers of [
      headersWith(dictionaryOf(Buffer.from('another'))),
      { ...headersWith(arabic), 'accept-encoding': 'br' },
      { ...headersWith(arabic), 'accept-encoding': 'br, dcz;q=0' },
      { 'accept-encoding': ACCEPTED },
      { 'accept-encoding': ACCEPTED, 'available-dictionary': 'garbage, "\\' },
    ]) {
      const answer = await get('/shop', headers)
      expect(answer.headers['content-encoding']).toBe('br')
      expect(read(answer)).toBe(text)
      expect(answer.headers.vary).toBe('accept-encoding, available-dictionary')
    }
    expect((await get('/shop')).body.toString()).toBe(text)
    // Without a body a browser would miss the hash of its dictionary.
    const head = await get('/shop', headersWith(arabic), 'HEAD')
    expect(head).toMatchObject({ status: 200, headers: { 'content-encoding': 'br' } })
  })

  test('offers none; to others it does, unless they save data', async () => {
    const dictionaries = project()
    const store = openStore(temporaryDirectory(), { dictionaries })
    for (const path of ['/', '/fr']) await store.put(rendered(path, SHELL, ['site'], store.clock()))
    const get = await storeClient(store)
    const link = `</_dictionary/ar-${arabic.id}>; rel="compression-dictionary"`

    expect((await get('/', headersWith(arabic))).headers.link).toBeUndefined()
    expect((await get('/', { 'save-data': 'on' })).headers.link).toBeUndefined()
    const others = [{}, { 'accept-encoding': 'br' }, headersWith(older), headersWith(french)]
    for (const headers of others as Record<string, string>[]) {
      expect((await get('/', headers)).headers.link).toBe(link)
    }
    expect((await get('/fr')).headers.link).toContain(`</_dictionary/fr-${french.id}>`)

    const file = await clientFor((req, res) => dictionaries.files(req, res))
    const whole = await file(`/_dictionary/ar-${arabic.id}`, { 'accept-encoding': 'br' })
    expect(read(whole)).toBe(`ar${SHELL}`)
    expect(whole.headers).toMatchObject({
      'use-as-dictionary': 'match="/*"',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const renewed = await file(`/_dictionary/ar-${arabic.id}`, headersWith(older))
    expect(read(renewed, older)).toBe(`ar${SHELL}`)
    expect(renewed.body.length).toBeLessThan(120)
    expect((await file('/_dictionary/ar-another')).status).toBe(418)
    expect((await file(`/_dictionary/ar-${arabic.id}`, {}, 'POST')).status).toBe(418)
  })

  test('is cached by the browser alone, since some CDNs ignore Vary', async () => {
    const store = openStore(temporaryDirectory(), { dictionaries: project() })
    const page = rendered('/', SHELL, ['site'], store.clock())
    const shared = 'public, max-age=0, s-maxage=600'
    await store.put({ ...page, headers: { ...page.headers, 'cache-control': shared } })
    const get = await storeClient(store)

    expect((await get('/', headersWith(arabic))).headers['cache-control']).toBe(
      'private, max-age=0',
    )
    expect((await get('/')).headers['cache-control']).toBe(shared)
  })

  test('is read from disk by a shop that has its dictionary, and by no other', async () => {
    const directory = temporaryDirectory()
    const store = openStore(directory, { dictionaries: project() })
    await store.put(rendered('/a', 'text', ['site'], store.clock()))
    const restarted = await storeClient(openStore(directory, { dictionaries: project() }))

    expect(read(await restarted('/a', headersWith(arabic)))).toBe('text')
    expect(await openStore(directory).get('/a')).toBeUndefined()
  })

  test('is the same page, for any content and any client', async () => {
    const store = openStore(temporaryDirectory(), { dictionaries: project() })
    const get = await storeClient(store)
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.nat(SHELL.length).map((at) => SHELL.slice(at, at + 300)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 20 }), async (parts) => {
        const text = Buffer.from(parts.join('')).toString()
        await store.put(rendered('/a', text, ['site'], store.clock()))
        for (const dictionary of [arabic, french, older]) {
          expect(read(await get('/a', headersWith(dictionary)), dictionary)).toBe(text)
        }
        expect(read(await get('/a', { 'accept-encoding': 'br' }))).toBe(text)
        expect((await get('/a')).body.toString()).toBe(text)
      }),
      { numRuns: 50 },
    )
  })
})

test('a page that is requested often in brotli gets a smaller body', async () => {
  const store = openStore(temporaryDirectory())
  const text = `${SHELL}${OLD_SHELL}`
  await store.put(rendered('/a', text, ['site'], store.clock()))
  const get = await storeClient(store)
  const first = await get('/a', { 'accept-encoding': 'br' })
  await vi.waitFor(async () => {
    const answer = await get('/a', { 'accept-encoding': 'br' })
    expect(read(answer)).toBe(text)
    expect(answer.body.length).toBeLessThan(first.body.length)
  }, PATIENCE)
})

test('a dictionary contains no long text twice, and every text once', () => {
  const [one, two] = ['one and the same '.repeat(20), 'the other end '.repeat(20)]
  expect(newTextOf([one, `<b>${one}${two}</b>`, `${two}${one}!`])).toBe(`${one}<b>${two}</b>!`)
  const part = fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom(one, two))
  fc.assert(
    fc.property(fc.array(fc.array(part, { maxLength: 5 })), (pages) => {
      const texts = pages.map((parts) => parts.join(''))
      const known = newTextOf(texts)
      expect(known.startsWith(texts[0] ?? '')).toBe(true)
      for (const text of texts.filter(({ length }) => length < 200)) expect(known).toContain(text)
    }),
  )
})
