import { describe, expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn } from '../../support/browser.ts'
import { hasFocus } from '../../support/keyboard.ts'
import { aDocument, buyNow, named } from '../../support/purchase-modal.ts'
import { PERSONAS, sharedShop, testOnceAcrossLocales } from '../../support/stage.ts'
import { refuse } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

describe.each(PERSONAS)('buying one document $who', ({ locale, viewport }) => {
  const testOnce = testOnceAcrossLocales(locale)

  testOnce(
    'the close button, Escape and the backdrop all close it, and restore the focus',
    async () => {
      const customer = await shop.aCustomer({ balance: dinars(30) })
      const { page } = await loggedIn(shop.url, customer, { locale, viewport })
      const modal = await buyNow(page, locale, (await aDocument(shop, locale, 6)).id)
      const opener = named(page.locator('main .buy'), locale, 'buy')
      const closings = [
        () => modal.getByRole('button', { name: uiText(locale, 'cart:dialog.close') }).click(),
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
    },
  )

  testOnce('a lost response: on retry, it is charged once', async () => {
    const customer = await shop.aCustomer({ balance: dinars(10) })
    const document = await aDocument(shop, locale, 3)
    const { page } = await loggedIn(shop.url, customer, {
      locale,
      viewport,
      allowed: [/ERR_FAILED/],
    })
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

  testOnce('a direct payment that cannot be started is reported', async () => {
    const customer = await shop.aCustomer()
    const { page } = await loggedIn(shop.url, customer, {
      locale,
      viewport,
      allowed: [/status of 503/],
    })
    await refuse(page, '**/api/wallet/direct-pay', 503, 'gateway_unavailable')
    const modal = await buyNow(page, locale, (await aDocument(shop, locale, 16)).id)
    await modal.locator('.dialog__foot .button--primary').click()
    const problem = page.getByRole('dialog', {
      name: uiText(locale, 'purchase:modal.problem.title'),
    })
    await problem.getByText(uiText(locale, 'purchase:modal.problem.payment_failed')).waitFor()
    await problem.locator('.dialog__foot .button').last().click()
    await problem.waitFor({ state: 'detached' })
  })

  testOnce('a wallet that was emptied meanwhile is reported', async () => {
    const customer = await shop.aCustomer({ balance: dinars(5) })
    const document = await aDocument(shop, locale, 3.5)
    const { page } = await loggedIn(shop.url, customer, {
      locale,
      viewport,
      allowed: [/status of 409/],
    })
    const modal = await buyNow(page, locale, document.id)
    await shop.buys(customer, [(await aDocument(shop, locale, 3)).id])
    await named(modal, locale, 'modal.payWallet').click()
    await page.getByText(uiText(locale, 'purchase:modal.problem.insufficient')).waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(2))
  })
})
