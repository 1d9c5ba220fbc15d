import type { Page } from 'playwright'
import { expect } from 'vitest'
import { fillText } from '../../../src/i18n/format.ts'
import { inLanguage, pathIn } from '../../../src/i18n/paths.ts'
import { textsIn } from '../../../src/i18n/texts.ts'
import { dinars } from '../../../src/rules/money.ts'
import { atOffice, untilHydrated } from '../../support/browser.ts'
import { insert } from '../../support/database.ts'
import { untilTablesLoaded } from '../../support/office-tables.ts'
import { aPdf } from '../../support/pdf.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('an administrator', ({ locale, viewport }, test) => {
  const text = (key: KeyIn<'office-review'>) => uiText(locale, `office-review:${key}`)
  const open = async (page: Page, path: `/office${string}`) => {
    await page.goto(inLanguage(locale, path))
    await untilHydrated(page)
  }

  /** Scrolls until this part, which loads when it comes near the screen, is there. */
  const scrollTo = async (page: Page, part: string) => {
    await expect
      .poll(async () => {
        await page.evaluate(() => scrollBy(0, innerHeight / 2))
        return page.locator(part).count()
      })
      .toBe(1)
  }

  /** A published document with a new version of its file under review. */
  async function aNewVersion(title: string) {
    const teacher = await shop.anOfficeTeacher()
    const { teacherId } = teacher
    const { id } = await shop.aDocument({
      title,
      teacherId,
      price: dinars(5),
      file: aPdf('one page', 1),
    })
    const fileId = await shop.aFile(aPdf(`${title} two pages`, 2))
    const { kysely } = shop.database
    const actor = `user ${teacher.id}`
    await kysely.updateTable('files').set({ pageCount: 2 }).where('id', '=', fileId).execute()
    await insert(kysely, 'documentVersions', {
      documentId: id,
      number: 2,
      fileId,
      note: 'Page 2',
      state: 'submitted',
      createdBy: actor,
    })
    await insert(kysely, 'documentEvents', {
      documentId: id,
      actor,
      action: 'submit version',
      version: 2,
    })
    return { id, title }
  }

  test('reads the queue, compares old and new pages, returns one and accepts the next', async () => {
    const administrator = await shop.anOfficeAdministrator({ firstName: 'Salma' })
    const first = await aNewVersion(locale === 'ar' ? 'Fractions simples' : 'Statistiques')
    const second = await aNewVersion(`Équations ${locale}`)
    const { page } = await atOffice(shop.url, administrator, { locale, viewport, allowed: [/409/] })

    await open(page, '/office')
    const line = page.locator('.desk__kind', {
      has: page.locator(`a[href="${pathIn(locale, '/office/review')}"]`),
    })
    await line.waitFor()
    await untilTablesLoaded(page)
    await line.locator('h2 a').click()
    await page.waitForURL(shop.url + pathIn(locale, '/office/review'))
    await untilHydrated(page)
    await page.getByLabel(text('list.search')).fill(first.title)
    const rows = page.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(1)
    await untilTablesLoaded(page)
    await rows.locator('a').first().click()
    await page.getByRole('heading', { name: first.title, level: 2 }).waitFor()

    const pictures = page.locator('.page-picture img')
    await expect.poll(() => pictures.count()).toBe(2)
    await page.getByText(text('pages.same')).waitFor()
    await page.getByRole('button', { name: text('pages.next') }).click()
    await page.getByText(text('pages.none')).waitFor()
    await scrollTo(page, '.preview')
    await scrollTo(page, '.review__history')
    await untilTablesLoaded(page)

    // Nothing is returned without a reason; the error is shown at its field.
    const { title: field } = textsIn(locale, 'office-documents:fields')
    const note = fillText(text('page.noteFor'), { field })
    await page.getByRole('button', { name: note, exact: true }).press('Enter')
    await page.getByRole('button', { name: text('page.send') }).press('Enter')
    await page.getByText(text('page.reasonRequired')).waitFor()
    await untilTablesLoaded(page)
    await page.getByLabel(text('page.reason')).fill('Quelle classe ?')
    await page.getByRole('button', { name: text('page.send') }).press('Enter')
    await page.locator('.alert--success', { hasText: first.title }).waitFor()
    const returned = await shop.database.kysely
      .selectFrom('documentEvents')
      .select(['action', 'field', 'reason'])
      .where('documentId', '=', first.id)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(returned).toEqual({
      action: 'return version',
      field: 'title',
      reason: 'Quelle classe ?',
    })

    // Another administrator is first: the message names them, and the page shows the current state.
    await open(page, `/office/review-document?id=${second.id}`)
    const accept = page.getByRole('button', { name: text('page.accept.version') })
    await accept.waitFor()
    const other = await shop.anOfficeAdministrator({ firstName: 'Mehdi', lastName: 'Ayari' })
    const { body } = await shop.send(other, 'GET', `/office/admin/review/${second.id}`)
    const { revision } = body.document
    await shop.send(other, 'POST', `/office/admin/review/${second.id}/accept`, { revision })
    await accept.click()
    await page.locator('.alert--error', { hasText: 'Mehdi Ayari' }).waitFor()
    await page.getByText(text('page.decided')).waitFor()
    await expect.poll(() => accept.count()).toBe(0)
  })

  test('invites one applicant, and refuses another with a reason', async () => {
    const administrator = await shop.anOfficeAdministrator()
    const ask = (name: string) =>
      insert(shop.database.kysely, 'joinRequests', {
        email: `${name.toLowerCase()}-${locale}@karras.test`,
        firstName: name,
        lastName: locale,
        phone: '98000000',
        subjects: 'Maths',
        message: 'Dix ans de classe.',
        locale: 'fr',
        tokenHash: null,
        askedAt: new Date(),
        confirmedAt: new Date(),
      })
    await ask('Amira')
    await ask('Hatem')
    const { page } = await atOffice(shop.url, administrator, { locale, viewport })
    await open(page, '/office/join-requests')
    const one = (name: string) => page.locator('.joining__one', { hasText: `${name} ${locale}` })
    await one('Amira')
      .getByRole('button', { name: text('joining.accept') })
      .click()
    await page.locator('.alert--success', { hasText: 'Amira' }).waitFor()
    await expect.poll(() => one('Amira').count()).toBe(0)
    await one('Hatem')
      .getByRole('button', { name: text('joining.refuse') })
      .click()
    await one('Hatem')
      .getByRole('button', { name: text('joining.send') })
      .click()
    await page.getByText(text('joining.reasonRequired')).waitFor()
    await untilTablesLoaded(page)
    await page.getByLabel(text('joining.reason')).fill('Complet cette année.')
    await one('Hatem')
      .getByRole('button', { name: text('joining.send') })
      .click()
    await expect.poll(() => one('Hatem').count()).toBe(0)
  })
})
