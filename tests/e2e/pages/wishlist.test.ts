import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { DESKTOP, loggedIn, newVisitor } from '../../support/browser.ts'
import { heart } from '../../support/cart-buttons.ts'
import type { Person } from '../../support/people.ts'
import { button, link } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { goOnAnonymously, logIn, refuse } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

const isFull = (page: Page) => heart(page).getAttribute('aria-pressed')
const isSaved = async (person: Person, documentId: number) => {
  const address = `${shop.url}/api/wishlist/is-in-wishlist?userId=${person.id}&documentId=${documentId}`
  const headers = { authorization: `Bearer ${person.token}` }
  return (await fetch(address, { headers })).json()
}

journeys('the wishlist', (person, test) => {
  const { locale, viewport } = person
  test('a heart on a card is stored, shown on the page, and removed again', async () => {
    const teacher = await shop.aTeacher({ firstName: 'Leïla', lastName: `Haddad ${locale}` })
    const document = await shop.aDocument({
      title: `Vœu ${locale}`,
      teacherId: teacher.id,
      price: dinars(9),
      priceDiscount: dinars(6.5),
    })
    const parent = await shop.aCustomer()
    const { page } = await loggedIn(shop.url, parent, person)
    await page.goto(pathIn(locale, `/shop?teacherId=${teacher.id}`))
    await expect.poll(() => isFull(page)).toBe('false')
    await heart(page).click()
    await expect.poll(() => isFull(page)).toBe('true')
    await expect.poll(() => isSaved(parent, document.id)).toBe(true)

    // On the next page it is filled before any script of the island has run.
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    expect(await isFull(page)).toBe('true')

    if (viewport.width < 768) {
      await button(page, locale, 'common:menu.open').click()
    }
    await page.locator('a[href$="/wishlist"]:visible').first().click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/wishlist'))
    const card = page.locator('main .card')
    await card.waitFor()
    const text = await card.innerText()
    expect(text).toContain(document.title)
    expect(text).toContain(teacher.name)
    expect(text).toContain(locale === 'fr' ? '6,50' : '6.50')
    expect(text).toContain(String(new Date().getFullYear()))
    await card.getByRole('link').click()
    await page.waitForURL((url) => url.pathname.endsWith(`/shop-details/${document.id}`))

    await page.goto(pathIn(locale, '/wishlist'))
    const remove = button(page, locale, 'wishlist:page.remove')
    await remove.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: uiText(locale, 'wishlist:page.empty.title') }).waitFor()
    await expect.poll(() => isSaved(parent, document.id)).toBe(false)
    await link(page, locale, 'wishlist:page.shop').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/shop'))
  })

  test('logged out, a card asks to log in or cancel; the details show the anonymous modal', async () => {
    const document = await shop.aDocument({ title: `Seul ${locale}` })
    const { page } = await newVisitor(shop.url, { ...person, at: '/shop' })
    await heart(page).click()
    const dialog = page.getByRole('dialog', {
      name: uiText(locale, 'cart:overlays.loginRequired.title'),
    })
    await button(dialog, locale, 'cart:overlays.loginRequired.cancel').click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => isFull(page)).toBe('false')
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await heart(page).click()
    const modal = page.getByRole('dialog', {
      name: uiText(locale, 'cart:overlays.anonymous.title'),
    })
    await goOnAnonymously(page, locale)
    await modal.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => localStorage.getItem('static_cart'))).toBeNull()

    await page.goto(pathIn(locale, '/shop'))
    await heart(page).click()
    await dialog.getByRole('link').click()
    await page.waitForURL(/\/login\?returnTo=/)
    const parent = await shop.aCustomer()
    await logIn(page, locale, parent.email)
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/shop'))
  })

  test('two tabs show the same wishes', async () => {
    const document = await shop.aDocument({ title: `Onglets ${locale}` })
    const parent = await shop.aCustomer()
    const visitor = await loggedIn(shop.url, parent, person)
    const { page } = visitor
    await page.goto(pathIn(locale, '/wishlist'))
    await page.getByRole('heading', { name: uiText(locale, 'wishlist:page.empty.title') }).waitFor()
    const other = await visitor.context.newPage()
    await other.goto(pathIn(locale, `/shop-details/${document.id}`))
    await heart(other).click()
    await page.getByRole('link', { name: document.title }).waitFor()
    await button(page, locale, 'wishlist:page.remove').click()
    await expect.poll(() => isFull(other)).toBe('false')
  })

  test('reports a failure and retries; an ended session asks to log in again', async () => {
    const { page } = await loggedIn(shop.url, await shop.aCustomer(), {
      ...person,
      allowed: [/status of [45]/],
    })
    let status = 503
    const codes: Record<number, string> = { 503: 'unavailable', 401: 'invalid_token' }
    await page.route(/\/api\/wishlist\/\d+$/, (route) =>
      status === 200
        ? route.continue()
        : route.fulfill({ status, json: { status, error: codes[status], message: '' } }),
    )
    await page.goto(pathIn(locale, '/wishlist'))
    await page.getByText(uiText(locale, 'wishlist:page.failed.title')).waitFor()
    await expect
      .poll(() => page.locator('main [role=alert]').innerText())
      .toContain(uiText(locale, 'errors:codes.unavailable'))
    status = 200
    await button(page, locale, 'wishlist:page.failed.retry').click()
    await page.getByText(uiText(locale, 'wishlist:page.empty.title')).waitFor()
    status = 401
    await page.reload()
    await page.getByText(uiText(locale, 'errors:codes.invalid_token')).first().waitFor()
    await link(page.locator('main'), locale, 'wishlist:page.login').click()
    await page.waitForURL(/\/login\?returnTo=/)
  })

  test('a wish that the shop refuses is reverted with a notice', async () => {
    const document = await shop.aDocument({ title: `Refus ${locale}` })
    const { page } = await loggedIn(shop.url, await shop.aCustomer(), {
      ...person,
      allowed: [/status of 503/],
    })
    await refuse(page, '**/api/wishlist/add*', 503, 'unavailable')
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await heart(page).click()
    await page.locator('.toast', { hasText: uiText(locale, 'cart:overlays.wishFailed') }).waitFor()
    await expect.poll(() => isFull(page)).toBe('false')
  })
})

test('a logged-out visitor is redirected to the log-in and returns to the wishlist', async () => {
  const parent = await shop.aCustomer()
  const { page } = await newVisitor(shop.url, { viewport: DESKTOP, at: '/wishlist' })
  await page.waitForURL(/\/login\?returnTo=%2Fwishlist$/)
  await logIn(page, 'ar', parent.email)
  await page.waitForURL((url) => url.pathname === '/wishlist')
  await page.getByText(uiText('ar', 'wishlist:page.empty.title')).waitFor()
})
