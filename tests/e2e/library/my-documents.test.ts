import type { Locator } from 'playwright'
import { expect, test } from 'vitest'
import { fillText } from '../../../src/i18n/format.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { loggedIn, PHONE } from '../../support/browser.ts'
import { expectFocusTrapped, hasFocus, tabTo } from '../../support/keyboard.ts'
import { showBooks, showChoices, showTable } from '../../support/library.ts'
import { aPdf } from '../../support/pdf.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()
const PAGES = 12
const AT = 5

journeys('my documents', ({ locale, viewport }, test) => {
  const TITLES = locale === 'ar' ? ['الكسور', 'الهندسة'] : ['Les fractions', 'La géométrie']

  test('show the progress, resume there, are found by a few letters and work by keyboard', async () => {
    const [title = '', other = ''] = TITLES.map((each) => `${each} ${Math.random()}`)
    const file = aPdf(title, PAGES)
    const read = await shop.aDocument({ title, price: dinars(1), file })
    const unread = await shop.aDocument({ title: other, price: dinars(1) })
    await shop.database.kysely
      .updateTable('files')
      .set({ pageCount: PAGES })
      .from('documents')
      .whereRef('documents.fileId', '=', 'files.id')
      .where('documents.id', '=', read.id)
      .execute()
    const parent = await shop.aCustomer({ balance: dinars(2) })
    await shop.buys(parent, [read.id])
    await shop.buys(parent, [unread.id])
    const kept = await fetch(`${shop.url}/api/library/documents/${read.id}/place`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${parent.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ page: AT }),
    })
    expect(kept.ok).toBe(true)
    const { page } = await loggedIn(shop.url, parent, { locale, viewport, at: '/my-documents' })
    const rows = page.locator('[data-purchased]')
    await expect.poll(() => rows.count()).toBe(2)
    await showBooks(page, locale)
    await showChoices(page, locale)

    // The progress, and where to resume.
    const place = fillText(uiText(locale, 'library:page.progress.page'), { page: AT, pages: PAGES })
    const first = (text: string) => expect.poll(() => rows.first().innerText()).toContain(text)
    await first(other)
    await rows.filter({ hasText: title }).getByText(place).waitFor()
    await page
      .getByLabel(uiText(locale, 'library:page.sort.label'))
      .selectOption(uiText(locale, 'library:page.sort.read'))
    await first(title)
    const continueReading = page.locator('.continue-reading')
    await continueReading.getByText(place).waitFor()
    expect(await continueReading.getByRole('link').getAttribute('href')).toBe(
      pathIn(locale, `/read/${read.id}`),
    )

    // By an article and a single letter.
    const search = page.getByLabel(uiText(locale, 'library:page.search'))
    await search.fill(title.slice(0, 3))
    await expect.poll(() => rows.count()).toBe(1)
    await first(title)
    await search.fill('')
    await expect.poll(() => rows.count()).toBe(2)

    // Keys open the details from a row of the table and from a book, and return.
    const opens = async (more: Locator) => {
      await tabTo(page, more)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: title })
      await expectFocusTrapped(page, dialog)
      await button(dialog, locale, 'library:page.preview').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => hasFocus(more)).toBe(true)
    }
    const more = rows.filter({ hasText: title }).locator('[aria-haspopup=dialog]')
    await opens(more)
    await showTable(page, locale)
    await page.locator('.row-actions').first().waitFor()
    await opens(more)
  })
})

test('on a phone the first book is on the first screen; one button has search, filters and shelves', async () => {
  const documents = [await shop.aDocument({ price: dinars(1) }), await shop.aDocument({ price: 0 })]
  const parent = await shop.aCustomer({ balance: dinars(2) })
  await shop.buys(
    parent,
    documents.map(({ id }) => id),
  )
  const { page } = await loggedIn(shop.url, parent, { viewport: PHONE, at: '/my-documents' })
  const cover = page.locator('.book .card__cover').first()
  await cover.waitFor()
  // Under the page's own heading no level is left out.
  const headings = page.locator('main :is(h1, h2, h3)')
  await expect.poll(() => headings.nth(1).evaluate(({ tagName }) => tagName)).toBe('H2')
  const [book, bar] = [await cover.boundingBox(), await page.locator('.bottom-bar').boundingBox()]
  expect(book && book.y + book.height).toBeLessThan(bar?.y ?? PHONE.height)
  const search = page.getByLabel(uiText('ar', 'library:page.search'))
  const shelves = button(page, 'ar', 'library:shelves.first')
  for (const choice of [search, shelves]) expect(await choice.count()).toBe(0)
  await showChoices(page, 'ar')
  for (const choice of [search, shelves]) await choice.waitFor()
  await search.fill('zzz')
  const opener = button(page, 'ar', 'library:page.filters.open')
  await expect.poll(() => opener.innerText()).toContain('1')
})

// Words are longest in French.
test('the table of my documents shows everything of a row at every width', async () => {
  const locale = 'fr'
  const document = await shop.aDocument({
    title: 'Sciences de la vie et de la Terre : révision générale avant l’examen 2025-2026',
    price: dinars(120),
  })
  const parent = await shop.aCustomer({ balance: dinars(200) })
  await shop.buys(parent, [document.id])
  const { page } = await loggedIn(shop.url, parent, { locale, at: '/my-documents' })
  await showTable(page, locale)
  const more = page.locator('[data-purchased] .icon-button[aria-haspopup="dialog"]').first()
  for (const width of [360, 640, 768, 1024, 1279, 1280, 1366, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await expect
      .poll(
        () => page.locator('.table-wrap').evaluate((box) => box.scrollWidth - box.clientWidth),
        { message: `${width}` },
      )
      .toBe(0)
    await expect
      .poll(() => more.boundingBox().then((box) => box && box.x >= 0 && box.x + box.width <= width))
      .toBe(true)
    if (width < 768) continue
    // Six columns beside each other, none of them cut.
    expect(await page.locator('thead th:visible').count()).toBe(6)
    const cells = await page
      .locator('[data-purchased] td')
      .evaluateAll((all) => all.map((cell) => Math.round(cell.getBoundingClientRect().top)))
    expect(new Set(cells).size, `${width}: ${cells.join()}`).toBe(1)
    if (width !== 1280) continue
    const heights = await page
      .locator('.row-actions .button, .row-short > *')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().height))
    expect(Math.max(...heights), heights.join()).toBeLessThanOrEqual(44)
  }
})
