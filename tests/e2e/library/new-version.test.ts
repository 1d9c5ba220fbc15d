import { readFile } from 'node:fs/promises'
import type { Download } from 'playwright'
import { expect } from 'vitest'
import { fillText } from '../../../src/i18n/format.ts'
import type { Locale } from '../../../src/i18n/locales.ts'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import { atOffice, loggedIn } from '../../support/browser.ts'
import { PATIENCE } from '../../support/patience.ts'
import { aPdf } from '../../support/pdf.ts'
import type { Person } from '../../support/people.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, type Persona, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

const CHANGES = { ar: 'تصحيح التمرين 3 في الصفحة 2', fr: 'Exercice 3 corrigé, page 2' }

/**
 * A teacher uploads a new file for a published document, with a note on the changes, and the
 * operator accepts it.
 */
async function publishVersion(
  teacher: Person,
  { id, file, changes }: { id: number; file: Buffer; changes: string },
  { locale, viewport }: Pick<Persona, 'locale' | 'viewport'>,
): Promise<void> {
  const visitor = await atOffice(shop.url, teacher, { locale, viewport, allowed: [/ERR_/] })
  const { page } = visitor
  await page.goto(`${inLanguage(locale, '/office/document')}?id=${id}`)
  await page.getByLabel(uiText(locale, 'office-documents:form.file.note')).fill(changes)
  await page
    .locator('.editor__file input[type="file"]')
    .setInputFiles({ name: 'new.pdf', mimeType: 'application/pdf', buffer: file })
  await page.locator('.standing').getByText(waiting(locale)).waitFor(PATIENCE)
  await visitor.leave()
  const { document } = await shop.call('getReview', `id=${id}`)
  await shop.call('acceptReview', `id=${id}`, `revision=${document.revision}`)
}

const waiting = (locale: Locale) => uiText(locale, 'office-documents:form.waitingVersion')

/** A downloaded file is the uploaded one with a footer appended. */
async function expectFile(download: Download, file: Buffer): Promise<void> {
  const saved = await readFile(await download.path())
  expect(saved.subarray(0, file.length).equals(file)).toBe(true)
}

journeys('a new version', ({ locale, viewport }, test) => {
  test('is shown to its owner with the changes, and can be downloaded, and so can the previous one', async () => {
    const title = locale === 'ar' ? 'الكسور' : 'Les fractions'
    const [before, after] = [aPdf(`${title} 1`, 2), aPdf(`${title} 2`, 3)]
    const teacher = await shop.anOfficeTeacher()
    const { id } = await shop.aDocument({
      title,
      description: title,
      price: dinars(1),
      teacherId: teacher.teacherId,
      file: before,
      pages: 2,
    })
    const parent = await shop.aCustomer({ balance: dinars(1) })
    await shop.buys(parent, [id])
    const { page } = await loggedIn(shop.url, parent, { locale, viewport })
    const row = page.locator(`[data-purchased="${id}"]`)
    const badge = row.getByText(uiText(locale, 'versions:library.new'), { exact: true })
    await page.goto(pathIn(locale, '/my-documents'))
    await row.waitFor()
    expect(await badge.count()).toBe(0)

    await publishVersion(
      teacher,
      { id, file: after, changes: CHANGES[locale] },
      { locale, viewport },
    )
    await page.reload()
    await badge.waitFor()
    await row.locator('[aria-haspopup=dialog]').click()
    const dialog = page.getByRole('dialog', { name: title })
    const news = dialog.locator('.new-version')
    await news
      .getByLabel(uiText(locale, 'versions:library.changes'))
      .getByText(CHANGES[locale], { exact: true })
      .waitFor()

    const [earlier] = await Promise.all([
      page.waitForEvent('download'),
      button(news, locale, 'versions:library.earlier').click(),
    ])
    const name = fillText(uiText(locale, 'versions:library.fileName'), { title, number: 1 })
    expect(earlier.suggestedFilename()).toBe(`${name}.pdf`)
    await expectFile(earlier, before)
    // Downloading the previous one does not mark the new one as seen.
    await page.reload()
    await badge.waitFor()

    await row.locator('[aria-haspopup=dialog]').click()
    const [newest] = await Promise.all([
      page.waitForEvent('download'),
      dialog.locator('.cluster .download > button').click(),
    ])
    expect(newest.suggestedFilename()).toBe(`${title}.pdf`)
    await expectFile(newest, after)
    await dialog.locator('.badge--new').waitFor({ state: 'detached' })
    await badge.waitFor({ state: 'detached' })
    await button(news, locale, 'versions:library.earlier').waitFor()
    await page.reload()
    await row.waitFor()
    expect(await badge.count()).toBe(0)
  })
})
