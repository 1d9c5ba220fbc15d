import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { TROUBLES_SHOWN } from '../../../src/contract/office-stamp.ts'
import { fillText } from '../../../src/i18n/format.ts'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import { atOffice } from '../../support/browser.ts'
import { expectFocusTrapped, hasFocus, tabTo } from '../../support/keyboard.ts'
import { aPdf } from '../../support/pdf.ts'
import { FRENCH, journeys, shopForFile } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = shopForFile()
const CALL = '**/api/office/admin/stamp'

/** Clears the list, as if no file had ever failed. */
async function forgetTroubles(): Promise<void> {
  const { kysely } = shop.database
  await sql`DELETE FROM unstamped_files`.execute(kysely)
  await sql`UPDATE samples SET trouble = NULL, failed_at = NULL`.execute(kysely)
}

/** A published document whose file could neither be stamped nor drawn. */
async function aTroubledDocument(title: string, teacherId?: number): Promise<number> {
  const { kysely } = shop.database
  const file = aPdf(`${title} ${randomUUID()}`, 2)
  const { id } = await shop.aDocument({ title, file, ...(teacherId && { teacherId }) })
  await sql`INSERT INTO unstamped_files (sha256, reason, detail, noted_at)
    SELECT f.sha256, 'encrypted', 'a password', now()
    FROM documents d JOIN files f ON f.id = d.file_id WHERE d.id = ${id}`.execute(kysely)
  await sql`UPDATE samples
    SET due_at = NULL, key = NULL, pages = NULL, trouble = 'a fault', failed_at = now()
    WHERE document_id = ${id}`.execute(kysely)
  return id
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

journeys('the stamp', ({ locale, viewport }, test) => {
  const texts = textsIn(locale, 'office-stamp:stamp')
  const path = inLanguage(locale, '/office/stamp')
  const sees = (page: Page, text: string) =>
    page.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor()
  /** A state is a word with an icon. */
  const isNow = (page: Page, text: string) =>
    page.locator('.summary').getByText(text).first().waitFor()

  test('an operator switches the stamp off and on, and learns who was first', async () => {
    await forgetTroubles()
    const [operator, other] = await Promise.all([
      shop.anOfficeAdministrator({ firstName: 'سلمى', lastName: 'الزواري' }),
      shop.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Gharbi' }),
    ])
    const allowed = [/status of 409/]
    const { page } = await atOffice(shop.url, operator, { locale, viewport, allowed })
    await page.goto(path)
    await isNow(page, texts.on)
    await sees(page, texts.unstamped.empty)
    await sees(page, texts.undrawn.empty)

    const dialog = page.getByRole('dialog')
    await button(page, texts.switchOff).click()
    await sees(page, texts.dialog.offText)
    await dialog.getByRole('button', { name: uiText(locale, 'office:confirm.no') }).click()
    await dialog.waitFor({ state: 'detached' })
    await isNow(page, texts.on)
    await button(page, texts.switchOff).click()
    await dialog.getByRole('button', { name: texts.dialog.off, exact: true }).click()
    await page.getByRole('status').getByText(texts.done.off, { exact: true }).waitFor()
    await isNow(page, texts.off)
    await page.locator('.summary').getByText('سلمى الزواري').waitFor()

    // Another operator is first: the page says so, and shows their change.
    await button(page, texts.switchOn).click()
    const { body: seen } = await shop.send(other, 'GET', '/office/admin/stamp')
    const sent = { isOn: true, seen: seen.seen }
    expect((await shop.send(other, 'POST', '/office/admin/stamp', sent)).status).toBe(200)
    await dialog.getByRole('button', { name: texts.dialog.on, exact: true }).click()
    await dialog.getByRole('alert').getByText('Leïla Gharbi').waitFor()
    await dialog.getByRole('button', { name: uiText(locale, 'office:confirm.no') }).click()
    await isNow(page, texts.on)
    await page.locator('.summary').getByText('Leïla Gharbi').waitFor()
  })

  test('files that could not be stamped or drawn are listed with the reason, and retried', async () => {
    await forgetTroubles()
    await aTroubledDocument('درس في الكسور')
    // Some people have only one name.
    const teacher = await shop.aTeacher({ firstName: 'Leïla', lastName: '' })
    const title = 'Devoir de contrôle n° 2 – Mathématiques, 9e année de base'
    const id = await aTroubledDocument(title, teacher.id)
    const operator = await shop.anOfficeAdministrator()
    const allowed = [/ERR_/]
    const { page } = await atOffice(shop.url, operator, { locale, viewport, allowed })
    await page.goto(path)
    const part = (title: string) =>
      page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    const unstamped = part(texts.unstamped.title)
    const undrawn = part(texts.undrawn.title)
    const rows = unstamped.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(2)
    // The latest comes first.
    expect(await rows.first().innerText()).toContain('Devoir de contrôle')
    expect(await rows.first().innerText()).toContain(texts.reasons.encrypted)
    await undrawn.locator('tbody').getByText(texts.undrawn.failed).first().waitFor()
    for (const row of [rows.first(), undrawn.locator('tbody tr').first()]) {
      const link = row.getByRole('link', { name: title, exact: true })
      const review = `${inLanguage(locale, '/office/review-document')}?id=${id}`
      expect(await link.getAttribute('href')).toBe(review)
      await row.getByText('Leïla', { exact: true }).waitFor()
    }

    await page.route(`${CALL}/retry`, (route) => route.abort())
    await unstamped.getByRole('button', { name: texts.retry }).click()
    await unstamped.getByRole('alert').getByText(uiText(locale, 'errors:codes.network')).waitFor()
    await page.unroute(`${CALL}/retry`)
    await unstamped.getByRole('button', { name: texts.retry }).click()
    await sees(page, texts.unstamped.empty)
    await page.getByRole('status').getByText(texts.done.unstamped).waitFor()
    await undrawn.getByRole('button', { name: texts.retry }).click()
    await page.getByRole('status').getByText(texts.done.undrawn).waitFor()
  })

  test('a truncated list says so; a failure to load can be retried', async () => {
    const operator = await shop.anOfficeAdministrator()
    const allowed = [/ERR_FAILED/]
    const { page } = await atOffice(shop.url, operator, { locale, viewport, allowed })
    await page.route(CALL, (route) => route.abort())
    await page.goto(path)
    await sees(page, texts.failed.title)
    await page.unroute(CALL)
    const newest = Array.from({ length: TROUBLES_SHOWN }, (_, at) => ({
      documentId: at + 1,
      title: `Fiche ${at + 1}`,
      teacher: 'Leïla Gharbi',
      reason: 'damaged',
      at: '2026-03-05T08:00:00Z',
    }))
    const total = 240
    await page.route(CALL, async (route) => {
      const json = await (await route.fetch()).json()
      await route.fulfill({ json: { ...json, unstamped: { total, newest } } })
    })
    await button(page, texts.failed.retry).click()
    await sees(page, fillText(texts.cut, { shown: TROUBLES_SHOWN, total }))
  })
})

test('by keyboard alone', async () => {
  const { locale } = FRENCH
  const texts = textsIn(locale, 'office-stamp:stamp')
  const { page } = await atOffice(shop.url, await shop.anOfficeAdministrator(), FRENCH)
  await page.goto(inLanguage(locale, '/office/stamp'))
  const opener = button(page, texts.switchOff)
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expectFocusTrapped(page, dialog)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(opener)).toBe(true)
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('button', { name: texts.dialog.off, exact: true }))
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText(texts.done.off, { exact: true }).waitFor()
})
