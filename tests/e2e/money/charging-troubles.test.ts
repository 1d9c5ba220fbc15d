import { expect, test } from 'vitest'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn } from '../../support/browser.ts'
import { chargeButton, custom, openCharging, preset, started } from '../../support/charging.ts'
import { tabTo } from '../../support/keyboard.ts'
import { button } from '../../support/scene-steps.ts'
import { FRENCH, journeys, sharedShop } from '../../support/stage.ts'
import { hold } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('charging', (person, test) => {
  const { locale } = person

  test('a balance that cannot be loaded is 0, and is loaded on retry', async () => {
    const customer = await shop.aCustomer({ balance: dinars(8) })
    const { page } = await loggedIn(shop.url, customer, { ...person, allowed: [/ERR_FAILED/] })
    await page.route('**/api/wallet/balance?*', (route) => route.abort())
    await openCharging(page, locale)
    await page.getByText(uiText(locale, 'charging:page.balance.failed')).waitFor()
    const amount = page.locator('.balance .price [dir="ltr"]')
    await expect.poll(() => amount.textContent()).toMatch(/^0[.,]00$/)
    await page.unroute('**/api/wallet/balance?*')
    await button(page, locale, 'charging:page.balance.refresh').click()
    await expect.poll(() => amount.textContent()).toMatch(/^8[.,]00$/)
  })

  test('a lost response: across a reload, only one top-up is started', async () => {
    const customer = await shop.aCustomer()
    const { page } = await loggedIn(shop.url, customer, { ...person, allowed: [/ERR_FAILED/] })
    const keys: (string | undefined)[] = []
    await page.route('**/api/wallet/recharge/initiate', async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await openCharging(page, locale)
    await preset(page, 50_000).check({ force: true })
    await chargeButton(page).click()
    await page.getByText(uiText(locale, 'charging:page.safe')).waitFor()
    await expect.poll(() => chargeButton(page).getAttribute('aria-busy')).toBe('false')

    await openCharging(page, locale)
    await preset(page, 50_000).check({ force: true })
    await chargeButton(page).click()
    await page.waitForURL(/\/payment\/sandbox\//)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
    expect(await started(shop, customer)).toEqual([dinars(50)])
  })

  test('during a slow response the button shows a spinner, and one click is one top-up', async () => {
    const customer = await shop.aCustomer()
    const { page } = await loggedIn(shop.url, customer, person)
    const answer = await hold(page, '**/api/wallet/recharge/initiate')
    await openCharging(page, locale)
    await chargeButton(page).dblclick()
    await expect.poll(() => chargeButton(page).getAttribute('aria-busy')).toBe('true')
    answer()
    await page.waitForURL(/\/payment\/sandbox\//)
    expect(await started(shop, customer)).toEqual([dinars(10)])

    // After the browser's back button, the page can be used again.
    await page.goBack()
    await expect.poll(() => chargeButton(page).isEnabled()).toBe(true)
    await expect.poll(() => chargeButton(page).getAttribute('aria-busy')).toBe('false')
  })
})

test('an amount is selected and charged by keyboard alone', async () => {
  const customer = await shop.aCustomer()
  const { page } = await loggedIn(shop.url, customer, FRENCH)
  await openCharging(page, 'fr')
  await tabTo(page, preset(page, 10_000))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => preset(page, 50_000).isChecked()).toBe(true)
  const face = page.locator(':focus-visible + .top-up-ticket__face')
  await expect
    .poll(() => face.evaluate((ticket) => getComputedStyle(ticket).outlineWidth))
    .toBe('3px')
  await tabTo(page, custom(page, 'fr'))
  await page.keyboard.press('Tab')
  await expect.poll(() => preset(page, 50_000).isChecked()).toBe(true)
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.locator('input[value="d17"]').isChecked()).toBe(true)
  await page.keyboard.press('ArrowUp')
  await tabTo(page, chargeButton(page))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/payment\/sandbox\//)
  expect(await started(shop, customer)).toEqual([dinars(50)])
})
