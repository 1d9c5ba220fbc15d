import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { loggedIn } from './browser.ts'
import type { Person } from './people.ts'
import type { OpenShop } from './shop.ts'
import type { Persona } from './stage.ts'
import { uiText } from './texts.ts'

/** A customer's browser, logged in, with these documents in the cart. */
export async function shopper(
  shop: OpenShop,
  { locale, viewport }: Persona,
  { balance = 0, prices = [20], allowed = [] as RegExp[] } = {},
) {
  const customer = await shop.aCustomer({ balance: dinars(balance) })
  const documents: { id: number; title: string }[] = []
  for (const price of prices) {
    const title = `Waits ${locale} ${price}`
    const document = await shop.aDocument({ title, price: dinars(price) })
    documents.push({ ...document, title })
    await shop.send(customer, 'POST', `/carts/add?userId=${customer.id}&documentId=${document.id}`)
  }
  const visitor = await loggedIn(shop.url, customer, { locale, viewport, allowed })
  return { customer, documents, visitor, page: visitor.page }
}

/** Orders documents and starts their payment, as another device of this customer would. */
export async function orderElsewhere(
  shop: OpenShop,
  customer: Person,
  documentIds: number[],
  method = 'd17',
) {
  const orderDocs = documentIds.map((documentId) => ({ documentId }))
  const order = await shop.send(customer, 'POST', '/orders/create', {
    userId: customer.id,
    orderDocs,
  })
  const query = `orderId=${order.body.id}&method=${method}`
  const { body } = await shop.send(customer, 'POST', `/orderss/sandbox/initiate?${query}`)
  return { id: order.body.id as number, ...body } as {
    id: number
    paymentRef: string
    paymentUrl: string
  }
}

const lines = (page: Page) => page.locator('.line-items > li')
export const line = (page: Page, title: string) =>
  page.locator('.line-items > li', { hasText: title })
export const payButton = (page: Page) => page.locator('#payment button.button--primary')
export const waiting = (locale: Locale) => uiText(locale, 'order:waiting.status')

export async function openCart(page: Page, locale: Locale): Promise<void> {
  await page.goto(pathIn(locale, '/checkout'))
  await lines(page).first().waitFor()
}

export async function payBy(page: Page, locale: Locale, method: string): Promise<void> {
  await page.locator(`#payment input[value="${method}"]`).check()
  await payButton(page).click()
  const dialog = page.getByRole('dialog', { name: uiText(locale, 'checkout:confirm.title') })
  await dialog.getByRole('button', { name: uiText(locale, 'checkout:confirm.yes') }).click()
}

export async function cancel(page: Page, locale: Locale): Promise<void> {
  await page.getByRole('button', { name: uiText(locale, 'order:waiting.cancel') }).click()
  await page.getByRole('button', { name: uiText(locale, 'order:waiting.yes') }).click()
}
