import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { pathIn } from '../../src/i18n/paths.ts'
import { dinars } from '../../src/rules/money.ts'
import { DESKTOP, loggedIn, visitor } from '../support/browser.ts'
import { downloadOfFirst, showTable } from '../support/library.ts'
import { PASSWORD } from '../support/people.ts'
import { inTurn, PEOPLE, sharedShop } from '../support/stage.ts'
import { type KeyIn, said } from '../support/texts.ts'

const shop = sharedShop()

const add = (page: Page) => page.locator('main .add-to-cart button:visible').first()
const count = (page: Page) => page.locator('[data-cart-count]:visible').first()

describe.each(PEOPLE)('shopping $who', ({ locale, viewport }) => {
  const turn = inTurn(locale)
  turn(
    'a document is added once, the toast says so and goes by itself after 5 seconds',
    async () => {
      const document = await shop.aDocument({
        title: 'Toast',
        price: dinars(7),
        priceDiscount: dinars(5.5),
      })
      const someone = await loggedIn(shop.url, await shop.aCustomer(), { locale, viewport })
      const { page } = someone
      await page.goto(pathIn(locale, `/shop-details/${document.id}`))
      await add(page).click()
      await page.getByRole('button', { name: said(locale, 'cart:overlays.walletIntro.ok') }).click()
      await page.goto(pathIn(locale, '/checkout'))
      await page.getByRole('button', { name: said(locale, 'checkout:items.remove') }).click()
      await page.getByText(said(locale, 'checkout:empty.title')).waitFor()

      await page.goto(pathIn(locale, `/shop-details/${document.id}`))
      const startedAt = Date.now()
      await add(page).click()
      const toast = page.locator('.toast:visible')
      await toast.waitFor()
      await expect.poll(() => toast.textContent()).toContain(said(locale, 'cart:overlays.added'))
      await expect.poll(() => toast.textContent()).toContain(locale === 'fr' ? '5,50' : '5.50')
      // The explanation is given once in a lifetime of this browser.
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
      await expect.poll(() => count(page).textContent()).toBe('1')
      await toast.waitFor({ state: 'detached' })
      expect(Date.now() - startedAt).toBeGreaterThan(4500)

      // The button leads to the cart now: the document is not added twice.
      await add(page).click()
      await page.waitForURL(/\/checkout$/)
      await expect.poll(() => page.locator('.line-items > li').count()).toBe(1)
      await someone.leave()
    },
  )

  turn(
    'the anonymous prompt leads to the log-in and back, or closes and adds nothing',
    async () => {
      const document = await shop.aDocument({ title: 'Prompt' })
      const someone = await visitor(shop.url, { locale, viewport })
      const { page } = someone
      const here = pathIn(locale, `/shop-details/${document.id}`)
      await page.goto(here)
      await add(page).click()
      const prompt = page.getByRole('dialog', {
        name: said(locale, 'cart:overlays.anonymous.title'),
      })
      await prompt.waitFor()
      await page.keyboard.press('Escape')
      await prompt.waitFor({ state: 'detached' })
      await expect.poll(() => count(page).count()).toBe(0)
      // The focus is back where it was.
      await expect
        .poll(() => add(page).evaluate((button) => button === window.document.activeElement))
        .toBe(true)
      await add(page).click()
      await prompt.getByRole('link').click()
      await page.waitForURL(/\/login\?/)
      const customer = await shop.aCustomer()
      await page.getByLabel(said(locale, 'account:login.username')).fill(customer.phone)
      await page.getByLabel(said(locale, 'account:login.password'), { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: said(locale, 'account:login.submit') }).click()
      await page.waitForURL((url) => url.pathname === here)
      await someone.leave()
    },
  )

  test('an account is opened, with an error beside each wrong field', async () => {
    const someone = await visitor(shop.url, { locale, viewport, allowed: [/status of 40[19]/] })
    const { page } = someone
    const label = (name: KeyIn<'account:register'>) =>
      page.getByLabel(said(locale, `account:register.${name}`), { exact: true })
    const email = `new-${locale}@karras.test`
    await page.goto(pathIn(locale, '/register'))
    const submit = page.getByRole('button', { name: said(locale, 'account:register.submit') })
    await submit.click()
    await expect
      .poll(() => page.getByText(said(locale, 'account:register.errors.required')).count())
      .toBeGreaterThanOrEqual(7)
    await label('username').fill('amal')
    await label('firstName').fill('آمال')
    await label('lastName').fill('بن صالح')
    await label('phone').fill('12')
    await label('female').check()
    await label('email').fill('nowhere')
    await label('password').fill('12345')
    await label('confirmPassword').fill('123456')
    await submit.click()
    for (const problem of ['phone', 'email', 'minLength', 'mismatch'] as const) {
      await page
        .getByText(said(locale, `account:register.errors.${problem}`))
        .first()
        .waitFor()
    }
    await label('phone').fill(locale === 'ar' ? '٥٥ ١٢٣ ٤٥٦' : '+216 55 123 457')
    await label('email').fill(email)
    await label('password').fill('secret-1')
    await label('confirmPassword').fill('secret-1')
    await submit.click()
    await page.waitForURL(/\/login/)
    await page.getByText(said(locale, 'account:login.registered')).waitFor()
    const username = page.getByLabel(said(locale, 'account:login.username'))
    await expect.poll(() => username.inputValue()).toBe(email)
    expect(page.url()).not.toContain(encodeURIComponent(email))
    expect(page.url()).not.toContain(email)
    await page.getByLabel(said(locale, 'account:login.username')).fill(email)
    await page.getByLabel(said(locale, 'account:login.password'), { exact: true }).fill('wrong-1')
    await page.getByRole('button', { name: said(locale, 'account:login.submit') }).click()
    await page.getByText(said(locale, 'errors:codes.wrong_credentials')).waitFor()
    await page.getByLabel(said(locale, 'account:login.password'), { exact: true }).fill('secret-1')
    await page.getByRole('button', { name: said(locale, 'account:login.submit') }).click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/'))
    await expect.poll(() => page.locator('html').getAttribute('data-session')).toBe('in')
    await someone.leave()
  })

  turn('logging out forgets everything and goes home, in every tab', async () => {
    const document = await shop.aDocument({ title: 'Tabs' })
    const customer = await shop.aCustomer({ balance: dinars(3) })
    const someone = await loggedIn(shop.url, customer, { locale, viewport })
    const { page } = someone
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    const other = await someone.context.newPage()
    await other.goto(pathIn(locale, '/'))
    await add(page).click()
    await page.getByRole('button', { name: said(locale, 'cart:overlays.walletIntro.ok') }).click()
    await expect.poll(() => count(other).textContent()).toBe('1')
    if (viewport.width < 768) {
      await page.getByRole('button', { name: said(locale, 'common:menu.open') }).click()
    }
    await page
      .getByRole('button', { name: said(locale, 'account:session.logout') })
      .first()
      .click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/'))
    for (const tab of [page, other]) {
      await expect.poll(() => tab.locator('html').getAttribute('data-session')).toBe('out')
      await expect.poll(() => count(tab).count()).toBe(0)
    }
    // The token itself is worth nothing any more.
    await expect
      .poll(async () => {
        const headers = { authorization: `Bearer ${customer.token}` }
        return (await fetch(`${shop.url}/api/carts/user/${customer.id}`, { headers })).status
      })
      .toBe(401)
    await someone.leave()
  })

  turn('a payment whose answer was lost is not charged again', async () => {
    const document = await shop.aDocument({ title: `Lost ${locale}`, price: dinars(4) })
    const customer = await shop.aCustomer({ balance: dinars(10) })
    const someone = await loggedIn(shop.url, customer, {
      locale,
      viewport,
      allowed: [/ERR_|Failed to load/],
    })
    const { page } = someone
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await add(page).click()
    await page.getByRole('button', { name: said(locale, 'cart:overlays.walletIntro.ok') }).click()
    let paid = 0
    await page.route('**/api/wallet/orders/create-and-pay', async (route) => {
      paid++
      if (paid > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.goto(pathIn(locale, '/checkout'))
    await page.getByRole('radio', { name: said(locale, 'checkout:payment.wallet') }).check()
    await page.locator('#payment button.button--primary').click()
    await page.getByRole('button', { name: said(locale, 'checkout:confirm.yes') }).click()
    await page.getByText(said(locale, 'checkout:result.safe')).waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(6))
    // Tries again from a fresh page, as people do.
    await page.reload()
    await page.waitForURL(/\/my-documents$/)
    await page.getByText(document.title).first().waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(6))
    await someone.leave()
  })

  turn('my documents says what went wrong and tries again', async () => {
    const document = await shop.aDocument({ title: `Retry ${locale}`, price: dinars(1) })
    const customer = await shop.aCustomer({ balance: dinars(1) })
    await shop.buys(customer, [document.id])
    const someone = await loggedIn(shop.url, customer, {
      locale,
      viewport,
      allowed: [/status of [45]/],
    })
    const { page } = someone
    let isBroken = true
    await page.route('**/api/purchaseddocuments/user/purchased', (route) =>
      isBroken
        ? route.fulfill({ status: 500, json: { status: 500, error: 'server_error', message: '' } })
        : route.continue(),
    )
    await page.goto(pathIn(locale, '/my-documents'))
    await page.getByText(said(locale, 'library:page.failed.title')).waitFor()
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toContain(said(locale, 'errors:codes.server_error'))
    isBroken = false
    await page.getByRole('button', { name: said(locale, 'library:page.failed.retry') }).click()
    await page.getByText(document.title).first().waitFor()
    await showTable(page, locale)
    for (const [status, problem] of [
      [403, 'download_forbidden'],
      [404, 'download_not_found'],
      [500, 'download_server_error'],
    ] as const) {
      await page.route('**/api/documents/download/**', (route) =>
        route.fulfill({ status, json: { status, error: 'x', message: '' } }),
      )
      await downloadOfFirst(page, locale).click()
      const sentence = said(locale, `library:reading.problems.${problem}`)
      await page.getByText(sentence).waitFor()
      await page.unroute('**/api/documents/download/**')
    }
    await someone.leave()
  })
})

test('my documents and the log-in send each other the visitor, and only within the shop', async () => {
  const customer = await shop.aCustomer()
  const someone = await visitor(shop.url, { viewport: DESKTOP })
  const { page } = someone
  await page.goto('/my-documents')
  await page.waitForURL(/\/login\?returnTo=%2Fmy-documents$/)
  for (const elsewhere of [
    '//evil.example',
    'https://evil.example',
    '/%5Cevil.example',
    '/\\evil',
  ]) {
    await page.goto(`/login?returnTo=${encodeURIComponent(elsewhere)}`)
    await page.getByLabel(said('ar', 'account:login.username')).fill(customer.email)
    await page.getByLabel(said('ar', 'account:login.password'), { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: said('ar', 'account:login.submit') }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/login'))
    expect(new URL(page.url()).origin).toBe(shop.url)
    expect(new URL(page.url()).pathname).toBe('/')
    await page.evaluate(() => localStorage.clear())
  }
  await someone.leave()
})

test('the header’s box opens under a mouse and shows the last three items', async () => {
  const someone = await visitor(shop.url, { viewport: DESKTOP })
  const { page } = someone
  await page.goto('/')
  await page.evaluate(() =>
    localStorage.setItem(
      'static_cart',
      JSON.stringify({
        items: [1, 2, 3, 4].map((id) => ({ documentId: id, title: `Titre ${id}`, price: id })),
      }),
    ),
  )
  await page.goto('/fr')
  await expect.poll(() => count(page).textContent()).toBe('4')
  await page.locator('.cart-link:visible').hover()
  const box = page.locator('.cart-box__panel')
  await box.waitFor()
  await expect.poll(() => box.locator('li').count()).toBe(3)
  await expect.poll(() => box.textContent()).toContain('4,00')
  await expect.poll(() => box.textContent()).not.toContain('Titre 1')
  await box.getByRole('link', { name: said('fr', 'cart:box.view') }).click()
  await page.waitForURL(/\/fr\/checkout$/)
  await someone.leave()
})

test('on a slow line the first tap is not lost', async () => {
  const someone = await visitor(shop.url)
  const { page, context } = someone
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: (400 * 1024) / 8,
    uploadThroughput: (400 * 1024) / 8,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto('/shop-details/2', { waitUntil: 'commit' })
  await add(page).waitFor()
  await add(page).click()
  await page.getByRole('dialog', { name: said('ar', 'cart:overlays.anonymous.title') }).waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
  await someone.leave()
})

test('a saved cart that is damaged is an empty cart, and the page works', async () => {
  const someone = await visitor(shop.url)
  const { page } = someone
  await page.goto('/login')
  await page.evaluate(() => {
    localStorage.setItem('static_cart', '{"items":[{"documentId":"x"},null')
    localStorage.setItem('token', 'not.a.token')
  })
  await page.goto('/checkout')
  await page.getByText(said('ar', 'checkout:empty.title')).waitFor()
  await expect.poll(() => page.locator('html').getAttribute('data-session')).toBe('out')
  await someone.leave()
})
