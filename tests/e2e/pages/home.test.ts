import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { loggedIn, newVisitor } from '../../support/browser.ts'
import { count } from '../../support/cart-buttons.ts'
import { button, link } from '../../support/scene-steps.ts'
import { journeys, shopForFile } from '../../support/stage.ts'
import { closeWalletIntro, goOnAnonymously } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = shopForFile()

journeys('home', ({ locale, viewport }, test) => {
  test('its sections, in order, and their links', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, at: '/' })
    const headings = await page.locator('main h2').allTextContents()
    expect(headings).toEqual(
      (['levels', 'featured', 'bestsellers', 'teachersBooks', 'teachers', 'join'] as const).map(
        (part) => uiText(locale, `home:${part}.title`),
      ),
    )
    await expect
      .poll(() =>
        page
          .locator('main .spine')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      )
      .toEqual(
        ['preparatoire', 'high-school', 'middle-school', 'primary-school'].map((level) =>
          pathIn(locale, `/shop?level=${level}`),
        ),
      )
    await expect
      .poll(() =>
        page
          .locator('.teachers__one')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      )
      .toEqual([1, 2, 3].map((id) => pathIn(locale, `/teacher-details/${id}`)))
    await expect.poll(() => page.locator('.slider:has(#featured) .card').count()).toBeGreaterThan(3)
    await expect
      .poll(() => page.locator('.slider:has(#teachers-books) .card').count())
      .toBeGreaterThan(3)

    await link(page, locale, 'home:hero.browse').click()
    await page.waitForURL((url) => url.pathname === pathIn(locale, '/shop'))
    for (const [way, path] of [
      ['login', '/login'],
      ['register', '/register'],
    ] as const) {
      await page.goto(pathIn(locale, '/'))
      await link(page.locator('.join'), locale, `home:join.${way}`).click()
      await page.waitForURL((url) => url.pathname === pathIn(locale, path))
    }
  })

  test('at most three bestsellers, each with cover, title, author, rating and a button', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, at: '/' })
    const places = page.locator('.podium__place')
    await expect.poll(() => places.count()).toBe(3)
    const stars: string[] = []
    for (const place of await places.all()) {
      const cover = place.locator('.cover')
      await expect
        .poll(() => cover.evaluate((book) => getComputedStyle(book).backgroundColor))
        .toMatch(/^rgb\(/)
      expect((await place.locator('h3').innerText()).length).toBeGreaterThan(3)
      expect((await place.locator('.card__teacher').innerText()).length).toBeGreaterThan(3)
      stars.push(await place.locator('.stars').innerText())
      await button(place, locale, 'cart:add.add').waitFor()
    }
    const none = uiText(locale, 'common:rating.none')
    const rated = stars.filter((text) => text !== none)
    expect(rated.length).toBeGreaterThan(0)
    for (const text of rated) expect(text).toMatch(locale === 'fr' ? /\d,\d/ : /\d\.\d/)
    // A click anywhere on the book opens it.
    const first = places.first()
    const href = await first.locator('h3 a').getAttribute('href')
    await first.locator('.cover').click({ position: { x: 60, y: 40 }, force: true })
    await page.waitForURL((url) => url.pathname === href)
  })

  test('adding asks a logged-out visitor to log in; the wallet modal then only closes', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, at: '/' })
    await page.locator('.podium__place .add-to-cart button:visible').first().click()
    await goOnAnonymously(page, locale)
    await closeWalletIntro(page, locale)
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(pathIn(locale, '/'))
    await expect.poll(() => count(page).textContent()).toBe('1')
  })

  test('a logged-in visitor sees neither the browse button nor the join panel', async () => {
    const { page } = await loggedIn(shop.url, await shop.aCustomer(), { locale, viewport, at: '/' })
    await page.locator('.podium__place').first().waitFor()
    await expect
      .poll(() => page.getByText(uiText(locale, 'home:hero.browse')).isVisible())
      .toBe(false)
    await expect.poll(() => page.locator('.join').isVisible()).toBe(false)
  })
})
