import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { fillText, priceText } from '../../src/i18n/format.ts'
import { dinars } from '../../src/rules/money.ts'
import { PAGE_WIDTHS } from '../../src/rules/reading.ts'
import { readableRib } from '../../src/rules/rib.ts'
import { readableReference } from '../../src/rules/typed-numbers.ts'
import { EXAMPLE_FACTS } from '../../src/site.ts'
import { fill } from './browser.ts'
import type { CuttableProxy } from './cut-line.ts'
import {
  checkPage,
  documents,
  earnings,
  expectFits,
  main,
  open,
  press,
  untilAt,
} from './first-day-access.ts'
import { downloadOfFirst, showTable } from './library.ts'
import { aPdf } from './pdf.ts'
import { uiText } from './texts.ts'

export const TITLE = 'مراجعة الكسور العشرية'
export const RIB = '08006023011000456789'
/** Large enough for several parts, which grow on a fast connection. */
const PDF = Buffer.concat([aPdf(TITLE, 3), Buffer.alloc(900_000, ' ')])

/** Writes a document, uploads its file over a connection that is cut twice, and submits it. */
export async function submitDocument(page: Page, line: CuttableProxy): Promise<void> {
  await open(page, '/office/documents')
  await main(page).locator('.empty-state a').waitFor()
  await checkPage(page)
  await main(page).locator('.empty-state a').click()
  await untilAt(page, '/office/document')
  const field = (name: string) => page.locator(`.editor__text [name="${name}"]`)
  await field('title').fill(TITLE)
  await field('description').fill('ثلاث صفحات من التمارين المتدرّجة، مع الإصلاح.')
  for (const name of ['matiereId', 'niveauId', 'categoryId', 'type']) {
    await field(name).selectOption({ index: 1 })
  }
  await field('price').fill('٨٠')

  let parts = 0
  let cuts = 0
  await page.route('**/part?*', async (route) => {
    parts++
    if (parts === 2 || parts === 4) {
      line.cut()
      cuts++
    }
    await route.continue().catch(() => {})
  })
  await page
    .locator('.editor__file input[type="file"]')
    .setInputFiles({ name: 'الكسور.pdf', mimeType: 'application/pdf', buffer: PDF })
  const again = main(page).getByRole('button', { name: uiText('ar', 'office:upload.tryNow') })
  for (const cut of [1, 2]) {
    await expect.poll(() => cuts).toBe(cut)
    await again.waitFor()
    if (cut === 1) await checkPage(page)
    line.mend()
    // Unless it has resumed by itself meanwhile.
    await again.evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).click()
    })
  }
  await page.locator('.editor__file').getByText(documents('form.file.there')).waitFor()
  await page.locator('.save-state').getByText(uiText('ar', 'office:form.saved')).waitFor()
  await checkPage(page)
  await press(page, documents('acts.submit.button'))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: documents('acts.submit.button') }).click()
  await page.locator('.standing').getByText(documents('states.submitted')).waitFor()
}

/**
 * Finds the document by another spelling, and orders it by bank transfer; returns its reference.
 */
export async function orderByTransfer(page: Page): Promise<string> {
  const search = page.getByRole('combobox').and(page.locator(':visible')).first()
  await search.fill('الكسور مراجعه')
  await search.press('Enter')
  // Home shows it too, until the results are loaded.
  await page.waitForURL(/\/shop\?/)
  await main(page).getByRole('link', { name: TITLE }).first().click()
  await page.waitForURL(/\/shop-details\/\d+$/)
  await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
  await expectFits(page)
  await page.locator('main .add-to-cart button:visible').first().click()
  await page.getByRole('button', { name: uiText('ar', 'cart:overlays.walletIntro.ok') }).click()
  await open(page, '/checkout')
  await page.locator('#payment input[value="bank_transfer"]').check()
  await expectFits(page)
  await page.locator('#payment button.button--primary').click()
  await page
    .getByRole('dialog', { name: uiText('ar', 'checkout:confirm.title') })
    .getByRole('button', { name: uiText('ar', 'checkout:confirm.yes') })
    .click()
  await page.waitForURL(/\/payment\/transfer\//)
  const reference = readableReference(new URL(page.url()).pathname.split('/').at(-1) ?? '')
  await page.getByText(reference).waitFor()
  await page.getByText(EXAMPLE_FACTS.bank.rib).waitFor()
  await expectFits(page)
  await page.goto('/my-documents')
  await page.locator('.open-orders > li').getByText(TITLE).waitFor()
  return reference
}

/**
 * Reads the document once it is paid, and downloads the teacher's exact bytes, followed by the
 * buyer's footer.
 */
export async function readAndDownload(page: Page): Promise<void> {
  await page.locator('[data-purchased]', { hasText: TITLE }).waitFor()
  await expectFits(page)
  await showTable(page, 'ar')
  await page
    .getByRole('button', { name: uiText('ar', 'library:page.preview') })
    .first()
    .click()
  const pages = page.frameLocator('dialog iframe').locator('img')
  await expect.poll(() => pages.count()).toBe(3)
  const width = () => pages.first().evaluate((image) => (image as HTMLImageElement).naturalWidth)
  await expect.poll(width).toBeGreaterThanOrEqual(Math.min(...PAGE_WIDTHS))
  await page.keyboard.press('Escape')
  const coming = page.waitForEvent('download')
  await downloadOfFirst(page, 'ar').click()
  const download = await coming
  expect(download.suggestedFilename()).toBe(`${TITLE}.pdf`)
  const downloaded = await readFile(await download.path())
  expect(downloaded.subarray(0, PDF.length).equals(PDF)).toBe(true)
}

/** Opens the sale and its earnings, and requests a payout. */
export async function requestPayout(page: Page): Promise<void> {
  await open(page, '/office/sales')
  const sale = main(page).locator('tbody tr')
  await sale.getByText(TITLE).waitFor()
  expect(await sale.innerText()).toContain('56.00')
  await checkPage(page)
  await open(page, '/office/earnings')
  await expect.poll(() => page.locator('.summary__amount').innerText()).toContain('56.00')
  await checkPage(page)
  await open(page, '/office/payouts')
  await fill(page, earnings('account.holder'), 'سلمى الزواري')
  await fill(page, earnings('account.rib'), readableRib(RIB))
  await press(page, earnings('account.submit'))
  await main(page).getByLabel(earnings('payouts.ask.amount'), { exact: true }).fill('٥٦')
  await press(page, earnings('payouts.ask.next'))
  const dialog = page.getByRole('dialog', { name: earnings('payouts.ask.title') })
  const sum = { amount: priceText('ar', dinars(56)) }
  await dialog.getByRole('button', { name: fillText(earnings('payouts.ask.submit'), sum) }).click()
  await page.getByText(earnings('payouts.ask.done')).waitFor()
  await checkPage(page)
}
