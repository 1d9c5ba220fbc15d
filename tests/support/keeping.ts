import type { Locator, Page } from 'playwright'
import { fillText } from '../../src/i18n/format.ts'
import type { Locale } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { loggedIn, untilHydrated } from './browser.ts'
import { CUT_ERRORS, untilControlled } from './kept.ts'
import { aPdf } from './pdf.ts'
import { button } from './scene-steps.ts'
import type { OpenShop } from './shop.ts'
import type { PERSONAS } from './stage.ts'
import { uiText } from './texts.ts'

export const PAGES = 12

/** A customer who owns documents, in a browser with the worker. */
export async function anOwner(
  shop: OpenShop,
  { locale, viewport }: (typeof PERSONAS)[number],
  documents: number,
  pages = PAGES,
) {
  const parent = await shop.aCustomer({ balance: dinars(documents) })
  const ids: number[] = []
  for (let at = 0; at < documents; at++) {
    const title = `Kept ${Math.random()}`
    const { id } = await shop.aDocument({
      title,
      price: dinars(1),
      file: aPdf(title, pages),
      pages,
    })
    ids.push(id)
  }
  await shop.buys(parent, ids)
  const options = {
    locale,
    viewport,
    keepsPages: true,
    allowed: [...CUT_ERRORS, /status of 40[34]/],
  }
  const visitor = await loggedIn(shop.url, parent, options)
  await visitor.page.goto(pathIn(locale, '/my-documents'))
  await untilControlled(visitor.page)
  return { ...visitor, parent, ids }
}

/** Opens the reader's panel about the view, which has the button to keep a document. */
export async function openReader(page: Page, locale: Locale, id: number): Promise<Locator> {
  await page.goto(pathIn(locale, '/my-documents').replace('my-documents', `read/${id}`))
  await untilHydrated(page)
  await button(page, locale, 'reader:page.view').click()
  return page.locator('.keep')
}

export const progress = (locale: Locale, done: number) =>
  fillText(uiText(locale, 'offline:keep.progress'), { done, of: PAGES })

export const keepIn = (keep: Locator, locale: Locale) =>
  button(keep, locale, 'offline:keep.keep').click()

/** Refunds a document of one order. */
export async function refund(shop: OpenShop, documentId: number): Promise<void> {
  const { orderId } = await shop.database.kysely
    .selectFrom('purchases')
    .select('orderId')
    .where('documentId', '=', documentId)
    .executeTakeFirstOrThrow()
  await shop.office('refund', String(orderId), String(documentId))
}
