import type { Page } from 'playwright'
import { expect } from 'vitest'
import { fillText, pluralText } from '../../../src/i18n/format.ts'
import type { Locale } from '../../../src/i18n/locales.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import { MINUTE_MS } from '../../../src/rules/durations.ts'
import { loggedIn, untilHydrated } from '../../support/browser.ts'
import { CUT_ERRORS, eventually, untilControlled } from '../../support/kept.ts'
import { PATIENCE } from '../../support/patience.ts'
import type { Person } from '../../support/people.ts'
import { aReader, PAGES, pageImage, readerAt, untilCurrent } from '../../support/reader.ts'
import { button, link } from '../../support/scene-steps.ts'
import { PAPER } from '../../support/scenes/samples.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

/** A bought paper whose last four of twelve pages are its correction. */
async function aPaper(locale: Locale, facts: { minutes?: number } = {}) {
  const { parent, id } = await aReader(shop, locale)
  const { kysely } = shop.database
  const { id: categoryId } = await kysely
    .selectFrom('categories')
    .select('id')
    .where('code', '=', 'exams')
    .executeTakeFirstOrThrow()
  await kysely
    .updateTable('documents')
    .set({ correctionPage: 9, categoryId, ...facts })
    .where('id', '=', id)
    .execute()
  return { parent, id }
}

const marksOf = async ({ token }: Person) => {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${shop.url}/api/library/marks`, { headers })).json()
}

/** More than the controls of any page of these. */
const CONTROLS_MOST = 80

const clock = (page: Page) => page.locator('.exam-clock [role=timer]')
const openPages = (page: Page) => page.locator('[data-page]').count()
const paneOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Leaves the reader, as if so much of the time passed, and opens it again. */
async function turnClock(page: Page, passed: number, more: { pages?: number } = {}): Promise<void> {
  const address = page.url()
  await page.goto('/robots.txt')
  await page.evaluate(
    (change) => {
      const key = Object.keys(localStorage).find((each) => each.startsWith('exams:')) ?? ''
      const kept = JSON.parse(localStorage.getItem(key) ?? '')
      const exam = { ...kept.exam, ...change, at: Date.now() }
      localStorage.setItem(key, JSON.stringify({ ...kept, exam }))
    },
    { passed, ...more },
  )
  await page.goto(address)
}

journeys('an exam', ({ locale, viewport }, test) => {
  const text = (key: KeyIn<'reader:exam'>) => uiText(locale, `reader:exam.${key}`)
  const press = (page: Page, key: KeyIn<'reader:exam'>) =>
    button(page, locale, `reader:exam.${key}`).click()

  test('goes on in each tab and over a reload; the correction opens at its end', async () => {
    const { parent, id } = await aPaper(locale, { minutes: 90 })
    const { page, context } = await loggedIn(shop.url, parent, { locale, viewport })
    const requested: string[] = []
    context.on('request', (request) => requested.push(request.url()))
    await page.goto(readerAt(locale, id))
    await untilCurrent(page, 1)
    expect(await openPages(page)).toBe(PAGES)
    await page.keyboard.press('End')
    await untilCurrent(page, PAGES)

    // The bars have stepped aside.
    await page.mouse.click(viewport.width / 2, viewport.height / 2)
    await press(page, 'open')
    await page.getByText(text('minutes')).getByText('90').waitFor()
    await press(page, 'start')
    await clock(page).waitFor()
    await untilCurrent(page, 1)
    expect(await clock(page).innerText()).toMatch(/^(90:00|89:\d\d)$/)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    expect(await openPages(page)).toBe(8)
    await page.keyboard.press('End')
    await untilCurrent(page, 8)
    expect(await page.locator('.exam-clock [role=status]').innerText()).toContain('90')

    // Not a page of the correction is fetched, before the island's scripts neither.
    requested.length = 0
    await turnClock(page, 80 * MINUTE_MS)
    await untilCurrent(page, 8)
    expect(await clock(page).innerText()).toMatch(/^(10:00|9:\d\d)$/)
    const other = await context.newPage()
    await other.goto(readerAt(locale, id))
    await clock(other).waitFor()
    expect(await openPages(other)).toBe(8)
    expect(requested.filter((url) => /\/(9|1\d)-\d+\.webp/.test(url))).toEqual([])

    await press(page, 'stop')
    await press(page, 'stopNo')
    await press(page, 'stop')
    await press(page, 'stopYes')
    for (const each of [page, other]) {
      await paneOf(each, text('correction')).locator('img').first().waitFor()
    }
    const [paper, correction] = await Promise.all(
      (['paper', 'correction'] as const).map((name) => paneOf(page, text(name)).boundingBox()),
    )
    const isPhone = viewport.width < 768
    expect(paper?.y === correction?.y).toBe(!isPhone)
    expect(paper?.x === correction?.x).toBe(isPhone)
    await other.close()
  })

  test('ends with a mark, which only its account has, and deletes', async () => {
    const { parent, id } = await aPaper(locale)
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    await page.goto(readerAt(locale, id))
    await untilCurrent(page, 1)
    await press(page, 'open')
    const minutes = page.getByLabel(text('minutes'))
    expect(await minutes.inputValue()).toBe('60')
    await minutes.fill('3')
    await press(page, 'start')
    await page.getByText(fillText(text('minutesWrong'), { least: 5, most: 600 })).waitFor()
    await minutes.fill('٤٥')
    await page.getByLabel(text('child')).fill('ياسمين')
    await press(page, 'start')
    await clock(page).waitFor()
    // The time is over while the page is closed.
    await turnClock(page, 45 * MINUTE_MS)
    await paneOf(page, text('correction')).waitFor()

    await press(page, 'give')
    const mark = page.getByLabel(fillText(text('mark'), { most: 20 }))
    await mark.fill('21')
    await press(page, 'save')
    await page.getByText(fillText(text('markWrong'), { most: 20 })).waitFor()
    await mark.fill('12,25')
    await press(page, 'save')
    await page.locator('.alert--success').waitFor()
    const given = { documentId: id, quarters: 49, child: 'ياسمين', minutes: 45 }
    await eventually(() => marksOf(parent)).toMatchObject([given])
    // Corrected, it is the same mark.
    await mark.fill('13')
    await press(page, 'save')
    await eventually(() => marksOf(parent)).toMatchObject([{ ...given, quarters: 52 }])

    await link(page, locale, 'reader:exam.marks').click()
    await page.locator('.marks__mark', { hasText: '13 / 20' }).waitFor()
    await button(page.locator('.marks'), locale, 'marks:page.remove').click()
    await page.locator('.marks .button--danger').click()
    await page.getByText(uiText(locale, 'marks:page.empty.title')).waitFor()
    expect(await marksOf(parent)).toEqual([])

    await page.goto(readerAt(locale, id))
    await paneOf(page, text('paper')).waitFor()
    // As if the document's new version had fewer pages.
    await turnClock(page, 45 * MINUTE_MS, { pages: PAGES + 8 })
    await paneOf(page, text('paper')).waitFor()
    expect(await page.locator('.exam-sheet').count()).toBe(PAGES)
    await press(page, 'leave')
    await untilCurrent(page, 1)
    expect(await openPages(page)).toBe(PAGES)
  })

  test('is sat and marked by keyboard alone; the time is said at 30, 10, 5 and 1 minutes, no second', async () => {
    const { parent, id } = await aPaper(locale, { minutes: 45 })
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.clock.install()
    await page.goto(readerAt(locale, id))
    await untilCurrent(page, 1)
    const focused = () =>
      page.evaluate(() => {
        const at = document.activeElement
        return at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? ''
      })
    /** Goes to a control with the key alone, and presses it. */
    const pressByKey = async (name: string) => {
      for (let at = 0; at < CONTROLS_MOST && (await focused()) !== name; at++) {
        await page.keyboard.press('Tab')
      }
      expect(await focused()).toBe(name)
      await page.keyboard.press('Enter')
    }
    await pressByKey(text('open'))
    await page.locator('.reader__panel input:focus').waitFor()
    await page.keyboard.type('ياسمين')
    await page.keyboard.press('Enter')
    await clock(page).waitFor()

    const heard: string[] = []
    await page.exposeFunction('hear', (said: string) => heard.push(said))
    await page.locator('.exam-clock > [role=status]').evaluate((status) => {
      const { hear } = window as unknown as { hear: (text: string) => void }
      const listening = { childList: true, characterData: true, subtree: true }
      new MutationObserver(() => hear(status.textContent ?? '')).observe(status, listening)
    })
    const texts = textsIn(locale, 'reader:exam')
    const said = (minutes: number) => pluralText(locale, texts, 'left', minutes)
    const told: string[] = []
    for (const [passing, left] of [
      [15, 30],
      [20, 10],
      [5, 5],
      [4, 1],
    ] as const) {
      await page.clock.runFor(3000)
      await page.clock.fastForward(passing * MINUTE_MS - 3000)
      told.push(said(left))
      await expect.poll(() => heard).toEqual(told)
    }
    await page.clock.fastForward(MINUTE_MS)
    await paneOf(page, text('correction')).waitFor()
    await page.clock.resume()
    await pressByKey(text('give'))
    await page.locator('.reader__panel input:focus').waitFor()
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await page.locator('.alert--success').waitFor()
    await eventually(() => marksOf(parent)).toMatchObject([{ quarters: 48, child: 'ياسمين' }])
    await pressByKey(text('marks'))

    const marks = (key: KeyIn<'marks:page'>) => uiText(locale, `marks:page.${key}`)
    await page.locator('.marks__mark').waitFor()
    await pressByKey(marks('removeAll'))
    await pressByKey(marks('removeNo'))
    await expect.poll(focused).toBe(marks('removeAll'))
    await page.keyboard.press('Enter')
    await pressByKey(marks('removeYes'))
    await page.getByText(marks('empty.title')).waitFor()
    expect(await marksOf(parent)).toEqual([])
  })

  test('is sat and marked without a network; the mark is sent later, once', async () => {
    const { parent, id } = await aPaper(locale)
    const allowed = CUT_ERRORS
    const options = { locale, viewport, keepsPages: true, allowed }
    const { page, context } = await loggedIn(shop.url, parent, options)
    await page.goto(pathIn(locale, '/my-documents'))
    await untilControlled(page)
    await untilHydrated(page)
    await page.locator('.library [aria-haspopup=dialog]').first().click()
    const book = page.locator('dialog[open]')
    await button(book, locale, 'offline:keep.keep').click()
    await book.locator('.keep').getByText(uiText(locale, 'offline:keep.kept')).waitFor(PATIENCE)

    await context.setOffline(true)
    await page.goto(readerAt(locale, id))
    await pageImage(page, 1).waitFor()
    await press(page, 'open')
    await press(page, 'start')
    await clock(page).waitFor()
    await page.reload()
    await clock(page).waitFor()
    await press(page, 'stop')
    await press(page, 'stopYes')
    await paneOf(page, text('correction')).locator('img').first().waitFor()
    await press(page, 'give')
    await page.getByLabel(fillText(text('mark'), { most: 20 })).fill('9.5')
    await press(page, 'save')
    await page.locator('.alert--success').waitFor()
    await link(page, locale, 'reader:exam.marks').click()
    const shown = page.locator('.marks__mark', {
      hasText: locale === 'fr' ? '9,5 / 20' : '9.5 / 20',
    })
    await shown.waitFor()
    expect(await marksOf(parent)).toEqual([])

    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT' && /\/library\/marks\//.test(request.url()))
        sent.push(request.url())
    })
    // A question that is open stays when the network comes back.
    await button(page.locator('.marks'), locale, 'marks:page.remove').click()
    await context.setOffline(false)
    await eventually(() => marksOf(parent)).toMatchObject([{ documentId: id, quarters: 38 }])
    await page.locator('.marks .button--danger').waitFor()
    await page.reload()
    await shown.waitFor()
    expect(sent).toHaveLength(1)
  })

  test('is sat with the sample of a paper that is not bought, which says where its correction is', async () => {
    // One of the demo's, whose samples are drawn.
    const id = PAPER
    const parent = await shop.aCustomer()
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    const look = pathIn(locale, `/look-inside/${id}`)
    await expect.poll(async () => (await fetch(shop.url + look)).status, PATIENCE).toBe(200)
    await page.goto(look)
    await link(page, locale, 'samples:page.exam').click()
    await page.getByText(text('sample_inside')).waitFor()
    await page.getByText(text('minutes')).getByText('60').waitFor()
    await press(page, 'start')
    await expect.poll(() => clock(page).innerText()).toMatch(/^(?:60|59):/)
    expect(await openPages(page)).toBe(1)
    await pageImage(page, 1).waitFor()
    await page.reload()
    await clock(page).waitFor()
    await press(page, 'stop')
    await press(page, 'stopYes')
    const correction = paneOf(page, text('correction'))
    await correction.getByText(text('sample_inside')).waitFor()
    await press(page, 'give')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').first().fill('14')
    await button(dialog, locale, 'reader:exam.save').click()
    await expect
      .poll(() => marksOf(parent), PATIENCE)
      .toMatchObject([{ documentId: id, quarters: 56 }])
    await page.keyboard.press('Escape')
    await correction.getByRole('link', { name: text('seePaper') }).click()
    await page.waitForURL((url) => url.pathname.endsWith(`/shop-details/${id}`))
  })
})
