// @everyday: a customer charges the wallet.

import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn, newVisitor } from '../../support/browser.ts'
import { chargeButton, custom, openCharging, preset, started } from '../../support/charging.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { logIn } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('charging', ({ locale, viewport }, test) => {
  test('draws the proposed amount before any script has come', async () => {
    const customer = await shop.aCustomer({ balance: dinars(3) })
    const allowed = [/ERR_FAILED/, /Failed to fetch/, /Failed to load/]
    const { page } = await loggedIn(shop.url, customer, { locale, viewport, allowed })
    await page.evaluate(() => localStorage.setItem('wallet_balance', '3'))
    await page.route(/\.js$/, (route) => route.abort())
    await page.goto(`${pathIn(locale, '/charging')}?documentPrice=45`)
    expect(await preset(page, 50_000).isChecked()).toBe(true)
    await page.goto(`${pathIn(locale, '/charging')}?documentPrice=320`)
    expect(await custom(page, locale).inputValue()).toBe('317')
    // React takes it over as it is.
    await page.unroute(/\.js$/)
    await openCharging(page, locale, '?documentPrice=45')
    expect(await preset(page, 50_000).isChecked()).toBe(true)
    expect(await page.locator('.charge-panel__summary').innerText()).toContain('50')
  })

  test('tops up 20 dinars at the gateway and returns to the page that asked for it', async () => {
    const customer = await shop.aCustomer({ balance: dinars(3) })
    const document = await shop.aDocument({ title: `Charged ${locale}`, price: dinars(18) })
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    const details = pathIn(locale, `/shop-details/${document.id}`)
    const query = new URLSearchParams({ returnTo: details, documentPrice: '18' })
    await openCharging(page, locale, `?${query}`)

    // The smallest preset that covers the missing 15 dinars.
    await expect.poll(() => preset(page, 20_000).isChecked()).toBe(true)
    const summary = await page.locator('.charge-panel__summary').innerText()
    expect(summary).toContain(locale === 'ar' ? '20.00' : '20,00')
    expect(summary).toContain(locale === 'ar' ? '23.00' : '23,00')
    await chargeButton(page).click()
    await page.waitForURL(/\/payment\/sandbox\//)
    expect(await shop.balanceOf(customer)).toBe(dinars(3))
    await page.locator('button[value="pay"]').click()

    await page.waitForURL((url) => url.pathname === details && url.searchParams.has('payment'))
    await expect.poll(() => shop.balanceOf(customer)).toBe(dinars(23))
    await button(page.locator('main .buy'), locale, 'purchase:buy').click()
    await button(page.getByRole('dialog'), locale, 'purchase:modal.payWallet').waitFor()
    await expect
      .poll(() => page.locator('visitor-text[of=balance]').textContent())
      .toBe(locale === 'ar' ? '23.00' : '23,00')
  })

  test('raises an amount below the minimum, and never charges an amount that was not shown', async () => {
    const customer = await shop.aCustomer()
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    await openCharging(page, locale)
    await custom(page, locale).fill('5')
    await chargeButton(page).click()
    const raised = page.getByText(uiText(locale, 'charging:page.amount.raised'), { exact: true })
    await raised.waitFor()
    await expect.poll(() => custom(page, locale).inputValue()).toBe('10')
    expect(await started(shop, customer)).toEqual([])

    await custom(page, locale).fill('7')
    await expect.poll(() => raised.count()).toBe(0)
    await custom(page, locale).press('Tab')
    await raised.waitFor()
    await expect.poll(() => custom(page, locale).inputValue()).toBe('10')

    await custom(page, locale).fill('2000,01')
    await custom(page, locale).press('Enter')
    await page.getByText(uiText(locale, 'charging:page.amount.above_maximum')).waitFor()
    await expect.poll(() => custom(page, locale).getAttribute('aria-invalid')).toBe('true')
    expect(await started(shop, customer)).toEqual([])
  })

  test('accepts Arabic digits and a decimal comma', async () => {
    const customer = await shop.aCustomer()
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    await openCharging(page, locale)
    await custom(page, locale).fill('٢٥,٥')
    await expect.poll(() => preset(page, 10_000).isChecked()).toBe(false)
    await custom(page, locale).press('Enter')
    await page.waitForURL(/\/payment\/sandbox\//)
    expect(await started(shop, customer)).toEqual([dinars(25.5)])
  })

  test('logs a logged-out visitor in and returns to the requested page', async () => {
    const customer = await shop.aCustomer()
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await page.goto(`${pathIn(locale, '/charging')}?returnTo=%2Fcheckout&documentPrice=45`)
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/login'))
    await logIn(page, locale, customer.email)
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/charging'))
    await expect.poll(() => preset(page, 50_000).isChecked()).toBe(true)
  })

  test('the history shows movements with their documents, and loads older ones in pages', async () => {
    const customer = await shop.aCustomer({ balance: dinars(60) })
    const titles: string[] = []
    for (let at = 0; at < 11; at++) {
      const { id, title } = await shop.aDocument({
        title: `Moved ${locale} ${at}`,
        price: dinars(2),
      })
      titles.push(title)
      await shop.buys(customer, [id])
    }
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    await openCharging(page, locale)
    const rows = page.locator('.history tbody tr')
    await expect.poll(() => rows.count()).toBe(10)
    await expect.poll(() => rows.first().innerText()).toContain(titles[10])
    await expect.poll(() => rows.first().locator('.price--out').innerText()).toMatch(/^−2[.,]00/)
    await button(page, locale, 'charging:page.history.older').click()
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(12)
    await expect.poll(() => rows.last().locator('.price--in').innerText()).toMatch(/^\+60[.,]00/)
  })
})
