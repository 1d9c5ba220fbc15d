import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn } from '../../support/browser.ts'
import { hasFocus } from '../../support/keyboard.ts'
import { aDocument, buyNow, modalOf, named } from '../../support/purchase-modal.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { refuse } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('buying one document', (person, test) => {
  const { locale, viewport } = person

  test('the close button, Escape and the backdrop all close it, and restore the focus', async () => {
    const customer = await shop.aCustomer({ balance: dinars(30) })
    const { page } = await loggedIn(shop.url, customer, person)
    const modal = await buyNow(page, locale, (await aDocument(shop, locale, 6)).id)
    const opener = named(page.locator('main .buy'), locale, 'buy')
    const closings = [
      () => button(modal, locale, 'cart:dialog.close').click(),
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(viewport.width / 2, 6),
      () => named(modal, locale, 'modal.continue').click(),
    ]
    for (const close of closings) {
      if ((await modal.count()) === 0) await opener.press('Enter')
      await modal.waitFor()
      await close()
      await modal.waitFor({ state: 'detached' })
      await expect.poll(() => hasFocus(opener)).toBe(true)
    }
    expect(await shop.balanceOf(customer)).toBe(dinars(30))
  })

  test('a lost response: on retry, it is charged once', async () => {
    const customer = await shop.aCustomer({ balance: dinars(10) })
    const document = await aDocument(shop, locale, 3)
    const { page } = await loggedIn(shop.url, customer, { ...person, allowed: [/ERR_FAILED/] })
    let attempts = 0
    await page.route('**/api/wallet/pay', async (route) => {
      attempts++
      if (attempts > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    const modal = await buyNow(page, locale, document.id)
    await named(modal, locale, 'modal.payWallet').click()
    const problem = page.getByRole('dialog', {
      name: uiText(locale, 'purchase:modal.problem.title'),
    })
    await problem.getByText(uiText(locale, 'purchase:modal.problem.safe')).waitFor()
    await named(problem, locale, 'modal.problem.retry').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/my-documents'))
    expect(attempts).toBe(2)
    expect(await shop.balanceOf(customer)).toBe(dinars(7))
  })

  test('a direct payment that is refused says why', async () => {
    const allowed = [/status of (401|404|503)/]
    const { page } = await loggedIn(shop.url, await shop.aCustomer(), { ...person, allowed })
    await buyNow(page, locale, (await aDocument(shop, locale, 16)).id)
    for (const [status, error, problem] of [
      [503, 'gateway_unavailable', 'payment_failed'],
      [404, 'document_not_found', 'invalid_product'],
      [401, 'invalid_token', 'not_logged_in'],
    ] as const) {
      await refuse(page, '**/api/wallet/direct-pay', status, error)
      const modal = modalOf(page, locale)
      if ((await modal.count()) === 0) await named(page.locator('main .buy'), locale, 'buy').click()
      await modal.locator('.dialog__foot .button--primary').click()
      const notice = page
        .getByRole('dialog')
        .getByText(uiText(locale, `purchase:modal.problem.${problem}`))
      await notice.waitFor()
      await page.keyboard.press('Escape')
      await notice.waitFor({ state: 'detached' })
      await page.unroute('**/api/wallet/direct-pay')
    }
  })

  test('a wallet that was emptied meanwhile is reported', async () => {
    const customer = await shop.aCustomer({ balance: dinars(5) })
    const document = await aDocument(shop, locale, 3.5)
    const { page } = await loggedIn(shop.url, customer, { ...person, allowed: [/status of 409/] })
    const modal = await buyNow(page, locale, document.id)
    await shop.buys(customer, [(await aDocument(shop, locale, 3)).id])
    await named(modal, locale, 'modal.payWallet').click()
    await page.getByText(uiText(locale, 'purchase:modal.problem.insufficient')).waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(2))
  })
})
