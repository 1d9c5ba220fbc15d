import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { said } from './texts.ts'

const show = (page: Page, locale: Locale, view: 'books' | 'table') =>
  page
    .getByRole('button', { name: said(locale, `library:page.views.${view}`), exact: true })
    .click()

/** Chooses the table of my documents, where phones show books on a shelf. */
export const showTable = (page: Page, locale: Locale) => show(page, locale, 'table')

/** Chooses the shelf of my documents, where a wide screen shows a table. */
export const showBooks = (page: Page, locale: Locale) => show(page, locale, 'books')

/** The button that downloads the first of my documents. */
export const downloadOfFirst = (page: Page, locale: Locale) =>
  page
    .locator('[data-purchased]')
    .getByRole('button', { name: said(locale, 'library:page.download') })
    .first()
