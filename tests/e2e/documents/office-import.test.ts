import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import type { Locale } from '../../../src/i18n/locales.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { OWN_COLUMNS } from '../../../src/server/documents/import/columns.ts'
import { anArabicPdf } from '../../support/arabic-pdf.ts'
import { atOffice, DESKTOP, PHONE } from '../../support/browser.ts'
import { cuttableProxy } from '../../support/cut-line.ts'
import { aPdf } from '../../support/pdf.ts'
import { link } from '../../support/scene-steps.ts'
import { sharedShop } from '../../support/stage.ts'
import { type TextKey, uiText } from '../../support/texts.ts'

const shop = sharedShop()

/** Console errors of a cut connection. */
const allowed = [/ERR_/]

/** A list in CSV; rows give reference, title, price and file. */
function csv(rows: readonly (readonly [string, string, string, string])[]): Buffer {
  const lines = rows.map(([reference, title, price, file]) => {
    const values: Readonly<Record<string, string>> = {
      ...{ reference, title, price, file },
      ...{ subject: 'mathematics', class: 'primary-6', category: 'exercises' },
    }
    return OWN_COLUMNS.map((name) => values[name] ?? '').join(';')
  })
  return Buffer.from([OWN_COLUMNS.join(';'), ...lines].join('\n'))
}

const REMARK = Buffer.from('\n# plus tard')

const file = (name: string, buffer: Buffer) => ({ name, mimeType: '', buffer })
const chooser = (page: Page) => page.locator('.upload input[multiple]')
const button = (page: Page, locale: Locale, key: TextKey) =>
  page.getByRole('button', { name: uiText(locale, key), exact: true })

test('in Arabic on a phone: a list with errors, only the corrected rows again, and its drafts', async () => {
  const teacher = await shop.anOfficeTeacher({ firstName: 'سلمى', lastName: 'الزواري' })
  const line = await cuttableProxy(shop.url)
  const { page } = await atOffice(line.url, teacher, { locale: 'ar', viewport: PHONE, allowed })
  await page.goto('/office/documents')
  await link(page, 'ar', 'office-import:list.link').click()
  await chooser(page).waitFor({ state: 'attached' })
  const download = page.waitForEvent('download')
  await button(page, 'ar', 'office-import:download.button').click()
  expect((await download).suggestedFilename()).toBe('catalogue.csv')

  // The connection is cut after the first part.
  const pdf = Buffer.concat([aPdf('الكسور', 3), Buffer.alloc(300_000, ' ')])
  let parts = 0
  await page.route('**/part?*', async (route) => {
    parts++
    if (parts === 2) line.cut()
    await route.continue()
  })
  await chooser(page).setInputFiles([
    file(
      'قائمة.csv',
      csv([
        ['A', 'الكسور', 'غال', 'كسور.pdf'],
        ['B', 'الأعداد', '٣', 'numbers.pdf'],
      ]),
    ),
    file('كسور.pdf', pdf),
  ])
  await button(page, 'ar', 'office:upload.tryNow').waitFor()
  line.mend()
  await page.unroute('**/part?*')
  const problems = page.locator('.import__problems tbody tr')
  await problems.first().waitFor()
  await expect
    .poll(() => problems.allInnerTexts())
    .toEqual([
      expect.stringMatching(/^2\s+price\s/),
      expect.stringMatching(/^3\s+file\s.*numbers\.pdf/s),
    ])
  await page.reload()
  await problems.first().waitFor()

  await chooser(page).setInputFiles([file('قائمة.csv', csv([['A', 'الكسور', '٣', 'كسور.pdf']]))])
  await button(page, 'ar', 'office-import:ready.start').waitFor()
  await button(page, 'ar', 'office-import:ready.start').click()
  await page.locator('.import__done').waitFor()
  await expect.poll(() => page.locator('.import__sums dd').allInnerTexts()).toEqual(['1', '0', '0'])
  await page
    .getByRole('link', { name: uiText('ar', 'office-import:done.documents'), exact: true })
    .click()
  await page.locator('.own-title').getByText('الكسور').waitFor()
})

test('in French on a desktop: a ZIP that is stopped, and files that cannot be unpacked', async () => {
  const teacher = await shop.anOfficeTeacher({ firstName: 'Leïla', lastName: 'Gharbi' })
  const { page } = await atOffice(shop.url, teacher, {
    locale: 'fr',
    viewport: DESKTOP,
    allowed: [/status of 415/],
  })
  await page.goto(inLanguage('fr', '/office/import'))
  await chooser(page).setInputFiles([file('liste.zip', Buffer.from('no ZIP at all'))])
  await page.getByRole('alert').getByText(uiText('fr', 'office-errors:codes.not_a_zip')).waitFor()

  await chooser(page).setInputFiles([
    file('liste.csv', Buffer.concat([csv([['#1', 'Fractions', '3', 'un.pdf']]), REMARK])),
    file('un.pdf', anArabicPdf(['ا', 'ب'])),
  ])
  await button(page, 'fr', 'office-import:ready.other').waitFor()
  expect(await page.locator('.alert li').allInnerTexts()).toEqual([
    expect.stringMatching(/^Ligne 3 – .*plus tard/),
    expect.stringMatching(/^Ligne 2, Colonne file – .*Simplified Arabic/),
  ])
  await button(page, 'fr', 'office-import:ready.other').click()
  await page.getByRole('heading', { name: uiText('fr', 'office-import:steps.title') }).waitFor()
  await page.goto(inLanguage('fr', '/office/documents'))
  await page.locator('.empty-state').waitFor()
})
