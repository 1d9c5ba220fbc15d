import type { Locator, Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { DESKTOP, loggedIn, PHONE, visitor } from '../support/browser.ts'
import { PASSWORD, type Person } from '../support/people.ts'
import { inTurn, PEOPLE, sharedShop } from '../support/stage.ts'
import { said } from '../support/texts.ts'

const shop = sharedShop()

const chargeButton = (page: Page) => page.locator('.charge-panel button[type="submit"]')
const custom = (page: Page, locale: Locale) =>
  page.getByLabel(said(locale, 'charging:page.amount.custom'))
const preset = (page: Page, amount: number) =>
  page.locator(`input[name="amount"][value="${amount}"]`)

async function openCharging(page: Page, locale: Locale, query = ''): Promise<void> {
  await page.goto(pathIn(locale, '/charging') + query)
  await expect.poll(() => chargeButton(page).isEnabled()).toBe(true)
  await page.locator('.balance .price').waitFor()
}

/** The payments that were started for somebody, in millimes. */
async function started(person: Person): Promise<number[]> {
  const rows = await shop.database.kysely
    .selectFrom('payments')
    .select('amount')
    .where('userId', '=', person.id)
    .orderBy('createdAt')
    .execute()
  return rows.map(({ amount }) => Number(amount))
}

describe.each(PEOPLE)('charging $who', ({ locale, viewport }) => {
  const turn = inTurn(locale)
  test('tops up 20 dinars at the gateway and comes back to the page that asked for it', async () => {
    const customer = await shop.aCustomer({ balance: dinars(3) })
    const document = await shop.aDocument({ title: `Charged ${locale}`, price: dinars(18) })
    const someone = await loggedIn(shop.url, customer, { locale, viewport })
    const { page } = someone
    const details = pathIn(locale, `/shop-details/${document.id}`)
    const query = new URLSearchParams({ returnTo: details, documentPrice: '18' })
    await openCharging(page, locale, `?${query}`)

    // The smallest preset that covers the 15 dinars that are missing.
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
    await page
      .locator('main .buy')
      .getByRole('button', { name: said(locale, 'purchase:buy') })
      .click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: said(locale, 'purchase:modal.payWallet') })
      .waitFor()
    await expect
      .poll(() => page.locator('[data-balance]').textContent())
      .toBe(locale === 'ar' ? '23.00' : '23,00')
    await someone.leave()
  })

  turn('a payment that is refused there moves nothing, and comes back to the shop', async () => {
    const customer = await shop.aCustomer({ balance: dinars(3) })
    const someone = await loggedIn(shop.url, customer, { locale, viewport })
    const { page } = someone
    await openCharging(page, locale)
    await chargeButton(page).click()
    await page.waitForURL(/\/payment\/sandbox\//)
    await page.locator('button[value="refuse"]').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/shop'))
    expect(await shop.balanceOf(customer)).toBe(dinars(3))
    await someone.leave()
  })

  turn('raises what is below the minimum, and never charges what was not seen', async () => {
    const customer = await shop.aCustomer()
    const someone = await loggedIn(shop.url, customer, { locale, viewport })
    const { page } = someone
    await openCharging(page, locale)
    await custom(page, locale).fill('5')
    await chargeButton(page).click()
    const raised = page.getByText(said(locale, 'charging:page.amount.raised'), { exact: true })
    await raised.waitFor()
    await expect.poll(() => custom(page, locale).inputValue()).toBe('10')
    expect(await started(customer)).toEqual([])

    await custom(page, locale).fill('7')
    await expect.poll(() => raised.count()).toBe(0)
    await custom(page, locale).press('Tab')
    await raised.waitFor()
    await expect.poll(() => custom(page, locale).inputValue()).toBe('10')

    await custom(page, locale).fill('2000,01')
    await custom(page, locale).press('Enter')
    await page.getByText(said(locale, 'charging:page.amount.above_maximum')).waitFor()
    await expect.poll(() => custom(page, locale).getAttribute('aria-invalid')).toBe('true')
    expect(await started(customer)).toEqual([])
    await someone.leave()
  })

  turn('takes Arabic digits and a comma', async () => {
    const customer = await shop.aCustomer()
    const someone = await loggedIn(shop.url, customer, { locale, viewport })
    const { page } = someone
    await openCharging(page, locale)
    await custom(page, locale).fill('٢٥,٥')
    await expect.poll(() => preset(page, 10_000).isChecked()).toBe(false)
    await custom(page, locale).press('Enter')
    await page.waitForURL(/\/payment\/sandbox\//)
    expect(await started(customer)).toEqual([dinars(25.5)])
    await someone.leave()
  })

  turn('a balance that does not come is 0, and comes when asked for again', async () => {
    const customer = await shop.aCustomer({ balance: dinars(8) })
    const someone = await loggedIn(shop.url, customer, {
      locale,
      viewport,
      allowed: [/ERR_FAILED/],
    })
    const { page } = someone
    await page.route('**/api/wallet/balance?*', (route) => route.abort())
    await openCharging(page, locale)
    await page.getByText(said(locale, 'charging:page.balance.failed')).waitFor()
    const amount = page.locator('.balance .price [dir="ltr"]')
    await expect.poll(() => amount.textContent()).toMatch(/^0[.,]00$/)
    await page.unroute('**/api/wallet/balance?*')
    await page.getByRole('button', { name: said(locale, 'charging:page.balance.refresh') }).click()
    await expect.poll(() => amount.textContent()).toMatch(/^8[.,]00$/)
    await someone.leave()
  })

  turn('an answer that was lost: over a reload, one top-up is started', async () => {
    const customer = await shop.aCustomer()
    const someone = await loggedIn(shop.url, customer, {
      locale,
      viewport,
      allowed: [/ERR_FAILED/],
    })
    const { page } = someone
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
    await page.getByText(said(locale, 'charging:page.safe')).waitFor()
    await expect.poll(() => chargeButton(page).getAttribute('aria-busy')).toBe('false')

    await openCharging(page, locale)
    await preset(page, 50_000).check({ force: true })
    await chargeButton(page).click()
    await page.waitForURL(/\/payment\/sandbox\//)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
    expect(await started(customer)).toEqual([dinars(50)])
    await someone.leave()
  })

  turn('while the answer is slow the button turns, and one click is one top-up', async () => {
    const customer = await shop.aCustomer()
    const someone = await loggedIn(shop.url, customer, { locale, viewport })
    const { page } = someone
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/wallet/recharge/initiate', async (route) => {
      await held
      await route.continue()
    })
    await openCharging(page, locale)
    await chargeButton(page).dblclick()
    await expect.poll(() => chargeButton(page).getAttribute('aria-busy')).toBe('true')
    answer()
    await page.waitForURL(/\/payment\/sandbox\//)
    expect(await started(customer)).toEqual([dinars(10)])

    // Back by the browser's own button, the page can be used again.
    await page.goBack()
    await expect.poll(() => chargeButton(page).isEnabled()).toBe(true)
    await expect.poll(() => chargeButton(page).getAttribute('aria-busy')).toBe('false')
    await someone.leave()
  })

  const elsewhere = [
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    'javascript:alert(1)',
  ]
  for (const returnTo of elsewhere) {
    turn(`comes back to the shop and not to ${returnTo}`, async () => {
      const someone = await loggedIn(shop.url, await shop.aCustomer(), { locale, viewport })
      const { page } = someone
      await openCharging(page, locale, `?${new URLSearchParams({ returnTo })}`)
      const back = page
        .locator('main')
        .getByRole('link', { name: said(locale, 'charging:page.back') })
      await expect.poll(() => back.getAttribute('href')).toBe(pathIn(locale, '/shop'))
      await chargeButton(page).click()
      await page.waitForURL(/\/payment\/sandbox\//)
      await page.locator('button[value="refuse"]').click()
      await page.waitForURL((url) => url.pathname === pathIn(locale, '/shop'))
      await someone.leave()
    })
  }

  turn('who is logged out logs in and comes back to what was asked for', async () => {
    const customer = await shop.aCustomer()
    const someone = await visitor(shop.url, { locale, viewport })
    const { page } = someone
    await page.goto(`${pathIn(locale, '/charging')}?returnTo=%2Fcheckout&documentPrice=45`)
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/login'))
    await page.getByLabel(said(locale, 'account:login.username')).fill(customer.email)
    await page.getByLabel(said(locale, 'account:login.password'), { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: said(locale, 'account:login.submit') }).click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/charging'))
    await expect.poll(() => preset(page, 50_000).isChecked()).toBe(true)
    await someone.leave()
  })

  turn('the history tells what moved, with the documents, and older ones in pages', async () => {
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
    const someone = await loggedIn(shop.url, customer, { locale, viewport })
    const { page } = someone
    await openCharging(page, locale)
    const rows = page.locator('.history tbody tr')
    await expect.poll(() => rows.count()).toBe(10)
    await expect.poll(() => rows.first().innerText()).toContain(titles[10])
    await expect.poll(() => rows.first().locator('.price--out').innerText()).toMatch(/^−2[.,]00/)
    await page.getByRole('button', { name: said(locale, 'charging:page.history.older') }).click()
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(12)
    await expect.poll(() => rows.last().locator('.price--in').innerText()).toMatch(/^\+60[.,]00/)
    await someone.leave()
  })
})

describe('by keyboard alone', () => {
  const hasFocus = (target: Locator) =>
    target.evaluate((element) => element.ownerDocument.activeElement === element)

  test.each(['ar', 'fr'] as const)('an amount is chosen and charged (%s)', async (locale) => {
    const customer = await shop.aCustomer()
    const someone = await loggedIn(shop.url, customer, { locale, viewport: DESKTOP })
    const { page } = someone
    await openCharging(page, locale)
    const tabTo = async (target: Locator) => {
      for (let stop = 0; stop < 60; stop++) {
        await page.keyboard.press('Tab')
        if (await hasFocus(target)) return
      }
      throw new Error(`Tab does not reach ${target}`)
    }
    await tabTo(preset(page, 10_000))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => preset(page, 50_000).isChecked()).toBe(true)
    const face = page.locator(':focus-visible + .top-up-ticket__face')
    await expect
      .poll(() => face.evaluate((ticket) => getComputedStyle(ticket).outlineWidth))
      .toBe('3px')
    await tabTo(custom(page, locale))
    await page.keyboard.press('Tab')
    await expect.poll(() => preset(page, 50_000).isChecked()).toBe(true)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.locator('input[value="d17"]').isChecked()).toBe(true)
    await page.keyboard.press('ArrowUp')
    await tabTo(chargeButton(page))
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/payment\/sandbox\//)
    expect(await started(customer)).toEqual([dinars(50)])
    await someone.leave()
  })
})

test('D17 leads to the page that says where to send the amount', async () => {
  const customer = await shop.aCustomer()
  const someone = await loggedIn(shop.url, customer, { locale: 'ar', viewport: PHONE })
  const { page } = someone
  await openCharging(page, 'ar')
  await page.locator('input[value="d17"]').check()
  await chargeButton(page).click()
  await page.waitForURL(/\/payment\/transfer\//)
  expect(await shop.balanceOf(customer)).toBe(0)
  await someone.leave()
})

test('the wallet’s ticket in the header leads to the page', async () => {
  const customer = await shop.aCustomer({ balance: dinars(4) })
  const someone = await loggedIn(shop.url, customer, { locale: 'fr', viewport: PHONE })
  const { page } = someone
  await openCharging(page, 'fr')
  await page.goto('/fr')
  await page.locator('.header .ticket').click()
  await page.waitForURL(/\/fr\/charging$/)
  await someone.leave()
})
