import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { loggedIn } from './browser.ts'
import type { Person } from './people.ts'
import type { OpenShop } from './shop.ts'
import { uiText } from './texts.ts'

type Method = 'wallet' | 'card' | 'bank_transfer' | 'd17'

/** A customer with one document of this price in the cart, already logged in in this browser. */
export async function atCheckout(
  shop: OpenShop,
  { locale, viewport }: { locale: Locale; viewport: { width: number; height: number } },
  { price, balance = 0, allowed }: { price: number; balance?: number; allowed?: RegExp[] },
) {
  const customer = await shop.aCustomer({ balance: dinars(balance) })
  const document = await shop.aDocument({ title: `Paid ${locale} ${price}`, price: dinars(price) })
  await shop.send(customer, 'POST', `/carts/add?userId=${customer.id}&documentId=${document.id}`)
  const visitor = await loggedIn(shop.url, customer, {
    locale,
    viewport,
    ...(allowed && { allowed }),
  })
  const { page } = visitor
  await page.goto(pathIn(locale, '/checkout'))
  await page.locator('.line-items > li').first().waitFor()
  return { customer, document, visitor, page }
}

export const choice = (page: Page, method: Method) =>
  page.locator(`#payment input[value="${method}"]`)
export const payButton = (page: Page) => page.locator('#payment button.button--primary')
export const notice = (page: Page) => page.locator('.payment-notice')

/** Chooses a method, pays, and confirms. */
export async function confirm(page: Page, locale: Locale, method: Method): Promise<void> {
  await choice(page, method).check()
  await payButton(page).click()
  const dialog = page.getByRole('dialog', { name: uiText(locale, 'checkout:confirm.title') })
  await dialog.getByRole('button', { name: uiText(locale, 'checkout:confirm.yes') }).click()
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
