// @everyday: a buyer reads.

import type { CDPSession, Page } from 'playwright'
import { expect, test } from 'vitest'
import { formatDate } from '../../../src/i18n/dates.ts'
import { fillText } from '../../../src/i18n/format.ts'
import { loggedIn, withoutCache } from '../../support/browser.ts'
import { showTable } from '../../support/library.ts'
import {
  aReader,
  PAGES,
  pageImage,
  readerAt,
  setPageOrder,
  TITLES,
  untilCurrent,
} from '../../support/reader.ts'
import { button, link } from '../../support/scene-steps.ts'
import { journeys, PERSONAS, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'
import { READER_SHELL_MAX_BYTES } from '../../support/weight.ts'

const shop = sharedShop()
const widthOf = (page: Page, at: number) =>
  pageImage(page, at).evaluate((image) => Math.round(image.getBoundingClientRect().width))

/** Two fingers that move apart in the middle of the screen. */
async function pinch(session: CDPSession, { width, height }: { width: number; height: number }) {
  const fingers = (apart: number) => [
    { x: width / 2 - apart, y: height / 2, id: 0 },
    { x: width / 2 + apart, y: height / 2, id: 1 },
  ]
  const touch = (type: string, touchPoints: object[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints } as never)
  await touch('touchStart', fingers(40))
  for (const apart of [50, 60, 70, 80]) await touch('touchMove', fingers(apart))
  await touch('touchEnd', [])
}

test.each(PERSONAS)(
  'the reader turns, zooms, scrolls, darkens and remembers, $who',
  async ({ locale, viewport }) => {
    const isPhone = viewport.width < 768
    const text = (key: KeyIn<'reader:page'>) => uiText(locale, `reader:page.${key}`)
    const { parent, id } = await aReader(shop, locale)
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    await setPageOrder(page, locale)
    await page.goto(readerAt(locale, id))
    await untilCurrent(page, 1)
    await expect.poll(() => page.title()).toContain(TITLES[locale])
    const ahead = locale === 'ar' ? 'ArrowLeft' : 'ArrowRight'
    const back = locale === 'ar' ? 'ArrowRight' : 'ArrowLeft'

    // By keys, at the sides, by the buttons, by its number, by the slider.
    await page.keyboard.press(ahead)
    await untilCurrent(page, 2)
    await page.keyboard.press(back)
    await untilCurrent(page, 1)
    const far = locale === 'ar' ? 10 : viewport.width - 10
    await page.mouse.click(far, viewport.height / 2)
    await untilCurrent(page, 2)
    await page.mouse.click(viewport.width - far, viewport.height / 2)
    await untilCurrent(page, 1)
    // The bars are hidden; a tap in the middle, or the focus, shows them.
    if (isPhone) {
      await expect.poll(() => page.locator('.is-reading').count()).toBe(1)
      await page.mouse.click(viewport.width / 2, viewport.height / 2)
      await expect.poll(() => page.locator('.is-reading').count()).toBe(0)
    }
    await page.getByRole('button', { name: text('next') }).click()
    await untilCurrent(page, 2)
    await page.getByLabel(text('goTo')).focus()
    await page.getByLabel(text('goTo')).fill('١١')
    await page.keyboard.press('Enter')
    await untilCurrent(page, 11)
    await page.getByRole('slider').fill('4')
    await untilCurrent(page, 4)

    // Zooms: the point in the middle stays, and a sharper image loads.
    await page.locator('.reader__stage').focus()
    const fitting = await widthOf(page, 4)
    for (let times = 0; times < 5; times++) await page.keyboard.press('+')
    await expect.poll(() => widthOf(page, 4)).toBeGreaterThan(2.5 * fitting)
    await expect
      .poll(() =>
        pageImage(page, 4).evaluate((image) => Number((image as HTMLElement).dataset.width)),
      )
      .toBeGreaterThanOrEqual(900)
    await page.keyboard.press('0')
    await expect.poll(() => widthOf(page, 4)).toBe(fitting)
    if (isPhone) {
      await pinch(await page.context().newCDPSession(page), viewport)
      await expect.poll(() => widthOf(page, 4)).toBeGreaterThan(1.7 * fitting)
      await page.keyboard.press('0')
    }
    const middle = [viewport.width / 2, viewport.height / 2] as const
    await page.mouse.dblclick(...middle)
    await expect.poll(() => widthOf(page, 4)).toBeGreaterThan(2 * fitting)
    await page.mouse.dblclick(...middle)
    await expect.poll(() => widthOf(page, 4)).toBe(fitting)

    // Vertical scrolling, on dark paper; both are remembered, and so is the place.
    await page.getByRole('button', { name: text('view') }).focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog')
    await panel.getByLabel(uiText(locale, 'reader:view.scroll')).check()
    await panel.getByLabel(uiText(locale, 'reader:view.night')).check()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await untilCurrent(page, 4)
    const kept = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await page.keyboard.press('End')
    await untilCurrent(page, PAGES)
    expect((await kept).status()).toBe(200)
    await page.reload()
    await untilCurrent(page, PAGES)
    expect(await page.locator('.is-night .reader__stage--scroll').count()).toBe(1)
    const { body } = await shop.send(parent, 'GET', `/library/documents/${id}/reading`)
    expect(body.place.page).toBe(PAGES)
  },
)

journeys('the reader', ({ locale, viewport }, test) => {
  test('offers the page that another device has reached since, with its date', async () => {
    const { parent, id } = await aReader(shop, locale)
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    await page.goto(readerAt(locale, id))
    await untilCurrent(page, 1)
    const kept = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await page.keyboard.press('PageDown')
    await untilCurrent(page, 2)
    await kept
    const elsewhere = await shop.send(parent, 'PUT', `/library/documents/${id}/place`, { page: 7 })
    expect(elsewhere.status).toBe(200)

    await page.reload()
    await untilCurrent(page, 2)
    const date = formatDate(locale, elsewhere.body.at)
    const sentence = fillText(uiText(locale, 'reader:elsewhere.text'), { date, page: 7 })
    await page.getByText(sentence).waitFor()
    const go = fillText(uiText(locale, 'reader:elsewhere.go'), { page: 7 })
    await page.getByRole('button', { name: go }).click()
    await untilCurrent(page, 7)
    await page.getByText(sentence).waitFor({ state: 'detached' })
  })

  test('weighs little before its first image', async () => {
    const { parent, id } = await aReader(shop, locale)
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    await withoutCache(page)
    await page.goto(readerAt(locale, id))
    await untilCurrent(page, 1)
    const bytes = await page.evaluate(() => {
      const entries = [
        ...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource'),
      ] as PerformanceResourceTiming[]
      const picture = entries.find(({ name }) => name.endsWith('.webp'))
      return entries
        .filter(({ startTime }) => picture && startTime < picture.startTime)
        .reduce((sum, { transferSize }) => sum + transferSize, 0)
    })
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(READER_SHELL_MAX_BYTES)
  })

  test('opens from the dialog of a preview', async () => {
    const { parent, id } = await aReader(shop, locale)
    const { page } = await loggedIn(shop.url, parent, { locale, viewport, at: '/my-documents' })
    await showTable(page, locale)
    await button(page, locale, 'library:page.preview').first().click()
    const frame = page.frameLocator('dialog iframe')
    await frame.locator('[data-page="1"] img').waitFor()
    expect(await frame.locator('.reader__back').isVisible()).toBe(false)
    await link(page, locale, 'reader:dialog.open').click()
    await page.waitForURL(new RegExp(`/read/${id}$`))
    await untilCurrent(page, 1)
  })
})
