import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { loggedIn, newVisitor } from '../../support/browser.ts'
import { aPdf } from '../../support/pdf.ts'
import { aReader, PAGES, readerAt, setPageOrder, untilCurrent } from '../../support/reader.ts'
import { button, link } from '../../support/scene-steps.ts'
import { ARABIC, journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

/** An overloaded machine; the request is repeated. */
const BUSY = /status of 503/

/** Documents of the demo shop with text in their language, and words of their first page. */
const WRITTEN = {
  ar: { id: 1, words: 'الكسور' },
  fr: { id: 7, words: 'Second degré' },
} as const

/** Selects vertical scrolling before the reader opens. */
const scrolled = (page: Page) =>
  page.addInitScript(() => {
    localStorage.setItem('reader_view', '{"layout":"scroll","isNight":false}')
  })

const top = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().top)

/** Scrolls the strip by pages, to the left if negative, as a swipe does. */
const swipe = (page: Page, pages: number) =>
  page.locator('.reader__stage').evaluate((stage, times) => {
    stage.scrollBy({ left: times * stage.clientWidth, behavior: 'instant' })
  }, pages)

journeys('the pages', ({ locale, viewport }, test) => {
  test('expose their text, one at a time, in their language', async () => {
    const parent = await shop.aCustomer({ balance: 100_000 })
    const { id, words } = WRITTEN[locale]
    await shop.buys(parent, [id])
    const { page } = await loggedIn(shop.url, parent, { locale, viewport, allowed: [BUSY] })
    const requested: string[] = []
    page.on('request', (request) => {
      if (/\/api\/preview\/.*\.(webp|txt)$/.test(request.url())) requested.push(request.url())
    })
    await page.goto(readerAt(locale, id))
    await untilCurrent(page, 1)
    const first = page.locator(`[data-page="1"] p[lang=${locale}]`)
    await expect.poll(async () => (await first.allTextContents()).join('\n')).toContain(words)
    await expect.poll(() => first.first().getAttribute('dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr')
    // Nobody waits for it, and nothing is prefetched.
    expect(requested[0]).toMatch(/\.webp$/)
    expect(requested.filter((url) => url.endsWith('.txt'))).toHaveLength(1)
    await button(page, locale, 'reader:page.next').click()
    await untilCurrent(page, 2)
    await page.locator('[data-page="2"] p[lang]').first().waitFor({ state: 'attached' })
    await expect.poll(() => page.locator('[data-page] p[lang]').count()).toBeGreaterThan(0)
    await expect.poll(() => first.count()).toBe(0)
  })

  test('stay images without text where it fails to load', async () => {
    const { parent, id } = await aReader(shop, locale)
    const allowed = [BUSY, /status of 404/]
    const { page } = await loggedIn(shop.url, parent, { locale, viewport, allowed })
    // An older backend, or a page without text.
    await page.route('**/api/preview/*/*.txt', (route) => route.fulfill({ status: 404, json: {} }))
    const refused = page.waitForResponse(/\.txt$/)
    await page.goto(readerAt(locale, id))
    await untilCurrent(page, 1)
    await refused
    await page.keyboard.press('End')
    await untilCurrent(page, PAGES)
    expect(await page.locator('[data-page] p[lang], [role=alert]').count()).toBe(0)
  })

  test('in vertical view start below the bar, and a page is found at its position', async () => {
    // Wide and low, like slides: several are on the screen at a time.
    const slides = (title: string) =>
      Buffer.from(
        aPdf(title, PAGES).toString('latin1').replaceAll('0 0 595 842]', '0 0 842 225]'),
        'latin1',
      )
    const { parent, id } = await aReader(shop, locale, slides)
    const { page } = await loggedIn(shop.url, parent, { locale, viewport, allowed: [BUSY] })
    await scrolled(page)
    await page.goto(readerAt(locale, id))
    await untilCurrent(page, 1)
    const bar = await page
      .locator('.reader__bar--top')
      .evaluate((element) => element.getBoundingClientRect().bottom)
    const sheet = (at: number) => top(page, `[data-page="${at}"] .reader__sheet`)
    await expect.poll(() => sheet(1)).toBeGreaterThanOrEqual(bar)
    for (const at of [2, 5, 3, PAGES, PAGES - 1, 1]) {
      const field = page.getByLabel(uiText(locale, 'reader:page.goTo'))
      await field.focus()
      await field.fill(String(at))
      await page.keyboard.press('Enter')
      await untilCurrent(page, at)
      await expect.poll(() => sheet(at)).toBeGreaterThanOrEqual(bar)
    }
    // After scrolling, the page in the middle is the current one.
    await page.locator('.reader__stage').hover()
    await page.mouse.wheel(0, viewport.height / 2)
    const number = page.locator('.reader__number input')
    await expect.poll(async () => Number(await number.inputValue())).toBeGreaterThan(1)
  })

  test('show that the connection is lost, and that it is back', async () => {
    const { parent, id } = await aReader(shop, locale)
    const allowed = [BUSY, /ERR_INTERNET_DISCONNECTED/]
    const { page, context } = await loggedIn(shop.url, parent, { locale, viewport, allowed })
    await page.goto(readerAt(locale, id))
    await untilCurrent(page, 1)
    await page.keyboard.press('PageDown')
    await untilCurrent(page, 2)
    const sentence = page.getByText(uiText(locale, 'reader:page.offline'))
    expect(await sentence.count()).toBe(0)
    await context.setOffline(true)
    await sentence.waitFor()
    // The bars have reappeared with it.
    await expect.poll(() => page.locator('.is-reading').count()).toBe(0)
    await context.setOffline(false)
    await sentence.waitFor({ state: 'detached' })
  })

  test('without script there is no loading state, only a notice', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, javaScriptEnabled: false })
    await page.goto(readerAt(locale, 1))
    const missing = page.locator('body > noscript .alert')
    await expect.poll(() => missing.textContent()).toContain(uiText(locale, 'account:noScript'))
    // It is on the screen, with nothing over it.
    const isSeen = () =>
      missing.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const at = document.elementFromPoint(left + width / 2, top + height / 2)
        return height > 0 && at !== null && element.contains(at)
      })
    await expect.poll(isSeen).toBe(true)
    await expect.poll(() => page.locator('.spinner:visible').count()).toBe(0)
    await expect
      .poll(() => page.getByText(uiText(locale, 'reader:page.loading')).isVisible())
      .toBe(false)
    const back = link(page, locale, 'reader:page.back')
    await expect.poll(() => back.isVisible()).toBe(true)
  })
})

test('on a phone, pages turn by swipes, in the order of an Arabic document', async () => {
  const { parent, id } = await aReader(shop, 'ar')
  const { page } = await loggedIn(shop.url, parent, { ...ARABIC, allowed: [BUSY] })
  await setPageOrder(page, 'ar')
  await page.goto(readerAt('ar', id))
  await untilCurrent(page, 1)
  await swipe(page, -1)
  await untilCurrent(page, 2)
  await swipe(page, -1)
  await untilCurrent(page, 3)
  await swipe(page, 1)
  await untilCurrent(page, 2)
})
