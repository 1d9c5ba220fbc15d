import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { fillText, priceText } from '../../../src/i18n/format.ts'
import { LOCALES, type Locale } from '../../../src/i18n/locales.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { readableReference } from '../../../src/rules/typed-numbers.ts'
import { newVisitor, PHONE } from '../../support/browser.ts'
import {
  confirm,
  lines,
  openCart,
  orderElsewhere,
  payButton,
  shopper,
} from '../../support/checkout.ts'
import { button, link } from '../../support/scene-steps.ts'
import { ARABIC, journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

const line = (page: Page, title: string) => lines(page).filter({ hasText: title })
const waiting = (locale: Locale) => uiText(locale, 'order:waiting.status')

async function cancel(page: Page, locale: Locale): Promise<void> {
  await button(page, locale, 'order:waiting.cancel').click()
  await button(page, locale, 'order:waiting.yes').click()
}

journeys('pending orders', (person, test) => {
  const { locale } = person

  test('are not sold twice: ordered by transfer, shown, cancelled, ordered again', async () => {
    const { documents, page } = await shopper(shop, person)
    const title = documents[0]?.title ?? ''
    await openCart(page, locale)
    await confirm(page, locale, 'bank_transfer')
    await page.waitForURL(/\/payment\/transfer\//)
    const reference = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(locale)
    await page.getByText(readableReference(reference, 'KR')).waitFor()

    await openCart(page, locale)
    await line(page, title).getByText(waiting(locale)).waitFor()
    await page.getByText(uiText(locale, 'checkout:payment.allOrdered')).waitFor()
    await expect.poll(() => payButton(page).count()).toBe(0)
    await expect
      .poll(() => page.locator('.sum__total').first().innerText())
      .toContain(
        priceText(locale, 0)
          .replace(/[\u2068\u2069]/g, '')
          .split(/\s/)[0] ?? '',
      )

    await link(page, locale, 'order:waiting.see').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/order'))
    await link(page, locale, 'order:page.instructions').waitFor()
    await cancel(page, locale)
    await page.getByText(uiText(locale, 'order:page.status.cancelled')).waitFor()

    await openCart(page, locale)
    await line(page, title).waitFor()
    await payButton(page).waitFor()
    await expect.poll(() => page.getByText(waiting(locale)).count()).toBe(0)
    await confirm(page, locale, 'd17')
    await page.waitForURL(/\/payment\/transfer\//)
    expect(page.url()).not.toContain(reference)
  })

  test('only the rest of the cart is paid', async () => {
    const { customer, documents, page } = await shopper(shop, person, {
      prices: [21, 7],
      balance: 10,
    })
    const [first, second] = documents as [
      { id: number; title: string },
      { id: number; title: string },
    ]
    await orderElsewhere(shop, customer, [first.id])
    await openCart(page, locale)
    await line(page, first.title).getByText(waiting(locale)).waitFor()
    await expect.poll(() => line(page, second.title).getByText(waiting(locale)).count()).toBe(0)
    await confirm(page, locale, 'wallet')
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/my-documents'))
    await page.locator('[data-purchased]', { hasText: second.title }).waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(3))
    await page.locator('.open-orders > li', { hasText: first.title }).waitFor()
  })

  test('shows on the page of the document, and is cancelled there', async () => {
    const { customer, documents, page } = await shopper(shop, person)
    const document = documents[0] as { id: number; title: string }
    const order = await orderElsewhere(shop, customer, [document.id])
    await openCart(page, locale)
    await line(page, document.title).getByText(waiting(locale)).waitFor()
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    const box = page.locator('.waiting-document')
    await box.waitFor({ state: 'visible' })
    await expect.poll(() => page.locator('.buy [data-do]:visible').count()).toBe(0)
    const see = link(box, locale, 'order:waiting.see')
    await see.focus()
    await expect.poll(() => see.getAttribute('href')).toBe(pathIn(locale, `/order?id=${order.id}`))
    await cancel(page, locale)
    await box.waitFor({ state: 'hidden' })
    await page.locator('.buy [data-do]:visible').first().waitFor()
  })

  test('an order whose documents were bought another way is replaced, and says so', async () => {
    const { customer, documents, page } = await shopper(shop, person, { balance: 50 })
    const ids = documents.map(({ id }) => id)
    const order = await orderElsewhere(shop, customer, ids)
    await page.goto(pathIn(locale, '/my-documents'))
    await page.locator('.open-orders > li').waitFor()
    await shop.send(customer, 'POST', '/wallet/pay', { userId: customer.id, documentIds: ids })
    await page.goto(pathIn(locale, `/order?id=${order.id}`))
    await page.getByText(uiText(locale, 'order:page.status.replaced')).waitFor()
    await expect.poll(() => link(page, locale, 'order:page.instructions').count()).toBe(0)
    await page.goto(pathIn(locale, `/payment/transfer/${order.paymentRef}`))
    await page.getByText(uiText(locale, 'payment:transfer.cancelled')).waitFor()
    await page.goto(pathIn(locale, '/my-documents'))
    await page.locator('[data-purchased]', { hasText: documents[0]?.title }).waitFor()
    await expect.poll(() => page.locator('.open-orders').count()).toBe(0)
  })

  test('the fourth open transfer is refused beside the button, with the open ones', async () => {
    const { customer, page } = await shopper(shop, person, {
      allowed: [/status of 409/],
    })
    const open = []
    for (const amount of [10, 11, 12]) {
      const body = { userId: customer.id, amount, paymentMethod: 'D17', locale }
      open.push((await shop.send(customer, 'POST', '/wallet/recharge/initiate', body)).body)
    }
    await openCart(page, locale)
    await confirm(page, locale, 'd17')
    const openTransfers = page.locator('#payment .alert')
    await openTransfers
      .getByText(fillText(uiText(locale, 'errors:open.title'), { count: '3' }))
      .waitFor()
    for (const { paymentRef, paymentUrl } of open) {
      await openTransfers.getByText(readableReference(paymentRef, 'KR')).waitFor()
      await expect.poll(() => openTransfers.locator(`a[href="${paymentUrl}"]`).count()).toBe(1)
    }

    await page.goto(pathIn(locale, '/charging'))
    const history = page.locator('.history .open-orders > li')
    await expect.poll(() => history.count()).toBe(3)
    await expect
      .poll(() => history.first().innerText())
      .toContain(readableReference(open[2].paymentRef, 'KR'))
    await page.locator('input[value="d17"]').check()
    await page.locator('.charge-panel button[type="submit"]').click()
    await page
      .locator('.charge-panel .alert')
      .getByText(readableReference(open[0].paymentRef, 'KR'))
      .waitFor()

    await history.first().getByRole('link').click()
    await page.waitForURL(/\/payment\/transfer\//)
    await link(page, locale, 'payment:transfer.wallet').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/charging'))
  })
})

describe('payment pages', () => {
  test('exist in three languages, are not for search engines, and are never cached', async () => {
    const customer = await shop.aCustomer()
    const body = { userId: customer.id, amount: 25, paymentMethod: 'D17' }
    const { body: started } = await shop.send(customer, 'POST', '/wallet/recharge/initiate', body)
    for (const locale of LOCALES) {
      const path = pathIn(locale, `/payment/transfer/${started.paymentRef}`)
      const page = await (await fetch(shop.url + path)).text()
      expect(page).toContain(uiText(locale, 'payment:transfer.text.d17'))
      expect(page).toMatch(/<meta name="robots" content="noindex"/)
      expect(page).toMatch(/<meta name="referrer" content="no-referrer"/)
    }
    await shop.office('confirm', started.paymentRef)
    const now = await fetch(`${shop.url}/payment/transfer/${started.paymentRef}`)
    expect(await now.text()).toContain(uiText('ar', 'payment:transfer.paid'))
    for (const reference of ['unknown', 'f'.repeat(24), '%00', 'x'.repeat(300)]) {
      for (const name of ['transfer', 'sandbox']) {
        const answer = await fetch(`${shop.url}/fr/payment/${name}/${reference}`)
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          404,
          'text/html; charset=utf-8',
        ])
      }
    }
  })

  test('the test gateway works without script', async () => {
    const customer = await shop.aCustomer()
    const body = { userId: customer.id, amount: 25, locale: 'fr', returnTo: '/fr/charging' }
    const { body: started } = await shop.send(customer, 'POST', '/wallet/recharge/initiate', body)
    const { page } = await newVisitor(shop.url, {
      locale: 'fr',
      viewport: PHONE,
      javaScriptEnabled: false,
    })
    await page.goto(new URL(started.paymentUrl).pathname)
    await page.getByText(uiText('fr', 'payment:sandbox.banner')).waitFor()
    await page.locator('button[value="pay"]').click()
    await page.waitForURL((url) => url.pathname === '/fr/charging')
    expect(new URL(page.url()).searchParams.get('payment')).toBe(started.paymentRef)
    expect(await shop.balanceOf(customer)).toBe(dinars(25))
    await page.goto(new URL(started.paymentUrl).pathname)
    await page.getByText(uiText('fr', 'payment:sandbox.paid')).waitFor()
  })

  test('an unknown reference leads to a page that says so', async () => {
    const { page } = await shopper(shop, ARABIC, { prices: [] })
    await page.goto('/api/orderss/payment/success?paymentRef=%00')
    await page.waitForURL((url) => url.pathname === '/my-documents')
    await page.getByText(uiText('ar', 'cart:overlays.payment.unknown')).waitFor()
  })
})
