import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { LANGUAGE_NAMES, LOCALES } from '../../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { EXAMPLE_FACTS } from '../../../src/site.ts'
import { DESKTOP, loggedIn, newVisitor, PHONE } from '../../support/browser.ts'
import { expectFitsEnlarged } from '../../support/enlarged-text.ts'
import { hasFocus } from '../../support/keyboard.ts'
import { button } from '../../support/scene-steps.ts'
import { visitorOf } from '../../support/scenes/cast.ts'
import { SCENE_FAULTS, SCENES } from '../../support/scenes/scenes.ts'
import { castOf, PERSONAS, sharedShop } from '../../support/stage.ts'
import { openOwnMenu } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()
const cast = castOf(shop)

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
    const { page } = await newVisitor(shop.url, { locale, viewport, at: '/about' })
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
    const { page } = await loggedIn(shop.url, parent, { locale, viewport, at: '/about' })
    await expect.poll(() => page.locator('.topbar').isVisible()).toBe(false)
    // The first interaction with the page loads what this browser does not have yet.
    await page.keyboard.press('Shift')
    const balance = page.locator('.header .ticket')
    expect(await balance.getAttribute('href')).toBe(pathIn(locale, '/charging'))
    await expect.poll(() => balance.innerText()).toContain(locale === 'fr' ? '7,50' : '7.50')
    // A customer who owns nothing has no shortcut to the shelf, only the menu's item.
    await expect.poll(() => page.locator('.when-owning:visible').count()).toBe(0)
    await openOwnMenu(page, locale)
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
    const { page } = await newVisitor(shop.url, { locale, viewport, at: '/about' })
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
  const { page } = await loggedIn(shop.url, parent, { viewport: DESKTOP, at: '/about' })
  await openOwnMenu(page, 'ar')
  const link = page.locator('.account-menu .when-owning a')
  await link.waitFor()
  await expect.poll(() => link.getAttribute('href')).toBe('/my-documents')
})

test('the cart’s box says that it is empty, and links to the checkout once it is not', async () => {
  const { page } = await newVisitor(shop.url, { viewport: DESKTOP, at: '/about' })
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
    await page.locator('.header visitor-text[of=balance]', { hasText: /\d\D?\d{3}/ }).waitFor()
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

/** The widths of a tablet, from the edge of a phone's layout to that of a desktop's. */
const TABLET_WIDTHS = [768, 900, 1023, 1024, 1279]

test.each(['ar', 'fr'] as const)(
  'logged in on a tablet the header has two rows, the menu in the second, in %s',
  async (locale) => {
    const document = await shop.aDocument()
    const parent = await shop.aCustomer({ balance: dinars(1500) })
    await shop.buys(parent, [document.id])
    const viewport = { width: 768, height: 1024 }
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    await page.goto(pathIn(locale, '/my-documents'))
    await page.locator('.header visitor-text[of=balance]', { hasText: /\d\D?\d{3}/ }).waitFor()
    const search = page.locator('.header .search__input')
    for (const width of TABLET_WIDTHS) {
      await page.setViewportSize({ width, height: 1024 })
      const middleOf = async (part: string) => {
        const box = await page.locator(`.header__row ${part}`).boundingBox()
        return box ? box.y + box.height / 2 : Number.NaN
      }
      const logo = await middleOf('.header__logo')
      for (const part of ['.search', '.header__tools']) {
        expect(Math.abs((await middleOf(part)) - logo), `${part} at ${width} px`).toBeLessThan(8)
      }
      expect(await middleOf('.menu'), `${width} px`).toBeGreaterThan(logo + 30)
      expect((await page.locator('.header').boundingBox())?.height).toBeLessThanOrEqual(120)
      expect((await search.boundingBox())?.width).toBeGreaterThanOrEqual(160)
    }
    await page.setViewportSize(viewport)
    await expectFitsEnlarged(page, 100)
    const twice = TABLET_WIDTHS.map((width) => ({ width: 2 * width, height: 1024 }))
    await expectFitsEnlarged(page, 200, [viewport, ...twice])
  },
)

test('the account’s menu has the customer’s name and words, and closes by itself', async () => {
  const parent = await shop.aCustomer({ firstName: 'أمل', lastName: 'بن صالح' })
  const { page } = await loggedIn(shop.url, parent, { viewport: DESKTOP, at: '/about' })
  const summary = page.locator('.account-menu > summary')
  const list = page.locator('.account-menu .picker__list')
  // The first touch asks for the name; every later page has it at once.
  await page.keyboard.press('Shift')
  await expect.poll(() => summary.innerText()).toBe('أمل بن صالح')
  await page.goto('/faq')
  await expect.poll(() => summary.innerText()).toBe('أمل بن صالح')

  await summary.focus()
  await page.keyboard.press('Enter')
  await list.waitFor()
  expect(await paths(page, '.account-menu')).toEqual([
    '/account',
    '/wishlist',
    '/news',
    '/chat',
    '/charging',
  ])
  await page.keyboard.press('Tab')
  await expect.poll(() => hasFocus(list.locator('a').first())).toBe(true)
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
  await expect.poll(() => hasFocus(summary)).toBe(true)
  await summary.click()
  await list.waitFor()
  await page.locator('h1').click()
  await list.waitFor({ state: 'hidden' })

  await summary.click()
  await button(page, 'ar', 'account:session.logout').click()
  await page.waitForURL((url) => url.pathname === '/')
  await expect.poll(() => summary.isVisible()).toBe(false)
  expect(await page.evaluate(() => localStorage.own_name)).toBeUndefined()
})

test('on a phone the search is an icon, which opens into the header’s row', async () => {
  const { page } = await newVisitor(shop.url, { at: '/about' })
  const row = page.locator('.header__row')
  const input = row.getByRole('combobox')
  const [logo, cart] = [row.locator('.header__logo'), row.locator('.cart-link')]
  const heightOf = async () => (await row.boundingBox())?.height
  const closed = await heightOf()
  expect((await input.boundingBox())?.width).toBeLessThanOrEqual(44)
  await input.click()
  expect((await input.boundingBox())?.width).toBeGreaterThan(200)
  expect(await logo.isVisible()).toBe(false)
  expect(await cart.isVisible()).toBe(true)
  expect(await heightOf()).toBe(closed)
  await page.locator('h1').click()
  await expect.poll(() => logo.isVisible()).toBe(true)
  // The typed text stays in view.
  await input.fill('كسور')
  await page.locator('h1').click()
  expect((await input.boundingBox())?.width).toBeGreaterThan(200)
})

test('a phone’s header leaves while one scrolls down, and comes back while one scrolls up', async () => {
  const { page } = await newVisitor(shop.url)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/faq')
  const header = page.locator('.header')
  const top = () => header.evaluate((element) => Math.round(element.getBoundingClientRect().bottom))
  const scrollBy = (y: number) => page.mouse.wheel(0, y)
  await scrollBy(600)
  await expect.poll(top).toBeLessThanOrEqual(0)
  await scrollBy(-60)
  await expect.poll(top).toBeGreaterThan(40)
  // Never while the focus is in it.
  await header.getByRole('combobox').focus()
  await scrollBy(300)
  await page.waitForFunction(() => document.body.dataset.down !== undefined)
  await expect.poll(top).toBeGreaterThan(40)
  // Nothing moves on its own with reduced motion: the header stays at the top of the page.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(top).toBeLessThan(-200)
})

/** The bars of a phone's screen, and its height. */
const BARS = '.topbar, .header, .bottom-bar, .buy, .office__side, .office-bar, .save-foot'

test.each(['home', 'shop', 'details', 'my-documents', 'checkout', 'office-document-new'])(
  'bars take a fifth of a phone’s screen at most: %s',
  async (name) => {
    const scene = SCENES.find((each) => each.name === name)
    if (!scene) throw new Error(`no scene ${name}`)
    const options = { locale: 'ar', viewport: PHONE, allowed: SCENE_FAULTS } as const
    const { page } = await visitorOf(scene, cast, shop.url, options)
    await scene.show(page, 'ar')
    await page.keyboard.press('Shift')
    await expect
      .poll(() =>
        page.locator(BARS).evaluateAll((bars) =>
          bars
            .filter((bar) => bar.checkVisibility())
            .map((bar) => bar.getBoundingClientRect().height)
            .reduce((sum, height) => sum + height, 0),
        ),
      )
      .toBeLessThanOrEqual(PHONE.height / 5)
    expect(
      await page
        .locator('.bottom-bar:visible, .buy:visible, .save-foot:visible, .office-bar:visible')
        .count(),
    ).toBe(1)
  },
)

test.each(['ar', 'fr'] as const)(
  'the title and the price are on a phone’s first screen of details: %s',
  async (locale) => {
    const { page } = await newVisitor(shop.url, { locale, at: '/shop-details/69' })
    const edge = (await page.locator('.buy').boundingBox())?.y ?? 0
    const title = await page.locator('h1').boundingBox()
    expect((title?.y ?? 0) + (title?.height ?? 0)).toBeLessThanOrEqual(edge)
    const price = await page.locator('.buy .price-tag').boundingBox()
    expect((price?.y ?? 0) + (price?.height ?? 0)).toBeLessThanOrEqual(PHONE.height)
  },
)
