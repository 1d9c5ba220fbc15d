import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { DESKTOP, newVisitor, PHONE, withoutCache } from '../../support/browser.ts'
import { button } from '../../support/scene-steps.ts'
import { sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

const featured = (page: Page) => page.locator('.slider:has(#featured)')
const first = (page: Page) => featured(page).locator('.splide__slide.is-active')
const at = (page: Page) => first(page).getAttribute('aria-label')

/** Opens home without reduced motion, and scrolls to the featured documents. */
async function openHome(locale: 'ar' | 'fr', viewport: { width: number; height: number }) {
  const visitor = await newVisitor(shop.url, { locale, viewport })
  const { page } = visitor
  await page.clock.install()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(pathIn(locale, '/'))
  await featured(page).scrollIntoViewIfNeeded()
  await page.mouse.move(2, 2)
  await page.mouse.wheel(0, 60)
  await page.locator('.slider.is-initialized:has(#featured)').waitFor()
  return visitor
}

describe.each([
  { locale: 'ar', viewport: PHONE, shown: 2 },
  { locale: 'fr', viewport: DESKTOP, shown: 6 },
] as const)('the sliders of home in $locale', ({ locale, viewport, shown }) => {
  const label = (place: number, of: number) =>
    uiText(locale, 'slider:texts.slideLabel').replace('%s', `${place}`).replace('%s', `${of}`)

  test('run in the page’s direction, automatically, and the pause button stops them', async () => {
    const { page } = await openHome(locale, viewport)
    const count = await featured(page).locator('.splide__slide').count()
    await expect.poll(() => featured(page).locator('.is-visible').count()).toBe(shown)
    await expect.poll(() => featured(page).getAttribute('data-interval')).toBe('4000')
    await expect.poll(() => at(page)).toBe(label(1, count))
    const boxes = await featured(page)
      .locator('.is-visible')
      .evaluateAll((slides) => slides.map((slide) => slide.getBoundingClientRect().x))
    expect(boxes).toEqual([...boxes].sort((a, b) => (locale === 'ar' ? b - a : a - b)))

    await page.clock.runFor(4600)
    await featured(page)
      .locator(`[aria-label="${label(2, count)}"].is-active`)
      .waitFor()
    const pause = button(featured(page), locale, 'slider:texts.pause')
    await pause.click()
    const stopped = await at(page)
    await button(featured(page), locale, 'slider:texts.play').waitFor()
    await page.locator('h1').hover()
    await page.clock.runFor(9000)
    expect(await at(page)).toBe(stopped)
  })
})

test('arrow keys follow the direction, and hidden cards are not in the tab order', async () => {
  const { page } = await openHome('ar', DESKTOP)
  await button(featured(page), 'ar', 'slider:texts.pause').focus()
  const before = await at(page)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => at(page)).not.toBe(before)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => at(page)).toBe(before)
  await button(featured(page), 'ar', 'slider:texts.next').click()
  await expect.poll(() => at(page)).not.toBe(before)
  const hidden = featured(page).locator('[aria-hidden=true] a, [aria-hidden=true] button')
  for (const control of await hidden.all())
    await expect.poll(() => control.getAttribute('tabindex')).toBe('-1')
  await expect.poll(() => featured(page).locator('.clone, .splide__slide--clone').count()).toBe(0)
})

test('without script, with reduced motion and to save data they stay lists', async () => {
  for (const kind of ['script', 'motion', 'data'] as const) {
    const visitor = await newVisitor(shop.url, { javaScriptEnabled: kind !== 'script' })
    const { page } = visitor
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.emulateMedia({ reducedMotion: kind === 'motion' ? 'reduce' : 'no-preference' })
    if (kind === 'data') {
      await page.addInitScript(() =>
        Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
      )
    }
    await page.goto('/')
    await featured(page).scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, 60)
    await page.waitForLoadState('networkidle')
    expect(requested.join(), kind).not.toMatch(/enhance-slider|splide/)
    await expect.poll(() => featured(page).locator('.slider__controls').isVisible()).toBe(false)
    const track = featured(page).locator('.splide__track')
    await track.focus()
    await expect
      .poll(() =>
        track.evaluate(
          (element) =>
            element.scrollWidth > element.clientWidth &&
            getComputedStyle(element).scrollSnapType !== 'none',
        ),
      )
      .toBe(true)
    await visitor.leave()
  }
})

test('no slider script is loaded before the first touch, and it is small', async () => {
  const { page } = await newVisitor(shop.url)
  await withoutCache(page)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const sizes = new Map<string, number>()
  page.on('response', async (response) => {
    if (/enhance-slider/.test(response.url())) {
      sizes.set(response.url(), (await response.request().sizes()).responseBodySize)
    }
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(sizes.size).toBe(0)
  await featured(page).scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 60)
  await page.locator('.slider.is-initialized').first().waitFor()
  await expect.poll(() => sizes.size).toBe(1)
  expect([...sizes.values()][0]).toBeLessThanOrEqual(15 * 1024)
})

test.each(['ar', 'fr'] as const)(
  'rows that become sliders while scrolling cause no layout shift (%s)',
  async (locale) => {
    const { page } = await newVisitor(shop.url, { locale })
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    // Whether a row changes in the frame in which it scrolls into view is random.
    for (let visit = 0; visit < 5; visit++) {
      await page.goto(pathIn(locale, '/'), { waitUntil: 'networkidle' })
      await page.evaluate(async () => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
        for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
          scrollTo({ top: y, behavior: 'instant' })
          await frame()
          await frame()
        }
      })
      await page.locator('.slider.is-initialized').nth(1).waitFor()
      expect(await page.evaluate(shiftOfCards)).toBeLessThanOrEqual(0.01)
    }
  },
)

/**
 * The layout shift of cards so far; runs in the page. Text that shifts alone has only got its font,
 * later on a busy machine than on an idle one.
 */
function shiftOfCards(): number {
  const observer = new PerformanceObserver(() => {})
  // Shifts from before it observes are put into its records at once.
  observer.observe({ type: 'layout-shift', buffered: true })
  type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] }
  return (observer.takeRecords() as Shift[])
    .filter(({ sources }) =>
      sources.some(({ node }) => node instanceof Element && node.closest('.slider')),
    )
    .reduce((sum, { value }) => sum + value, 0)
}
