import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { button } from './scene-steps.ts'
import { uiText } from './texts.ts'

const showLibrary = (page: Page, locale: Locale, view: 'books' | 'table') =>
  page
    .getByRole('button', { name: uiText(locale, `library:page.views.${view}`), exact: true })
    .click()

/** Selects the table of my documents; phones show books on a shelf by default. */
export const showTable = (page: Page, locale: Locale) => showLibrary(page, locale, 'table')

/** Selects the shelf of my documents; wide screens show a table by default. */
export const showBooks = (page: Page, locale: Locale) => showLibrary(page, locale, 'books')

/** Shows the search, the filters and the shelves of my documents, which phones have behind a button. */
export async function showChoices(page: Page, locale: Locale): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) >= 768) return
  const opener = button(page, locale, 'library:page.filters.open')
  if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click()
}

/** The button that downloads the first of my documents. */
export const downloadOfFirst = (page: Page, locale: Locale) =>
  button(page.locator('[data-purchased]'), locale, 'library:page.download').first()
