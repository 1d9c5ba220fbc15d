import type { Page } from 'playwright'
import type { Locale } from '../../src/i18n/locales.ts'
import { said } from './texts.ts'

/** Chooses the table of my documents, where phones show books on a shelf. */
export async function showTable(page: Page, locale: Locale): Promise<void> {
  await page
    .getByRole('button', { name: said(locale, 'library:page.views.table'), exact: true })
    .click()
}
