import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { LANGUAGE_NAMES, LOCALES } from '../../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { EXAMPLE_FACTS } from '../../../src/site.ts'
import { DESKTOP, loggedIn, newVisitor } from '../../support/browser.ts'
import { button } from '../../support/scene-steps.ts'
import { PERSONAS, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

const paths = (page: Page, within: string) =>
  page
    .locator(`${within} a:visible`)
    .evaluateAll((links) => links.map((a) => (a as HTMLAnchorElement).pathname))

describe.each(PERSONAS)('the page frame $who', ({ locale, viewport }) => {
  const isPhone = viewport.width < 768
  const here = (...all: string[]) => all.map((path) => inLanguage(locale, path))
  const openMenu = async (page: Page) => {
    if (isPhone) await button(page, locale, 'common:menu.open').click()
  }
  const menu = isPhone ? '#drawer' : '.header .menu'

  test('logged out: logo, menu, top bar and a log-in', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await page.goto(pathIn(locale, '/about'))
    await expect
      .poll(() => page.locator('.header__logo').getAttribute('href'))
      .toBe(pathIn(locale, '/'))
    const bar = page.locator('.topbar')
    const text = await bar.innerText()
    expect(text.replace(/\D/g, '')).toContain(String(EXAMPLE_FACTS.community.followers))
    expect(text).toContain(EXAMPLE_FACTS.contact.phones[0])
    await expect.poll(() => bar.locator('.picker').count()).toBe(1)
    if (!isPhone) {
      await expect
        .poll(() => bar.locator(`a[href="${pathIn(locale, '/office/join')}"]`).innerText())
        .toBe(uiText(locale, 'common:topbar.sell'))
      await expect
        .poll(() => bar.locator(`a[href="${pathIn(locale, '/login')}"]`).isVisible())
        .toBe(true)
    }
    await openMenu(page)
    const links = await paths(page, menu)
    expect(links.slice(0, 4)).toEqual(here('/', '/shop', '/contact', '/teachers'))
    expect(links).not.toContain(pathIn(locale, '/my-documents'))
    await expect
      .poll(() => page.locator(`a[href="${pathIn(locale, '/login')}"]:visible`).count())
      .toBeGreaterThan(0)
    const credit = page.locator('footer .footer__company')
    await expect.poll(() => credit.getAttribute('href')).toBe(EXAMPLE_FACTS.brand.credit.url)
    await expect.poll(() => credit.innerText()).toBe(EXAMPLE_FACTS.brand.credit.name)
  })

  test('logged in: one more item, the balance, wishes and log-out replace the top bar', async () => {
    const parent = await shop.aCustomer({ balance: dinars(7.5) })
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    await page.goto(pathIn(locale, '/about'))
    await expect.poll(() => page.locator('.topbar').isVisible()).toBe(false)
    // The first interaction with the page loads what this browser does not have yet.
    await page.getByRole('combobox').and(page.locator(':visible')).first().focus()
    const balance = page.locator('.header .ticket')
    expect(await balance.getAttribute('href')).toBe(pathIn(locale, '/charging'))
    await expect.poll(() => balance.innerText()).toContain(locale === 'fr' ? '7,50' : '7.50')
    // A customer who owns nothing has no shortcut to the shelf, only the menu's item.
    await expect.poll(() => page.locator('.when-owning:visible').count()).toBe(0)
    await openMenu(page)
    const links = await paths(page, menu)
    expect(links.slice(0, 5)).toEqual(here('/', '/shop', '/contact', '/teachers', '/my-documents'))
    await expect
      .poll(() => page.locator(`a[href="${pathIn(locale, '/wishlist')}"]:visible`).count())
      .toBe(1)
    await expect
      .poll(() => page.locator(`a[href="${pathIn(locale, '/chat')}"]:visible`).count())
      .toBe(1)
    await expect
      .poll(() => page.locator(`a[href="${pathIn(locale, '/login')}"]:visible`).count())
      .toBe(0)
    await button(page, locale, 'account:session.logout').first().waitFor()
  })

  test('the language picker offers three, the page’s own first, and closes on a click and on scrolling', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await page.goto(pathIn(locale, '/about'))
    const picker = page.locator('.topbar .picker')
    const list = picker.locator('.picker__list')
    await expect.poll(() => picker.locator('summary').innerText()).toContain(LANGUAGE_NAMES[locale])
    await picker.locator('summary').click()
    await list.waitFor()
    await expect
      .poll(() => list.locator('a').allInnerTexts())
      .toEqual(LOCALES.map((each) => LANGUAGE_NAMES[each]))
    await page.locator('h1').click()
    await list.waitFor({ state: 'hidden' })
    await picker.locator('summary').click()
    await list.waitFor()
    await page.evaluate(() => scrollBy(0, 150))
    await list.waitFor({ state: 'hidden' })
  })

  test('any other path shows a not-found page that links home', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, allowed: [/status of 404/] })
    const response = await page.goto(inLanguage(locale, '/nothing/of/the/kind'))
    expect(response?.status()).toBe(404)
    await page.getByText(uiText(locale, 'common:notFound.title')).first().waitFor()
    await page.getByRole('link', { name: uiText(locale, 'common:notFound.home') }).click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/'))
  })
})

test('every path that does not exist answers with the same page, also under the log-in', async () => {
  for (const locale of ['ar', 'fr'] as const) {
    const answers = new Set<string>()
    for (const path of [
      '/404',
      '/shop-details/999999',
      '/chatty',
      '/login/x',
      '/register/x',
      '/reset-password/x',
    ]) {
      const answer = await fetch(shop.url + inLanguage(locale, path))
      expect(answer.status, path).toBe(404)
      answers.add(await answer.text())
    }
    const [page = '', ...others] = answers
    expect(others).toEqual([])
    expect(page).toMatch(/class="header[" ]/)
  }
})

test.each(LOCALES)('the account pages have no header, top bar or footer (%s)', async (locale) => {
  const bars = /<footer|class="(?:header|topbar)[" ]/
  const html = async (path: string) => (await fetch(shop.url + inLanguage(locale, path))).text()
  expect(await html('/shop')).toMatch(bars)
  for (const path of [
    '/login',
    '/register',
    '/forget-password',
    '/reset-password',
    '/confirm-email',
    '/login?returnTo=%2Fshop',
  ]) {
    const bare = await html(path)
    expect(bare, path).toContain('<h1')
    expect(bare, path).not.toMatch(bars)
  }
})

test('the shortcut to my documents is there for customers who own one', async () => {
  const document = await shop.aDocument({ price: dinars(2) })
  const parent = await shop.aCustomer({ balance: dinars(5) })
  await shop.buys(parent, [document.id])
  const { page } = await loggedIn(shop.url, parent, { viewport: DESKTOP })
  await page.goto('/about')
  await page.getByRole('combobox').and(page.locator(':visible')).first().focus()
  const link = page.locator('.header .when-owning')
  await link.waitFor()
  await expect.poll(() => link.getAttribute('href')).toBe('/my-documents')
})

test('the cart’s box says that it is empty, and links to the checkout once it is not', async () => {
  const { page } = await newVisitor(shop.url, { viewport: DESKTOP })
  await page.goto('/about')
  await page.locator('.cart-link:visible').hover()
  const box = page.locator('.cart-box__panel')
  await box.getByText(uiText('ar', 'cart:box.empty')).waitFor()
  const checkout = box.getByRole('link', { name: uiText('ar', 'cart:box.checkout') })
  await expect.poll(() => checkout.count()).toBe(0)
  await page.evaluate(() =>
    localStorage.setItem(
      'static_cart',
      JSON.stringify({ items: [{ documentId: 1, title: 'وثيقة', price: 3.5 }] }),
    ),
  )
  await page.reload()
  await page.locator('.cart-link:visible').hover()
  await expect.poll(() => box.locator('li').innerText()).toMatch(/وثيقة\s+3\.50\s*د\.ت/)
  await checkout.click()
  await page.waitForURL('**/checkout#payment')
})

// Words are longest in French.
test.each(['ar', 'fr'] as const)(
  'logged in at 1280 px the search box has room for words in %s',
  async (locale) => {
    const document = await shop.aDocument()
    const parent = await shop.aCustomer({ balance: dinars(1500) })
    await shop.buys(parent, [document.id])
    const { page } = await loggedIn(shop.url, parent, { locale, viewport: DESKTOP })
    await page.goto(pathIn(locale, '/my-documents'))
    await page.locator('.header [data-balance]', { hasText: /\d\D?\d{3}/ }).waitFor()
    await page.locator('.header .when-owning').waitFor()
    const row = page.locator('.header__row')
    const [input, tools] = [row.locator('.search__input'), row.locator('.header__tools')]
    // Measured with the shop's own font; the system fonts are a little wider.
    await page.waitForFunction(() => localStorage.font)
    expect((await input.boundingBox())?.width).toBeGreaterThanOrEqual(230)
    // Nothing overflows the page's column but the empty part of the last icon's target.
    const over = await tools.evaluate((element) => {
      const column = element.closest('.wrap') as HTMLElement
      const { paddingInlineEnd } = getComputedStyle(column)
      const [inner, outer] = [element.getBoundingClientRect(), column.getBoundingClientRect()]
      const isRtl = getComputedStyle(element).direction === 'rtl'
      const past = isRtl ? outer.left - inner.left : inner.right - outer.right
      return past + Number.parseFloat(paddingInlineEnd)
    })
    expect(over).toBeLessThanOrEqual(12)
  },
)
