import { expect } from 'vitest'
import { fillText, pluralText } from '../../../src/i18n/format.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import { loggedIn } from '../../support/browser.ts'
import { hasFocus } from '../../support/keyboard.ts'
import { aPdf } from '../../support/pdf.ts'
import { aReader, PAGES, readerAt, untilCurrent } from '../../support/reader.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { hold } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

/** An overloaded machine; the request is repeated. */
const BUSY = /status of 503/
const CHAPTERS = ['الدرس الأول', 'Exercices', 'Corrigé']

journeys('the reader’s panels', ({ locale, viewport }, test) => {
  const text = (key: 'contents' | 'find' | 'view' | 'goTo' | 'close') =>
    uiText(locale, `reader:page.${key}`)

  /** A reader of a document, and the panels that it opens. */
  async function reader({ chapters = CHAPTERS } = {}) {
    const file = (title: string) => aPdf(title, PAGES, chapters)
    const { parent, id } = await aReader(shop, locale, file)
    const visitor = await loggedIn(shop.url, parent, { locale, viewport, allowed: [BUSY] })
    const { page } = visitor
    await page.goto(readerAt(locale, id))
    await untilCurrent(page, 1)
    const panel = page.getByRole('dialog')
    const button = (name: 'contents' | 'find' | 'view') =>
      page.locator('.reader__tools').getByRole('button', { name: text(name), exact: true })
    return { visitor, page, panel, button }
  }

  test('the contents link to their pages, by keys alone; a document without contents has none', async () => {
    const { visitor, page, panel, button } = await reader()
    await button('contents').focus()
    await page.keyboard.press('Enter')
    await panel.waitFor()
    expect(await button('contents').getAttribute('aria-expanded')).toBe('true')
    await expect.poll(() => hasFocus(panel)).toBe(true)
    const entries = panel.locator('.reader__list button')
    await expect.poll(() => entries.locator('[dir=auto]').allTextContents()).toEqual(CHAPTERS)

    // Past the close button.
    for (const _ of ['close', ...CHAPTERS.slice(0, 2)]) await page.keyboard.press('Tab')
    await expect.poll(() => hasFocus(entries.nth(1))).toBe(true)
    await page.keyboard.press('Enter')
    await untilCurrent(page, 2)
    await entries.nth(2).click()
    await untilCurrent(page, 3)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(button('contents'))).toBe(true)
    await untilCurrent(page, 3)
    await visitor.leave()

    const without = await reader({ chapters: [] })
    await without.button('find').waitFor()
    expect(await without.button('contents').count()).toBe(0)
    await without.visitor.leave()
  })

  test('finds text by keys alone, also with Arabic digits, and says when there is no match', async () => {
    const { page, panel, button } = await reader()
    const find = textsIn(locale, 'reader:find')
    await button('find').focus()
    await page.keyboard.press('/')
    const field = panel.getByRole('searchbox')
    await expect.poll(() => hasFocus(field)).toBe(true)
    await page.keyboard.type('Page ١٢')
    await page.keyboard.press('Enter')
    await panel.getByText(pluralText(locale, find, 'finds', 1), { exact: true }).waitFor()
    const found = panel.locator('.reader__list button')
    await expect.poll(() => found.locator('mark').allTextContents()).toEqual(['Page 12'])
    await found.focus()
    await page.keyboard.press('Enter')
    await untilCurrent(page, 12)

    const nothing = 'صفحة غير موجودة'
    await field.fill(nothing)
    await page.keyboard.press('Enter')
    await panel.getByText(fillText(find.none, { text: `\u2068${nothing}\u2069` })).waitFor()
    await expect.poll(() => found.count()).toBe(0)
    // An empty search sends no request.
    await field.fill('  ')
    await page.keyboard.press('Enter')
    await expect.poll(() => panel.getByRole('status').textContent()).toBe('')
    await field.fill('page')
    await page.keyboard.press('Enter')
    await panel.getByText(pluralText(locale, find, 'finds', PAGES), { exact: true }).waitFor()

    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(button('find'))).toBe(true)
    // Reopened, it still shows the matches.
    await page.keyboard.press('Enter')
    await expect.poll(() => field.inputValue()).toBe('page')
    await expect.poll(() => found.count()).toBe(PAGES)
    await panel.getByRole('button', { name: text('close') }).click()
    await panel.waitFor({ state: 'detached' })
  })

  test('the page number accepts another page in any digits, and nothing else', async () => {
    const { page } = await reader()
    const field = page.getByLabel(text('goTo'))
    const go = async (typed: string, at: number) => {
      await field.focus()
      await field.fill(typed)
      await page.keyboard.press('Enter')
      await untilCurrent(page, at)
    }
    await go('٧', 7)
    await go('abc', 7)
    await go('', 7)
    await go('99', PAGES)
    await go('0', 1)
    await go(' 5 ', 5)
    await field.focus()
    await field.fill('9')
    await page.keyboard.press('Escape')
    await expect.poll(() => field.inputValue()).toBe('5')
    await field.blur()
    await untilCurrent(page, 5)
  })

  test('prints the selection; Escape stops it and restores the focus', async () => {
    const { page, panel, button } = await reader()
    const label = (key: 'from' | 'to' | 'start' | 'cancel') => uiText(locale, `reader:print.${key}`)
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '')
    })
    await button('view').focus()
    await page.keyboard.press('Enter')
    await panel.getByRole('button', { name: uiText(locale, 'reader:view.print') }).focus()
    await page.keyboard.press('Enter')
    const from = panel.getByLabel(label('from'))
    await expect.poll(() => hasFocus(from)).toBe(true)
    const wrong = panel.getByText(fillText(uiText(locale, 'reader:print.wrong'), { count: PAGES }))
    for (const [first, last] of [
      ['3', '2'],
      ['0', '2'],
      ['', '2'],
      ['1', '١٣'],
      ['x', '2'],
    ] as const) {
      await from.fill(first)
      await panel.getByLabel(label('to')).fill(last)
      await page.keyboard.press('Enter')
      await wrong.waitFor()
    }

    // A page that loads slowly: cancelled, nothing is printed.
    const release = await hold(page, '**/api/preview/*/2-1400.webp')
    await from.fill('١')
    await panel.getByLabel(label('to')).fill('٢')
    await page.keyboard.press('Enter')
    await panel.getByRole('button', { name: label('cancel') }).click()
    await panel.getByRole('button', { name: label('start') }).waitFor()
    release()
    await panel.getByLabel(label('to')).fill('1')
    await page.keyboard.press('Enter')
    await page.locator('body[data-printed]').waitFor()
    expect(await page.locator('.reader-sheets img').count()).toBe(1)

    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(button('view'))).toBe(true)
    await expect.poll(() => page.locator('.reader-sheets').count()).toBe(0)
  })
})
