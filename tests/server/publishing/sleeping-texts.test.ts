import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { type OwnWords, textsAsleep } from '../../../src/i18n/translate.ts'
import { inEachLanguage } from '../../../src/rules/in-each-language.ts'
import { sleepingTextFiles } from '../../../src/server/publishing/serving/sleeping-texts.ts'
import { SITE } from '../../../src/site.ts'
import { clientFor } from './support.ts'

const SHIPPED: OwnWords = { id: 'shipped', shop: SITE, texts: inEachLanguage(() => ({})) }
const OWN: OwnWords = {
  id: 'own',
  shop: SITE,
  texts: { ...SHIPPED.texts, ar: { 'cart:overlays.viewCart': 'إلى السلّة' } },
}
const FOR_GOOD = 'public, max-age=31536000, immutable'

/** Serves the texts of a process in which administrators wrote `words`. */
const serving = (words: () => OwnWords) =>
  clientFor(
    sleepingTextFiles({ words: async () => words(), takesCards: true, headers: { 'x-own': '1' } }),
  )

test('pages and the server agree on the URL and the texts, in each language', async () => {
  const get = await serving(() => OWN)
  for (const locale of LOCALES) {
    const { src, props: texts } = textsAsleep(locale, true, OWN)
    const answer = await get(src)
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'cache-control': FOR_GOOD,
        'content-type': 'application/json; charset=utf-8',
        'x-own': '1',
      },
    })
    expect(JSON.parse(answer.body.toString())).toEqual(texts)
    const brotli = await get(src, { 'accept-encoding': 'br' })
    expect(brotliDecompressSync(brotli.body)).toEqual(answer.body)
    expect(gunzipSync((await get(src, { 'accept-encoding': 'gzip' })).body)).toEqual(answer.body)
    const known = { 'if-none-match': brotli.headers.etag ?? '' }
    expect((await get(src, known)).status).toBe(304)
    expect((await get(src, {}, 'HEAD')).body).toHaveLength(0)
  }
})

test('edited texts have a URL of their own; the previous one stays', async () => {
  let words = SHIPPED
  const get = await serving(() => words)
  const before = textsAsleep('ar', true)
  const after = textsAsleep('ar', true, OWN)
  expect(after.src).not.toBe(before.src)
  expect(textsAsleep('fr', true, OWN).src).toBe(textsAsleep('fr', true).src)

  // Named by a page of a process that knows the change already.
  const early = await get(after.src)
  expect(early.headers['cache-control']).toBe('no-store')
  expect(early.body.toString()).toBe(before.body)
  words = OWN
  const changed = await get(after.src)
  expect(changed.headers['cache-control']).toBe(FOR_GOOD)
  expect(changed.body.toString()).toContain('إلى السلّة')
  // Named by an older page; a process that was started since knows the shipped texts as well.
  for (const ask of [get, await serving(() => OWN)]) {
    const stored = await ask(before.src)
    expect(stored.headers['cache-control']).toBe(FOR_GOOD)
    expect(stored.body.toString()).toBe(before.body)
  }
})

test('an unknown version gets the current texts, uncached; anything else is not found', async () => {
  const get = await serving(() => OWN)
  for (const hash of ['000000000000', 'ffffffffffff']) {
    const answer = await get(`/_texts/ar-${hash}`, { 'accept-encoding': 'br' })
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(brotliDecompressSync(answer.body).toString()).toBe(textsAsleep('ar', true, OWN).body)
  }
  const { src } = textsAsleep('fr', true)
  for (const address of [
    src.replace('/fr-', '/xx-'),
    src.replace('/fr-', '/'),
    `${src}0`,
    `${src}?x=1`,
    `/fr${src}`,
    '/_texts/fr-%00%00%00%00',
    '/_texts/fr-../../server',
    '/_texts/__proto__-000000000000',
    '/_texts/',
  ]) {
    expect([address, (await get(address)).status]).toEqual([address, 418])
  }
  expect((await get(src, {}, 'POST')).status).toBe(418)
  expect((await get(src.replace('/fr-', '/ar-'))).headers['cache-control']).toBe('no-store')
})

test('purchases offer the methods of the gateway', () => {
  const modal = (takesCards: boolean) => textsAsleep('fr', takesCards).props['purchase:modal']
  expect(modal(true).payDirect).toContain('par carte')
  expect(modal(false).payDirect).toContain('virement')
  expect(modal(false).title).toBe(modal(true).title)
})
