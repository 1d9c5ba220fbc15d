import { expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { DESKTOP, loggedIn, newVisitor } from '../../support/browser.ts'
import { count } from '../../support/cart-buttons.ts'
import { downloadOfFirst, showTable } from '../../support/library.ts'
import { button, link } from '../../support/scene-steps.ts'
import { ARABIC, sharedShop } from '../../support/stage.ts'
import { logIn, refuse } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

test('in Arabic on a phone: a document without a title has the words of the page for it', async () => {
  const { locale, viewport } = ARABIC
  const { id } = await shop.aDocument({ price: dinars(12) })
  const { page } = await newVisitor(shop.url, { locale, viewport, at: '/about' })
  await page.evaluate(
    (documentId) =>
      localStorage.setItem(
        'static_cart',
        JSON.stringify({ items: [{ documentId, title: 'Unknown Title', price: 12 }] }),
      ),
    id,
  )
  await page.goto(pathIn(locale, '/checkout'))
  await page.locator('.line-item').getByText(uiText(locale, 'common:card.unknownTitle')).waitFor()
})

test('in Arabic on a phone: my documents reports a failure and retries', async () => {
  const { locale, viewport } = ARABIC
  const document = await shop.aDocument({ title: `Retry ${locale}`, price: dinars(1) })
  const customer = await shop.aCustomer({ balance: dinars(1) })
  await shop.buys(customer, [document.id])
  const { page } = await loggedIn(shop.url, customer, {
    locale,
    viewport,
    allowed: [/status of [45]/],
  })
  let isBroken = true
  await page.route('**/api/purchaseddocuments/user/purchased', (route) =>
    isBroken
      ? route.fulfill({ status: 500, json: { status: 500, error: 'server_error', message: '' } })
      : route.continue(),
  )
  await page.goto(pathIn(locale, '/my-documents'))
  await page.getByText(uiText(locale, 'library:page.failed.title')).waitFor()
  await expect
    .poll(() => page.getByRole('alert').textContent())
    .toContain(uiText(locale, 'errors:codes.server_error'))
  isBroken = false
  await button(page, locale, 'library:page.failed.retry').click()
  await page.getByText(document.title).first().waitFor()
  await showTable(page, locale)
  for (const [status, problem] of [
    [403, 'download_forbidden'],
    [404, 'download_not_found'],
    [500, 'download_server_error'],
  ] as const) {
    await refuse(page, '**/api/library/documents/*/link', status, 'x')
    await downloadOfFirst(page, locale).click()
    const sentence = uiText(locale, `library:reading.problems.${problem}`)
    await page.getByText(sentence).waitFor()
    await page.unroute('**/api/library/documents/*/link')
  }
})

test('my documents and the log-in redirect to each other, and only within the shop', async () => {
  const customer = await shop.aCustomer()
  const { page } = await newVisitor(shop.url, { viewport: DESKTOP, at: '/my-documents' })
  await page.waitForURL(/\/login\?returnTo=%2Fmy-documents$/)
  // tests/rules/return-to.test.ts has the other addresses.
  await page.goto('/login?returnTo=%2F%2Fevil.example')
  await logIn(page, 'ar', customer.email)
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  expect(page.url()).toBe(`${shop.url}/`)
})

test('the header’s box opens on hover and shows the last three items', async () => {
  const { page } = await newVisitor(shop.url, { viewport: DESKTOP, at: '/' })
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
  await link(box, 'fr', 'cart:box.view').click()
  await page.waitForURL(/\/fr\/checkout$/)
})

test('a corrupt saved cart is an empty cart, and the page works', async () => {
  const { page } = await newVisitor(shop.url, { at: '/login' })
  await page.evaluate(() => {
    localStorage.setItem('static_cart', '{"items":[{"documentId":"x"},null')
    localStorage.setItem('token', 'not.a.token')
  })
  await page.goto('/checkout')
  await page.getByText(uiText('ar', 'checkout:empty.title')).waitFor()
  await expect.poll(() => page.locator('html').getAttribute('data-session')).toBe('out')
})
