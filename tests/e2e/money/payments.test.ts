import { link } from '../../support/scene-steps.ts'
// @everyday: a customer pays by card and by bank transfer.

import { expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { readableReference } from '../../../src/rules/typed-numbers.ts'
import {
  atCheckout,
  atDocuments,
  cartOf,
  choice,
  confirm,
  notice,
  ordersOf,
  payButton,
  toGateway,
} from '../../support/checkout.ts'
import { showTable } from '../../support/library.ts'
import { FRENCH, journeys, sharedShop } from '../../support/stage.ts'
import { confirmOrder, refuse } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('paying', (person, test) => {
  const { locale } = person

  test('by card: paid at the gateway, reported on return, with a receipt', async () => {
    const { customer, page, document } = await atCheckout(shop, person, { price: 12.5 })
    await toGateway(page, locale)
    expect(await cartOf(shop, customer)).toBe(1)
    await page.locator('button[value="pay"]').click()
    await atDocuments(page, locale)
    await notice(page).getByText(uiText(locale, 'cart:overlays.payment.paidOrder')).waitFor()
    expect(new URL(page.url()).searchParams.has('payment')).toBe(false)
    await page.locator('[data-purchased]', { hasText: document.title }).waitFor()
    await expect.poll(() => cartOf(shop, customer)).toBe(0)

    const [order] = await ordersOf(shop, customer)
    expect(order?.status).toBe('paid')
    await showTable(page, locale)
    const row = page.locator('[data-purchased]', { hasText: document.title })
    await row.locator('[aria-haspopup=dialog]').click()
    await page.locator(`dialog[open] a[href="${pathIn(locale, '/order')}?id=${order?.id}"]`).click()
    const receipt = page.locator('.receipt')
    await receipt.getByText(document.title).waitFor()
    await receipt.getByText(uiText(locale, 'order:page.number')).waitFor()
    await expect.poll(() => receipt.innerText()).toContain(locale === 'ar' ? '12.50' : '12,50')
    // The digits of the font have different widths.
    const marks = await receipt
      .locator('.price__rest')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left))
    expect(marks).toHaveLength(2)
    expect(marks[0]).toBeCloseTo(marks[1] ?? 0, 1)
    await page.emulateMedia({ media: 'print' })
    await expect
      .poll(() => page.locator('header:not(.receipt *), footer').filter({ visible: true }).count())
      .toBe(0)
    await expect.poll(() => page.locator('button').filter({ visible: true }).count()).toBe(0)
    await expect
      .poll(() => receipt.evaluate((it) => getComputedStyle(it).color))
      .toBe('rgb(0, 0, 0)')
  })

  test('by card: refused, reported kindly; the cart is full and the same order is retried', async () => {
    const { customer, page } = await atCheckout(shop, person, { price: 11 })
    await toGateway(page, locale)
    await page.locator('button[value="refuse"]').click()
    await atDocuments(page, locale)
    await notice(page).getByText(uiText(locale, 'cart:overlays.payment.refused')).waitFor()
    expect(await cartOf(shop, customer)).toBe(1)
    await link(notice(page), locale, 'cart:overlays.payment.again').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/checkout'))
    await page.locator('.line-items > li').first().waitFor()
    await toGateway(page, locale)
    await page.locator('button[value="pay"]').click()
    await notice(page).getByText(uiText(locale, 'cart:overlays.payment.paidOrder')).waitFor()
    expect((await ordersOf(shop, customer)).filter(({ status }) => status === 'paid')).toHaveLength(
      1,
    )
  })

  test('by card, paid later: the notice updates by itself, and the document appears', async () => {
    const { page, document } = await atCheckout(shop, person, { price: 10 })
    await toGateway(page, locale)
    await page.locator('button[value="later"]').click()
    await atDocuments(page, locale)
    await notice(page).getByText(uiText(locale, 'cart:overlays.payment.checking')).waitFor()
    await notice(page).getByText(uiText(locale, 'cart:overlays.payment.paidOrder')).waitFor()
    await page.locator('[data-purchased]', { hasText: document.title }).waitFor()
  })

  test('by bank transfer: pending in my documents, which list it when the operator confirms', async () => {
    const { customer, page, document } = await atCheckout(shop, person, { price: 14 })
    await confirm(page, locale, 'bank_transfer')
    await page.waitForURL(/\/payment\/transfer\//)
    const reference = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await page.getByText(readableReference(reference, 'KR')).waitFor()
    expect(await cartOf(shop, customer)).toBe(1)
    await link(page, locale, 'payment:transfer.documents').click()
    await atDocuments(page, locale)
    const waiting = page.locator('.open-orders > li')
    await waiting.getByText(document.title).waitFor()
    await expect.poll(() => waiting.innerText()).toContain(readableReference(reference, 'KR'))
    await expect
      .poll(() => waiting.locator('a.button').first().getAttribute('href'))
      .toContain(reference)

    await shop.office('confirm', reference)
    await page.locator('[data-purchased]', { hasText: document.title }).waitFor()
    await waiting.waitFor({ state: 'detached' })
    expect(await cartOf(shop, customer)).toBe(0)
  })

  test('by D17, refused by the operator: reported kindly, with a way to order again', async () => {
    const { page } = await atCheckout(shop, person, { price: 4 })
    await expect.poll(() => choice(page, 'card').count()).toBe(0)
    await expect.poll(() => choice(page, 'bank_transfer').count()).toBe(0)
    await confirm(page, locale, 'd17')
    await page.waitForURL(/\/payment\/transfer\//)
    const reference = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await page.goto(pathIn(locale, '/my-documents'))
    await page.locator('.open-orders > li').waitFor()
    await shop.office('refuse', reference)
    await link(page, locale, 'library:page.lapsed.again').waitFor()
  })

  test('which buttons are enabled: none chosen, too little in the wallet, enough in the wallet', async () => {
    const { page } = await atCheckout(shop, person, { price: 10, balance: 3 })
    await page.getByText(uiText(locale, 'checkout:payment.choose')).waitFor()
    await expect.poll(() => payButton(page).isDisabled()).toBe(true)
    await expect.poll(() => choice(page, 'bank_transfer').count()).toBe(0)
    await choice(page, 'wallet').check()
    const topUp = link(page, locale, 'checkout:payment.topUp')
    const { pathname, searchParams } = new URL((await topUp.getAttribute('href')) ?? '', shop.url)
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      pathIn(locale, '/charging'),
      { returnTo: pathIn(locale, '/checkout'), documentPrice: '10' },
    ])
    await expect.poll(() => payButton(page).isDisabled()).toBe(true)
    await choice(page, 'd17').check()
    await expect.poll(() => payButton(page).isEnabled()).toBe(true)
  })

  test('an order whose payment cannot be started is not created twice', async () => {
    const { customer, page } = await atCheckout(shop, person, {
      price: 13,
      allowed: [/status of 503/],
    })
    await refuse(page, '**/api/orderss/sandbox/initiate?*', 503, 'gateway_unavailable')
    await confirm(page, locale, 'card')
    await page.getByText(uiText(locale, 'checkout:result.steps.start'), { exact: true }).waitFor()
    await page.unroute('**/api/orderss/sandbox/initiate?*')
    await page.reload()
    await page.locator('.line-items > li').first().waitFor()
    await toGateway(page, locale)
    expect(await ordersOf(shop, customer)).toHaveLength(1)
  })

  test('a free cart is ordered without any choice', async () => {
    const { page, document } = await atCheckout(shop, person, { price: 0 })
    await payButton(page).click()
    await confirmOrder(page, locale)
    await atDocuments(page, locale)
    await page.locator('[data-purchased]', { hasText: document.title }).waitFor()
  })
})

test('another user’s reference reveals nothing; a logged-out visitor is asked to log in', async () => {
  const { customer, page } = await atCheckout(shop, FRENCH, {
    price: 15,
    allowed: [/status of 404/],
  })
  await confirm(page, 'fr', 'bank_transfer')
  await page.waitForURL(/\/payment\/transfer\//)
  const reference = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const stranger = await shop.aCustomer()
  const stateResponse = () =>
    page.waitForResponse((response) => response.url().includes('/payment/state'))
  await page.evaluate((token) => localStorage.setItem('token', token), stranger.token)
  const answer = stateResponse()
  await page.goto(`/fr/shop?payment=${reference}`)
  expect((await answer).status()).toBe(404)
  await notice(page).waitFor({ state: 'detached' })
  await page.evaluate(() => localStorage.removeItem('token'))
  await page.goto(`/fr/shop?payment=${reference}`)
  const logIn = link(notice(page), 'fr', 'cart:overlays.payment.login')
  const back = new URL((await logIn.getAttribute('href')) ?? '', shop.url).searchParams
  expect(back.get('returnTo')).toContain(reference)
  expect(await ordersOf(shop, customer)).toHaveLength(1)
})
