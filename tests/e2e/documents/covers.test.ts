import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { DESKTOP, loggedIn, newVisitor } from '../../support/browser.ts'
import { aPicture } from '../../support/picture.ts'
import { journeys, shopForFile } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

// Not the shared shop: a missing cover would cause errors on the pages of other files.
const shop = shopForFile()

/** Sums up the layout shifts of the page from its first paint on. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const total = { value: 0 }
    Object.assign(window, { layoutShift: total })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        total.value += (entry as unknown as { value: number }).value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () =>
    page.evaluate(() => (window as unknown as { layoutShift: { value: number } }).layoutShift.value)
}

const COVER = '.details__cover .cover__picture'

/** Waits until a picture has loaded, or failed to; returns its own width, 0 if it failed. */
const widthOf = (picture: Locator) =>
  picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode().catch(() => {})
    return image.naturalWidth
  })

journeys('the lines of the cart', ({ locale, viewport }, test) => {
  test('show each document’s own cover, also in a visitor’s cart, before and after the log-in', async () => {
    const plain = await shop.aDocument({ title: `Sujet ${locale}`, matiereId: 2 })
    const picture = await shop.aDocument({
      title: `Couverture ${locale}`,
      cover: await aPicture('#b53036', 900, 1200),
    })
    const visitor = await newVisitor(shop.url, { locale, viewport })
    const { page } = visitor
    for (const { id } of [plain, picture]) {
      await page.goto(pathIn(locale, `/shop-details/${id}`))
      await page.locator('main .add-to-cart button:visible').first().click()
      const goOn = uiText(locale, 'cart:overlays.anonymous.continue')
      await page.getByRole('button', { name: goOn }).click()
      const kept = (wanted: number) =>
        JSON.parse(localStorage.static_cart ?? '{}').items?.some(
          (item: { documentId: number }) => item.documentId === wanted,
        )
      await page.waitForFunction(kept, id)
    }
    const seen = async () => {
      await page.goto(pathIn(locale, '/checkout'))
      const lines = page.locator('.line-item')
      await expect.poll(() => lines.count()).toBe(2)
      const colour = lines
        .filter({ hasText: plain.title })
        .locator('.line-item__cover.subject-physics')
      const image = lines.filter({ hasText: picture.title }).locator('.line-item__cover img')
      return { colour: await colour.count(), picture: (await widthOf(image)) > 0 }
    }
    expect(await seen()).toEqual({ colour: 1, picture: true })
    const customer = await shop.aCustomer()
    await page.evaluate((token) => localStorage.setItem('token', token), customer.token)
    await page.goto(pathIn(locale, '/checkout'))
    await expect
      .poll(() => page.evaluate(() => JSON.parse(localStorage.static_cart ?? '{}').items ?? []))
      .toEqual([])
    expect(await seen()).toEqual({ colour: 1, picture: true })
  })

  test('an old saved cart, which has no covers, is shown', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await page.goto('/robots.txt')
    await page.evaluate(() => {
      const items = [{ documentId: 1, title: 'From before', price: 5 }]
      localStorage.setItem('static_cart', JSON.stringify({ items }))
    })
    await page.goto(pathIn(locale, '/checkout'))
    await page.locator('.line-item', { hasText: 'From before' }).waitFor()
    await expect.poll(() => page.locator('.line-item .cover--mini').isVisible()).toBe(true)
  })
})

journeys('covers', ({ locale, viewport }, test) => {
  test('an uploaded cover is shown in the book’s shape, no larger than needed, without layout shift', async () => {
    const cover = await aPicture('#b53036', 900, 1200)
    const document = await shop.aDocument({ title: `Couverte ${locale}`, cover })
    const { page } = await newVisitor(shop.url, { locale, viewport })
    const shifts = await watchShifts(page)
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    expect(await widthOf(page.locator(COVER))).toBeGreaterThan(0)
    const seen = await page.locator(COVER).evaluate((element) => {
      const image = element as HTMLImageElement
      const { width, height } = image.getBoundingClientRect()
      return {
        ratio: width / height,
        shown: width * devicePixelRatio,
        source: image.currentSrc,
        alt: image.getAttribute('alt'),
        hasSize: image.hasAttribute('width') && image.hasAttribute('height'),
        center: window.document.elementFromPoint(
          image.getBoundingClientRect().x + width / 2,
          image.getBoundingClientRect().y + height / 2,
        )?.className,
      }
    })
    expect(seen.ratio).toBeCloseTo(17 / 22, 1)
    expect(seen.source).toMatch(/\.avif$/)
    expect(Number(/-(\d+)\.avif$/.exec(seen.source)?.[1])).toBeLessThanOrEqual(seen.shown * 2)
    // Decorative: the title is beside it. Its space is reserved before it loads.
    expect([seen.alt, seen.hasSize, seen.center]).toEqual(['', true, 'cover__picture'])
    expect(await shifts()).toBeLessThan(0.01)
    await page.goto(pathIn(locale, `/shop?search=Couverte+${locale}`))
    expect(await widthOf(page.locator('.card .cover__picture'))).toBeGreaterThan(0)
  })

  test('a bare base64 PNG is shown as well', async () => {
    const cover = (await aPicture('#17795c', 34, 44)).toString('base64')
    const document = await shop.aDocument({ title: 'Nue', cover })
    const { page } = await newVisitor(shop.url, { locale, viewport })
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    expect(await widthOf(page.locator(COVER))).toBe(34)
  })

  test('where there is none, or one that is no picture, the drawn book is shown and no broken image', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, allowed: [/status of 404/] })
    for (const [title, cover] of [
      ['None', undefined],
      ['No picture', 'SGVsbG8sIHdvcmxk'],
      ['Not there', `/media/covers/${'ab'.repeat(32)}-320.webp`],
      ['A damaged PNG', 'iVBORw0KGgoAAAANSUhEUg=='],
    ] as const) {
      const document = await shop.aDocument({ title, ...(cover && { cover }) })
      await page.goto(pathIn(locale, `/shop-details/${document.id}`))
      const book = page.locator('.details__cover .cover')
      expect(await book.locator('.cover__title').innerText()).toBe(title)
      const picture = book.locator('.cover__picture')
      if ((await picture.count()) === 0) continue
      // Chromium draws nothing for an image that failed to load, and reports nothing by its `alt`.
      expect(await widthOf(picture), title).toBe(0)
      expect(await picture.getAttribute('alt')).toBe('')
    }
  })
})

test('the wishlist shows the cover too', async () => {
  const document = await shop.aDocument({ title: 'Souhait', cover: await aPicture('#2b62b8') })
  const parent = await shop.aCustomer()
  const { page } = await loggedIn(shop.url, parent, { viewport: DESKTOP })
  const wish = `/wishlist/add?userId=${parent.id}&documentId=${document.id}`
  expect((await shop.send(parent, 'POST', wish)).status).toBeLessThan(300)
  await page.goto('/wishlist')
  expect(await widthOf(page.locator('.card .cover__picture'))).toBeGreaterThan(0)
})
