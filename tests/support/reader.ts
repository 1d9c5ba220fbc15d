import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { aPdf } from './pdf.ts'
import type { Person } from './people.ts'
import type { OpenShop } from './shop.ts'

/** The page count of the document of `aReader`; each page says its number. */
export const PAGES = 12
export const TITLES = {
  ar: 'تمارين القراءة',
  fr: 'Exercices de lecture',
  en: 'Reading exercises',
} as const

export const readerAt = (locale: Locale, id: number | string) =>
  pathIn(locale, `/read/${id}` as '/read/1')

/** A document of twelve pages, and a parent who has bought it. */
export async function aReader(
  shop: OpenShop,
  locale: Locale,
  fileOf = (title: string): Buffer => aPdf(title, PAGES),
): Promise<{ parent: Person; id: number }> {
  const title = `${TITLES[locale]} ${Math.random()}`
  const { id } = await shop.aDocument({ title, price: dinars(1), file: fileOf(title) })
  await shop.database.kysely
    .updateTable('files')
    .set({ pageCount: PAGES })
    .from('documents')
    .whereRef('documents.fileId', '=', 'files.id')
    .where('documents.id', '=', id)
    .execute()
  const parent = await shop.aCustomer({ balance: dinars(1) })
  await shop.buys(parent, [id])
  await untilLaidOut(shop, parent, id)
  return { parent, id }
}

/** Waits until the shop knows a document's pages: a busy machine takes longer than a reader waits. */
async function untilLaidOut(shop: OpenShop, parent: Person, id: number): Promise<void> {
  const headers = { authorization: `Bearer ${parent.token}` }
  const path = `/api/library/documents/${id}/reading`
  const status = async () => (await fetch(shop.url + path, { headers })).status
  await expect.poll(status).not.toBe(503)
}

/**
 * Makes the pages follow each other as in a document in this language; ours is in Latin letters.
 */
export async function setPageOrder(page: Page, locale: Locale): Promise<void> {
  await page.route('**/api/library/documents/*/reading', async (route) => {
    const answer = await route.fetch()
    const direction = locale === 'ar' ? 'rtl' : 'ltr'
    await route.fulfill({ response: answer, json: { ...(await answer.json()), direction } })
  })
}

const pageNumber = (page: Page) => page.locator('.reader__number input').inputValue()
export const pageImage = (page: Page, at: number) => page.locator(`[data-page="${at}"] img`)

/** Waits until a page is the current one, and its image is on the screen. */
export async function untilCurrent(page: Page, at: number): Promise<void> {
  await expect.poll(() => pageNumber(page)).toBe(String(at))
  await pageImage(page, at).waitFor()
  await expect
    .poll(() =>
      page.locator(`[data-page="${at}"]`).evaluate((cell) => {
        const { left, top, bottom } = cell.getBoundingClientRect()
        return Math.abs(left) < 2 || (top < innerHeight && bottom > 0)
      }),
    )
    .toBe(true)
}
