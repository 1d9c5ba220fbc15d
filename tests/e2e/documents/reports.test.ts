import type { Page } from 'playwright'
import { expect } from 'vitest'
import { inLanguage } from '../../../src/i18n/paths.ts'
import { atOffice, newVisitor, untilHydrated } from '../../support/browser.ts'
import { examPdf, scannedPdf } from '../../support/exam-pdf.ts'
import { anExam, COPIES } from '../../support/exams.ts'
import { journeys, shopForFile } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

// Other files’ documents would wait for the same comparison.
const shop = shopForFile()

journeys('reporting and likeness', ({ locale, viewport }, test) => {
  const visitor = { locale, viewport }
  const open = async (page: Page, path: string) => {
    await page.goto(shop.url + inLanguage(locale, path))
    await untilHydrated(page)
  }

  test('a visitor reports a document, its teacher answers, an administrator decides', async () => {
    const teacher = await shop.anOfficeTeacher()
    const { teacherId } = teacher
    const { id, title } = await shop.aDocument({ title: `Signalé ${locale}`, teacherId })
    const say = (key: 'title' | 'send' | 'sent' | 'reason' | 'words' | 'email') =>
      uiText(locale, `report-dialog:${key}`)

    const { page } = await newVisitor(shop.url, { ...visitor, at: `/shop-details/${id}` })
    await page.getByRole('button', { name: uiText(locale, 'reports:link.open') }).click()
    const dialog = page.getByRole('dialog', { name: say('title') })
    await dialog.getByRole('button', { name: say('send') }).click()
    // A missing entry is reported at its field, and nothing is sent.
    await dialog.getByText(uiText(locale, 'report-dialog:mistakes.required')).waitFor()
    await dialog.getByLabel(say('reason')).selectOption('copyright')
    await dialog.getByLabel(say('words')).fill('La page 3 est de moi.')
    await dialog.getByLabel(say('email')).fill(`author-${locale}@karras.test`)
    await dialog.getByRole('button', { name: say('send') }).click()
    await page.getByText(say('sent')).waitFor()

    const own = (key: 'title' | 'answer' | 'send' | 'sent') =>
      uiText(locale, `office-reports:own.${key}`)
    const atDesk = await atOffice(shop.url, teacher, visitor)
    await open(atDesk.page, `/office/document?id=${id}`)
    await atDesk.page.getByRole('heading', { name: own('title') }).waitFor()
    await atDesk.page.getByText('La page 3 est de moi.').waitFor()
    await atDesk.page.getByRole('button', { name: own('answer') }).click()
    await atDesk.page.getByLabel(own('answer')).fill('Je l’ai écrite en 2019.')
    await atDesk.page.getByRole('button', { name: own('send') }).click()
    await atDesk.page.getByText(own('sent')).waitFor()

    const act = (key: 'takeDown' | 'close' | 'reason' | 'putBack' | 'replied') =>
      uiText(locale, `office-reports:page.${key}`)
    const administrator = await shop.anOfficeAdministrator()
    const { page: desk } = await atOffice(shop.url, administrator, visitor)
    await open(desk, '/office/reports')
    await desk.getByRole('link', { name: title }).click()
    await desk.getByText('Je l’ai écrite en 2019.').waitFor()
    await desk.getByText(`author-${locale}@karras.test`).waitFor()
    await desk.getByRole('button', { name: act('takeDown') }).click()
    await desk.getByLabel(act('reason')).fill('Nous regardons.')
    await desk.getByRole('button', { name: act('takeDown') }).click()
    await desk.getByRole('button', { name: act('putBack') }).waitFor()
    await desk.getByRole('button', { name: act('close') }).click()
    await desk.getByLabel(act('reason')).fill('Ce document est copié.')
    await desk.getByRole('button', { name: act('close') }).click()
    await desk.getByRole('heading', { name: act('replied') }).waitFor()
    const gone = await fetch(`${shop.url}/api/documents/${id}`)
    expect(gone.status).toBe(404)
  })

  test('a reviewer sees whose pages a new file has, beside them', async () => {
    const exam = anExam(locale === 'ar' ? 901 : 903)
    const copy = locale === 'ar' ? COPIES['with its pages in another order'] : undefined
    const [author, copier] = [await shop.anOfficeTeacher(), await shop.anOfficeTeacher()]
    const original = await shop.aDocument({
      title: `Devoir ${locale}`,
      file: examPdf(exam),
      teacherId: author.teacherId,
    })
    const file = copy ? examPdf(copy(exam)) : await scannedPdf(examPdf(exam))
    const { id } = await shop.aDocument({ file, teacherId: copier.teacherId })
    const administrator = await shop.anOfficeAdministrator()
    for (const each of [id, original.id]) {
      const look = () => shop.send(administrator, 'GET', `/office/admin/review/${each}/alike`)
      // The shop compares new files every ten seconds.
      await expect.poll(async () => (await look()).body.isCompared, { timeout: 240_000 }).toBe(true)
    }

    const { page } = await atOffice(shop.url, administrator, visitor)
    await open(page, `/office/review-document?id=${id}`)
    const compare = uiText(locale, 'office-review:alike.compareWith')
    const button = page.getByRole('button', {
      name: compare.replace('{{title}}', `\u2068${original.title}\u2069`),
    })
    await expect
      .poll(async () => {
        await page.evaluate(() => scrollBy(0, innerHeight / 2))
        return button.count()
      })
      .toBe(1)
    await button.click()
    const pictures = page.locator('.review-sides--pair img')
    await expect.poll(() => pictures.count()).toBe(2)
    const loaded = () =>
      pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0))
    await expect.poll(loaded).toBe(true)
  })
})
