import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOCALES, type Locale } from '../../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { PAGES } from '../../../src/rules/pages.ts'
import { TOKEN_KEY } from '../../../src/rules/storage-keys.ts'
import { DESKTOP, newVisitor, PHONE } from '../../support/browser.ts'
import { type ShopProcess, spawnShop } from '../../support/shop-process.ts'
import {
  PURCHASE,
  type SpecifiedBackend,
  specifiedBackend,
} from '../../support/specified-backend.ts'
import { testOnceAcrossLocales } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

// The built site in front of a backend that has just the calls of the specification.
let backend: SpecifiedBackend
let site: ShopProcess

beforeAll(async () => {
  backend = await specifiedBackend()
  site = await spawnShop({ API_ORIGIN: backend.url })
  return backend.stop
})
afterAll(() => site.stop())

const read = async (path: string) => {
  const response = await fetch(site.url + path)
  return { status: response.status, text: await response.text() }
}

describe.each(LOCALES)('every page in %s', (locale) => {
  const testOnce = testOnceAcrossLocales(locale, LOCALES)
  const details = ['/shop-details/1', '/shop-details/2', '/teacher-details/1']
  for (const path of [...Object.keys(PAGES), ...details]) {
    testOnce(`${path} answers`, async () => {
      const { status, text } = await read(inLanguage(locale, path))
      expect(status).toBe(200)
      expect([text.includes(`lang="${locale}"`), text.includes('[object')]).toEqual([true, false])
    })
  }

  testOnce('what it does not have is not found', async () => {
    for (const path of ['/shop-details/99', '/teacher-details/99', '/nowhere']) {
      expect((await read(inLanguage(locale, path))).status, path).toBe(404)
    }
  })

  test.each([
    ['/shop', '/documents/paginated', 503, 'shop:error.title'],
    ['/teachers', '/teachers', 200, 'content:teachers.error'],
    ['/shop-details/1', '/documents/1', 500, 'error:title'],
    ['/teacher-details/1', '/teachers/1', 500, 'error:title'],
  ] as const)('%s says in its language that %s failed', async (path, call, status, key) => {
    backend.fail(call, 500)
    const answer = await read(pathIn(locale, path as '/'))
    backend.fail(call, undefined)
    expect(answer.status).toBe(status)
    expect(answer.text.includes(uiText(locale, key))).toBe(true)
  })
})

describe.each([
  ['ar', PHONE],
  ['fr', DESKTOP],
] as const)('a customer in %s', (locale: Locale, viewport) => {
  test.each([
    ['/shop-details/1', 'Les fractions'],
    ['/my-documents', PURCHASE.documentTitle],
    ['/checkout', uiText(locale, 'checkout:title')],
    ['/wishlist', uiText(locale, 'wishlist:page.title')],
    ['/charging', '42'],
    ['/chat', uiText(locale, 'chat:title')],
  ] as const)('%s shows what there is, and no failure', async (path, text) => {
    // The live connection is one of the calls that this stand-in does not answer.
    const { page } = await newVisitor(site.url, { viewport, locale, allowed: [/404/] })
    await page.addInitScript(([key, token]) => localStorage.setItem(key, token), [
      TOKEN_KEY,
      backend.token,
    ] as const)
    await page.goto(pathIn(locale, path as '/'))
    await page.locator('main').getByText(text).first().waitFor()
    await expect.poll(() => page.locator('main [aria-busy="true"], main .skeleton').count()).toBe(0)
    expect(await page.locator('main').getByRole('alert').allInnerTexts()).toEqual([])
  })
})
