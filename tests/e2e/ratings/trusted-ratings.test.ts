import type { Page } from 'playwright'
import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn, newVisitor, untilHydrated, withoutCache } from '../../support/browser.ts'
import { hasFocus } from '../../support/keyboard.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { mailedLink, refuse } from '../../support/steps.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

const FOUR = { ar: '4 نجوم', fr: '4 étoiles' }

/** The link that was mailed to this address, once it has arrived. */
const linkTo = (email: string) => mailedLink(shop.dataDir, email, '/confirm-email')

journeys('trustworthy ratings', ({ locale, viewport }, test) => {
  const four = FOUR[locale]
  const own = (key: KeyIn<'own-rating'>) => uiText(locale, `own-rating:${key}`)
  const confirming = (key: KeyIn<'confirm-email:island'>) =>
    uiText(locale, `confirm-email:island.${key}`)
  const form = (page: Page) => page.locator('.rating-form')
  const rateFour = async (page: Page) => {
    await page.locator('.star-choice label', { hasText: four }).first().click()
    await page.getByRole('button', { name: uiText(locale, 'ratings:form.submit') }).click()
    await form(page).getByText(uiText(locale, 'ratings:form.messages.success')).waitFor()
  }
  const average = (page: Page) => page.locator('[data-average]').innerText()

  test('registration says that a link is on its way; the link’s page confirms by a button, also twice', async () => {
    const email = `newcomer-${locale}@karras.test`
    const { page } = await newVisitor(shop.url, { locale, viewport })
    const register = (key: KeyIn<'account:register'>) => uiText(locale, `account:register.${key}`)
    await page.goto(pathIn(locale, '/register'))
    await untilHydrated(page)
    for (const [name, value] of Object.entries({
      username: 'amal',
      firstName: 'Amal',
      lastName: 'Ben Salah',
      phone: locale === 'ar' ? '98111222' : '98111223',
      email,
      password: 'un mot de passe',
      confirmPassword: 'un mot de passe',
    })) {
      await page.locator(`[name=${name}]`).fill(value)
    }
    await page.getByLabel(register('female')).check()
    await page.getByRole('button', { name: register('submit') }).click()
    await page.getByText(uiText(locale, 'account:login.registered')).waitFor()

    const link = await linkTo(email)
    expect(link.pathname.endsWith('/confirm-email')).toBe(true)
    const requests: string[] = []
    await withoutCache(page)
    page.on('request', (request) => {
      requests.push(request.headers().referer ?? '')
      if (request.url().includes('/api/')) requests.push(request.url())
    })
    const path = pathIn(locale, '/confirm-email') + link.search
    const answer = await page.goto(path)
    // The stored page is sent: the token is never part of a rendered page.
    const html = (await answer?.text()) ?? ''
    expect(html.includes(link.searchParams.get('token') ?? '')).toBe(false)
    const button = page.getByRole('button', { name: confirming('submit') })
    await expect.poll(() => button.isEnabled()).toBe(true)
    expect(requests.join()).not.toContain('/api/auth')
    await button.click()
    await page.getByText(confirming('confirmed')).waitFor()
    await page.goto(path)
    await page.getByRole('button', { name: confirming('submit') }).click()
    await page.getByText(confirming('already')).waitFor()
    expect(requests.join()).not.toContain('token')
  })

  test('an unconfirmed rating is marked, the link can be sent again, and then it counts', async () => {
    const document = await shop.aDocument({ title: `Confiance ${locale}`, price: dinars(2) })
    const email = `unconfirmed-${locale}@karras.test`
    const parent = await shop.aCustomer({ balance: dinars(5), email, isConfirmed: false })
    await shop.buys(parent, [document.id])
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    const address = pathIn(locale, `/shop-details/${document.id}`)
    await page.goto(address)
    await rateFour(page)
    await form(page).getByText(own('waiting')).waitFor()
    await expect.poll(() => average(page)).toContain(uiText(locale, 'common:rating.none'))
    await page.getByRole('button', { name: own('link.send') }).click()
    await form(page).getByText(own('link.sent')).waitFor()
    const link = await linkTo(email)

    await page.goto(link.pathname + link.search)
    await page.locator('main button.button--primary').click()
    await page.locator('.alert--success').waitFor()
    await page.goto(address)
    await form(page).locator('textarea').focus()
    await form(page).getByText(own('verified')).waitFor()
    const { rating } = (await (await fetch(`${shop.url}/api/documents/${document.id}`)).json()) as {
      rating: number
    }
    expect(rating).toBe(4)
  })

  test('an invalid link is reported, and a logged-in user gets another', async () => {
    const email = `late-${locale}@karras.test`
    const parent = await shop.aCustomer({ email, isConfirmed: false })
    const allowed = [/status of 400/]
    const stranger = await newVisitor(shop.url, { locale, viewport, allowed })
    await stranger.page.goto(pathIn(locale, '/confirm-email?token=wrong'))
    await stranger.page.getByRole('button', { name: confirming('submit') }).click()
    await stranger.page
      .getByText(uiText(locale, 'errors:codes.invalid_confirmation_token'))
      .waitFor()
    await stranger.page.getByRole('link', { name: confirming('logIn') }).click()
    await stranger.page.waitForURL(
      (url) => url.searchParams.get('returnTo') === pathIn(locale, '/confirm-email'),
    )
    await stranger.leave()

    const { page } = await loggedIn(shop.url, parent, { locale, viewport, allowed })
    await page.goto(pathIn(locale, '/confirm-email'))
    await page.getByText(confirming('noToken')).waitFor()
    await page.getByRole('button', { name: own('link.send') }).click()
    await page.getByText(own('link.sent')).waitFor()
    await linkTo(email)
  })

  test('the author deletes it after a confirmation, which can be cancelled by keyboard', async () => {
    const document = await shop.aDocument({ title: `Retrait ${locale}`, price: dinars(2) })
    const parent = await shop.aCustomer({ balance: dinars(5) })
    await shop.buys(parent, [document.id])
    const { page } = await loggedIn(shop.url, parent, {
      locale,
      viewport,
      allowed: [/status of 500/],
    })
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await rateFour(page)
    await expect.poll(() => average(page)).toContain('(1)')
    const button = page.getByRole('button', { name: own('remove') })
    const dialog = page.getByRole('dialog', { name: own('dialog.title') })
    await button.focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(button)).toBe(true)

    await refuse(page, '**/api/ratings/*', 500, 'server_error')
    await button.click()
    await dialog.getByRole('button', { name: own('dialog.yes') }).click()
    await form(page).getByText(own('removeFailed')).waitFor()
    await page.unroute('**/api/ratings/*')
    await button.click()
    await dialog.getByRole('button', { name: own('dialog.yes') }).click()
    await form(page).getByText(own('removed')).waitFor()
    await expect.poll(() => average(page)).toContain(uiText(locale, 'common:rating.none'))
    await expect.poll(() => page.locator('.star-choice input:checked').count()).toBe(0)
    await page.getByRole('button', { name: uiText(locale, 'ratings:form.submit') }).waitFor()
  })

  test('the author of a hidden rating reads the reason; it hydrates on the first touch anywhere', async () => {
    const document = await shop.aDocument({ title: `Caché ${locale}`, price: dinars(2) })
    const parent = await shop.aCustomer({ balance: dinars(5) })
    await shop.buys(parent, [document.id])
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    const address = pathIn(locale, `/shop-details/${document.id}`)
    await page.goto(address)
    await page.locator('.rating-form textarea').fill('شرح')
    await rateFour(page)
    const { id } = await shop.database.kysely
      .selectFrom('ratings')
      .select('id')
      .where('userId', '=', parent.id)
      .executeTakeFirstOrThrow()
    await shop.call('hideRating', `id=${id}`, 'reason=Nomme un élève.')
    await page.goto(address)
    await page.locator('.search__input:visible').first().focus()
    await form(page).getByText('Nomme un élève.').waitFor()
    await form(page).getByText(own('hidden')).waitFor()
    // For everybody else it is gone, from the stored page as well.
    await expect
      .poll(async () => (await fetch(shop.url + address)).text())
      .not.toContain('class="comment"')
  })
})
