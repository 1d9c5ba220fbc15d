import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { PAGES } from '../../../src/rules/pages.ts'
import { TOKEN_KEY } from '../../../src/rules/storage-keys.ts'
import { newVisitor } from '../../support/browser.ts'
import { type ShopProcess, spawnShop } from '../../support/shop-process.ts'
import {
  PURCHASE,
  type SpecifiedBackend,
  specifiedBackend,
} from '../../support/specified-backend.ts'
import { journeys } from '../../support/stage.ts'
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

/** The languages take turns with the pages. */
const turn = (at: number) => LOCALES[at % LOCALES.length] ?? 'ar'

test('every page answers, and what the backend does not have is not found', async () => {
  const details = ['/shop-details/1', '/shop-details/2', '/teacher-details/1']
  for (const [at, path] of [...Object.keys(PAGES), ...details].entries()) {
    const locale = turn(at)
    const { status, text } = await read(inLanguage(locale, path))
    expect(status, path).toBe(200)
    expect(text, path).toContain(`lang="${locale}"`)
    expect(text, path).not.toContain('[object')
  }
  for (const [at, path] of ['/shop-details/99', '/teacher-details/99', '/nowhere'].entries()) {
    expect((await read(inLanguage(turn(at), path))).status, path).toBe(404)
  }
})

test.each([
  ['ar', '/shop', '/documents/paginated', 503, 'shop:error.title'],
  ['fr', '/teachers', '/teachers', 200, 'content:teachers.error'],
  ['en', '/shop-details/1', '/documents/1', 500, 'error:title'],
  ['ar', '/teacher-details/1', '/teachers/1', 500, 'error:title'],
] as const)('in %s, %s says that %s failed', async (locale, path, call, status, key) => {
  backend.fail(call, 500)
  const answer = await read(pathIn(locale, path as '/'))
  backend.fail(call, undefined)
  expect(answer.status).toBe(status)
  expect(answer.text).toContain(uiText(locale, key))
})

journeys('a customer', ({ locale, viewport }, test) => {
  for (const [path, text] of [
    ['/shop-details/1', 'Les fractions'],
    ['/my-documents', PURCHASE.documentTitle],
    ['/checkout', uiText(locale, 'checkout:title')],
    ['/wishlist', uiText(locale, 'wishlist:page.title')],
    ['/charging', '42'],
    ['/chat', uiText(locale, 'chat:title')],
  ] as const) {
    test(`${path} shows what there is, and no failure`, async () => {
      // The live connection is one of the calls that this stand-in does not answer.
      const { page } = await newVisitor(site.url, { viewport, locale, allowed: [/404/] })
      await page.addInitScript(([key, token]) => localStorage.setItem(key, token), [
        TOKEN_KEY,
        backend.token,
      ] as const)
      await page.goto(pathIn(locale, path as '/'))
      await page.locator('main').getByText(text).first().waitFor()
      await expect
        .poll(() => page.locator('main [aria-busy="true"], main .skeleton').count())
        .toBe(0)
      expect(await page.locator('main').getByRole('alert').allInnerTexts()).toEqual([])
    })
  }
})
