import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn, newVisitor } from '../../support/browser.ts'
import { add, count, prompt, toast } from '../../support/cart-buttons.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { closeWalletIntro, confirmOrder, logIn, logOut } from '../../support/steps.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('shopping', (person, test) => {
  const { locale } = person
  test('a document is added once, the toast says so and disappears after 5 seconds', async () => {
    const document = await shop.aDocument({
      title: 'Toast',
      price: dinars(7),
      priceDiscount: dinars(5.5),
    })
    const { page } = await loggedIn(shop.url, await shop.aCustomer(), person)
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await add(page).click()
    await closeWalletIntro(page, locale)
    await page.goto(pathIn(locale, '/checkout'))
    await button(page, locale, 'checkout:items.remove').click()
    await page.getByText(uiText(locale, 'checkout:empty.title')).waitFor()

    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    const startedAt = Date.now()
    await add(page).click()
    await toast(page).waitFor()
    await expect
      .poll(() => toast(page).textContent())
      .toContain(uiText(locale, 'cart:overlays.added'))
    await expect.poll(() => toast(page).textContent()).toContain(locale === 'fr' ? '5,50' : '5.50')
    // The explanation is shown only once in this browser.
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => count(page).textContent()).toBe('1')
    await toast(page).waitFor({ state: 'detached' })
    expect(Date.now() - startedAt).toBeGreaterThan(4500)

    // The button leads to the cart now: the document is not added twice.
    await add(page).click()
    await page.waitForURL(/\/checkout$/)
    await expect.poll(() => page.locator('.line-items > li').count()).toBe(1)
  })

  test('the anonymous prompt leads to the log-in and back', async () => {
    const document = await shop.aDocument({ title: 'Prompt' })
    const { page } = await newVisitor(shop.url, person)
    const here = pathIn(locale, `/shop-details/${document.id}`)
    await page.goto(here)
    await add(page).click()
    await prompt(page, locale).getByRole('link').click()
    await page.waitForURL(/\/login\?/)
    const customer = await shop.aCustomer()
    await logIn(page, locale, customer.email)
    await page.waitForURL((url) => url.pathname === here)
  })

  test('an account is created, with an error beside each invalid field', async () => {
    const { page } = await newVisitor(shop.url, { ...person, allowed: [/status of 40[19]/] })
    const label = (name: KeyIn<'account:register'>) =>
      page.getByLabel(uiText(locale, `account:register.${name}`), { exact: true })
    const email = `new-${locale}@karras.test`
    await page.goto(pathIn(locale, '/register'))
    const submit = button(page, locale, 'account:register.submit')
    await submit.click()
    await expect
      .poll(() => page.getByText(uiText(locale, 'account:register.errors.required')).count())
      .toBeGreaterThanOrEqual(7)
    await label('username').fill('amal')
    await label('firstName').fill('آمال')
    await label('lastName').fill('بن صالح')
    await label('phone').fill('12')
    await label('female').check()
    await label('email').fill('nowhere')
    await label('password').fill('12345')
    await label('confirmPassword').fill('123456')
    await page.getByText(uiText(locale, 'password:strength.short')).waitFor()
    await submit.click()
    for (const problem of ['phone', 'email', 'minLength', 'mismatch'] as const) {
      await page
        .getByText(uiText(locale, `account:register.errors.${problem}`))
        .first()
        .waitFor()
    }
    await label('phone').fill(locale === 'ar' ? '٥٥ ١٢٣ ٤٥٦' : '+216 55 123 457')
    await label('email').fill(email)
    await label('password').fill('secret-1')
    await label('confirmPassword').fill('secret-1')
    await submit.click()
    await page.waitForURL(/\/login/)
    await page.getByText(uiText(locale, 'account:login.registered')).waitFor()
    const username = page.getByLabel(uiText(locale, 'account:login.username'))
    await expect.poll(() => username.inputValue()).toBe(email)
    expect(page.url()).not.toContain(encodeURIComponent(email))
    expect(page.url()).not.toContain(email)
    await logIn(page, locale, email, 'wrong-1')
    await page.getByText(uiText(locale, 'errors:codes.wrong_credentials')).waitFor()
    await page
      .getByLabel(uiText(locale, 'account:login.password'), { exact: true })
      .fill('secret-1')
    await button(page, locale, 'account:login.submit').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/'))
    await expect.poll(() => page.locator('html').getAttribute('data-session')).toBe('in')
  })

  test('logging out clears everything and leads home, in every tab', async () => {
    const document = await shop.aDocument({ title: 'Tabs' })
    const customer = await shop.aCustomer({ balance: dinars(3) })
    const visitor = await loggedIn(shop.url, customer, person)
    const { page } = visitor
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    const other = await visitor.context.newPage()
    await other.goto(pathIn(locale, '/'))
    // A call on its way would be refused, and the console would say so.
    const isCart = (url: string) => url.endsWith(`/api/carts/user/${customer.id}`)
    const read = page.waitForResponse((answer) => isCart(answer.url()))
    await add(page).click()
    await closeWalletIntro(page, locale)
    await expect.poll(() => count(other).textContent()).toBe('1')
    await read
    await logOut(page, locale)
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/'))
    for (const tab of [page, other]) {
      await expect.poll(() => tab.locator('html').getAttribute('data-session')).toBe('out')
      await expect.poll(() => count(tab).count()).toBe(0)
    }
    // The token itself is revoked.
    await expect
      .poll(async () => {
        const headers = { authorization: `Bearer ${customer.token}` }
        return (await fetch(`${shop.url}/api/carts/user/${customer.id}`, { headers })).status
      })
      .toBe(401)
  })

  test('a payment whose response was lost is not charged again', async () => {
    const document = await shop.aDocument({ title: `Lost ${locale}`, price: dinars(4) })
    const customer = await shop.aCustomer({ balance: dinars(10) })
    const { page } = await loggedIn(shop.url, customer, {
      ...person,
      allowed: [/ERR_|Failed to load/],
    })
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await add(page).click()
    await closeWalletIntro(page, locale)
    let paid = 0
    await page.route('**/api/wallet/orders/create-and-pay', async (route) => {
      paid++
      if (paid > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.goto(pathIn(locale, '/checkout'))
    await page.getByRole('radio', { name: uiText(locale, 'common:methods.wallet') }).check()
    await page.locator('#payment button.button--primary').click()
    await confirmOrder(page, locale)
    await page.getByText(uiText(locale, 'checkout:result.safe')).waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(6))
    // Retries from a freshly loaded page, as people do.
    await page.reload()
    await page.waitForURL(/\/my-documents$/)
    await page.getByText(document.title).first().waitFor()
    expect(await shop.balanceOf(customer)).toBe(dinars(6))
  })
})
