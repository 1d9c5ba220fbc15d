import { expect, test } from 'vitest'
import { fillText, priceText } from '../../../src/i18n/format.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { DESKTOP, loggedIn, newVisitor } from '../../support/browser.ts'
import { add, count } from '../../support/cart-buttons.ts'
import { expectFocusTrapped } from '../../support/keyboard.ts'
import type { Person } from '../../support/people.ts'
import { aDocument, buyNow, modalOf, named } from '../../support/purchase-modal.ts'
import { link } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { goOnAnonymously } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

async function owned(person: Person): Promise<number[]> {
  const rows = await shop.database.kysely
    .selectFrom('purchases')
    .select('documentId')
    .where('userId', '=', person.id)
    .execute()
  return rows.map(({ documentId }) => documentId)
}

journeys('buying one document', ({ locale, viewport }, test) => {
  test('small, and enough in the wallet: balance after, paid once, in my documents', async () => {
    const customer = await shop.aCustomer({ balance: dinars(9) })
    const document = await aDocument(shop, locale, 4)
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    await page.addInitScript(() => {
      navigator.share = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    })
    const modal = await buyNow(page, locale, document.id)
    await expect
      .poll(() => modal.locator('.dialog__total .price [dir="ltr"]').textContent())
      .toMatch(/^5[.,]00$/)
    await expect.poll(() => modal.getByRole('link').count()).toBe(0)
    await named(modal, locale, 'modal.payWallet').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/my-documents'))
    await page.getByText(uiText(locale, 'library:page.purchased')).waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(5))
    expect(await owned(customer)).toEqual([document.id])
    // What was bought is sent on: by the browser's list, or where that fails by two apps.
    const shared = page.getByRole('region', { name: uiText(locale, 'library:page.shareBought') })
    await shared.getByRole('button').click()
    const address = await shared.getByRole('link').first().getAttribute('href')
    const text = new URL(address ?? '').searchParams.get('text') ?? ''
    expect(text).toContain(pathIn(locale, `/shop-details/${document.id}`))
    expect(text.split('\n')).toHaveLength(3)
    // An owned document is not sold again.
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await page.locator('main .buy .when-owned button:visible').first().waitFor()
    await expect.poll(() => named(page.locator('main .buy'), locale, 'buy').isVisible()).toBe(false)
  })

  test('small, and not enough: a warning, a top-up of the difference, or more shopping', async () => {
    const customer = await shop.aCustomer({ balance: dinars(1) })
    const document = await aDocument(shop, locale, 4.5)
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    const modal = await buyNow(page, locale, document.id)
    await modal.getByText(uiText(locale, 'purchase:modal.topUpNeeded')).waitFor()
    await modal.getByText(uiText(locale, 'purchase:modal.insufficient')).waitFor()
    await modal.getByText(uiText(locale, 'purchase:modal.minimum')).waitFor()
    await expect.poll(() => named(modal, locale, 'modal.payWallet').count()).toBe(0)
    await named(modal, locale, 'modal.continue').click()
    await modal.waitFor({ state: 'detached' })

    await named(page.locator('main .buy'), locale, 'buy').click()
    await link(modal, locale, 'purchase:modal.topUp').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/charging'))
    const query = new URL(page.url()).searchParams
    expect(query.get('returnTo')).toBe(pathIn(locale, `/shop-details/${document.id}`))
    expect(query.get('documentPrice')).toBe('4.5')
  })

  test('large, and enough in the wallet: only the wallet is offered', async () => {
    const customer = await shop.aCustomer({ balance: dinars(20) })
    const visitor = await loggedIn(shop.url, customer, { locale, viewport })
    const modal = await buyNow(visitor.page, locale, (await aDocument(shop, locale, 15)).id)
    await named(modal, locale, 'modal.payWallet').waitFor()
    await expect.poll(() => modal.locator('.dialog__foot').getByRole('button').count()).toBe(2)
    await expect.poll(() => modal.getByRole('link').count()).toBe(0)
  })

  test('large, and not enough: paid by card at the gateway, without the wallet', async () => {
    const customer = await shop.aCustomer({ balance: dinars(2) })
    const document = await aDocument(shop, locale, 12)
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    const modal = await buyNow(page, locale, document.id)
    await modal.getByText(uiText(locale, 'purchase:modal.choice')).waitFor()
    // Each sentence is a paragraph of its own: the first one ends without a stop in English.
    const amount = priceText(locale, dinars(10))
    for (const sentence of [
      uiText(locale, 'purchase:modal.insufficient'),
      fillText(uiText(locale, 'purchase:modal.missing'), { amount }),
    ])
      await modal.getByText(sentence, { exact: true }).waitFor()
    await link(modal, locale, 'purchase:modal.topUp').waitFor()
    const payRequest = page.waitForRequest('**/api/wallet/direct-pay')
    await modal.locator('.dialog__foot .button--primary').click()
    const body = (await payRequest).postDataJSON()
    expect(body).toMatchObject({ amount: 12, paymentMethod: 'card', documentIds: [document.id] })
    await page.waitForURL(/\/payment\/sandbox\//)
    expect(await owned(customer)).toEqual([])
    await page.locator('button[value="pay"]').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/my-documents'))
    await page.locator('[data-purchased]').first().waitFor()
    expect(await owned(customer)).toEqual([document.id])
    expect(await shop.balanceOf(customer)).toBe(dinars(2))
  })

  test('free: granted with an empty wallet', async () => {
    const customer = await shop.aCustomer()
    const document = await aDocument(shop, locale, 0)
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await named(page.locator('main .buy'), locale, 'buy').click()
    await named(modalOf(page, locale), locale, 'modal.getFree').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/my-documents'))
    expect(await owned(customer)).toEqual([document.id])
  })

  test('follows the balance: a top-up elsewhere counts at once', async () => {
    const customer = await shop.aCustomer({ balance: dinars(30) })
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    await page.evaluate(() => localStorage.setItem('wallet_balance', '1'))
    const modal = await buyNow(page, locale, (await aDocument(shop, locale, 14)).id)
    await named(modal, locale, 'modal.payWallet').waitFor()
  })

  test('logged out: the prompt, whose Continue adds it to the cart', async () => {
    const document = await aDocument(shop, locale, 5)
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await named(page.locator('main .buy'), locale, 'buy').click()
    await goOnAnonymously(page, locale)
    await expect.poll(() => count(page).textContent()).toBe('1')
  })

  test('in the shop, the first document added to the cart can be bought at once', async () => {
    const customer = await shop.aCustomer({ balance: dinars(1) })
    const document = await shop.aDocument({ title: `First ${locale} unicum`, price: dinars(11) })
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    await page.goto(`${pathIn(locale, '/shop')}?search=First+${locale}+unicum`)
    await add(page).click()
    const intro = page.getByRole('dialog', {
      name: uiText(locale, 'cart:overlays.walletIntro.title'),
    })
    await intro.getByText(uiText(locale, 'purchase:modal.choice')).waitFor()
    const payRequest = page.waitForRequest('**/api/wallet/direct-pay')
    await intro.locator('.dialog__foot .button--primary').click()
    expect((await payRequest).postDataJSON()).toMatchObject({
      paymentMethod: 'direct',
      documentIds: [document.id],
    })
    await page.waitForURL(/\/payment\/sandbox\//)
  })
})

test('by keyboard alone: opened, focus trapped, paid', async () => {
  const customer = await shop.aCustomer({ balance: dinars(9) })
  const document = await shop.aDocument({ title: 'Modal keys', price: dinars(4) })
  const { page } = await loggedIn(shop.url, customer, { locale: 'fr', viewport: DESKTOP })
  await page.goto(`/fr/shop-details/${document.id}`)
  await named(page.locator('main .buy'), 'fr', 'buy').focus()
  await page.keyboard.press('Enter')
  const modal = modalOf(page, 'fr')
  const pay = named(modal, 'fr', 'modal.payWallet')
  await pay.waitFor()
  await expectFocusTrapped(page, modal)
  await pay.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/fr\/my-documents$/)
  expect(await shop.balanceOf(customer)).toBe(dinars(5))
})
