import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { loggedIn, type VisitorOptions } from './browser.ts'
import type { Person } from './people.ts'
import type { OpenShop } from './shop.ts'
import { confirmOrder } from './steps.ts'

type Persona = Required<Pick<VisitorOptions, 'locale' | 'viewport'>>

/** A customer's browser, logged in, with documents of these prices (dinars) in the cart. */
export async function shopper(
  shop: OpenShop,
  { locale, viewport }: Persona,
  { balance = 0, prices = [20], allowed = [] as RegExp[] } = {},
) {
  const customer = await shop.aCustomer({ balance: dinars(balance) })
  const documents: { id: number; title: string }[] = []
  for (const price of prices) {
    const title = `Paid ${locale} ${price}`
    const document = await shop.aDocument({ title, price: dinars(price) })
    documents.push({ ...document, title })
    await shop.send(customer, 'POST', `/carts/add?userId=${customer.id}&documentId=${document.id}`)
  }
  const { page } = await loggedIn(shop.url, customer, { locale, viewport, allowed })
  return { customer, documents, page }
}

/** The same on the checkout page, with one document. */
export async function atCheckout(
  shop: OpenShop,
  persona: Persona,
  { price, ...others }: { price: number; balance?: number; allowed?: RegExp[] },
) {
  const opened = await shopper(shop, persona, { prices: [price], ...others })
  await openCart(opened.page, persona.locale)
  const [document] = opened.documents as [{ id: number; title: string }]
  return { ...opened, document }
}

/** Orders documents and starts their payment, as another device of this customer would. */
export async function orderElsewhere(shop: OpenShop, customer: Person, documentIds: number[]) {
  const orderDocs = documentIds.map((documentId) => ({ documentId }))
  const order = await shop.send(customer, 'POST', '/orders/create', {
    userId: customer.id,
    orderDocs,
  })
  const query = `orderId=${order.body.id}&method=d17`
  const { body } = await shop.send(customer, 'POST', `/orderss/sandbox/initiate?${query}`)
  return { id: order.body.id as number, ...body } as {
    id: number
    paymentRef: string
    paymentUrl: string
  }
}

export const lines = (page: Page) => page.locator('.line-items > li')

export async function openCart(page: Page, locale: Locale): Promise<void> {
  await page.goto(pathIn(locale, '/checkout'))
  await lines(page).first().waitFor()
}

type Method = 'wallet' | 'card' | 'bank_transfer' | 'd17'

export const choice = (page: Page, method: Method) =>
  page.locator(`#payment input[value="${method}"]`)
export const payButton = (page: Page) => page.locator('#payment button.button--primary')
export const notice = (page: Page) => page.locator('.payment-notice')

/** Chooses a method, pays, and confirms. */
export async function confirm(page: Page, locale: Locale, method: Method): Promise<void> {
  await choice(page, method).check()
  await payButton(page).click()
  await confirmOrder(page, locale)
}

/** Pays up to the test gateway's page. */
export async function toGateway(page: Page, locale: Locale): Promise<void> {
  await confirm(page, locale, 'card')
  await page.waitForURL(/\/payment\/sandbox\//)
}

export const atDocuments = (page: Page, locale: Locale) =>
  page.waitForURL((url) => url.pathname === pathIn(locale, '/my-documents'))

export async function ordersOf(shop: OpenShop, person: Person) {
  return shop.database.kysely
    .selectFrom('orders')
    .select(['id', 'status'])
    .where('buyerId', '=', person.id)
    .orderBy('id')
    .execute()
}

export async function cartOf(shop: OpenShop, person: Person): Promise<number> {
  return (await shop.send(person, 'GET', `/carts/user/${person.id}`)).body.length
}
