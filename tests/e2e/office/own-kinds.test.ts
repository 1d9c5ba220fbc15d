import { expect } from 'vitest'
import type { Lists } from '../../../src/contract/office-catalogue.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { inEachLanguage, LANGUAGES } from '../../../src/rules/languages.ts'
import { tunisianDay } from '../../../src/rules/tunisia-time.ts'
import { atOffice, newVisitor, untilHydrated } from '../../support/browser.ts'
import { button } from '../../support/scene-steps.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('an administrator and a teacher', ({ locale, viewport }, test) => {
  const said = (key: Parameters<typeof uiText>[1]) => uiText(locale, key)

  test('add a kind of papers, and give it to a document, which visitors find by it', async () => {
    const names = inEachLanguage((language) => `Oral ${locale} ${language}`)
    const admin = await shop.anOfficeAdministrator()
    const { page: office } = await atOffice(shop.url, admin, { locale, viewport })
    await office.goto(`${pathIn(locale, '/office/catalogue')}?list=kinds`)
    await untilHydrated(office)
    await office.getByText(said('office-catalogue:lists.kinds')).waitFor()
    await office.getByRole('button', { name: said('office-catalogue:names.add.kinds') }).click()
    for (const language of LANGUAGES) {
      await office.locator(`[name="names.${language}"]`).fill(names[language])
    }
    await office
      .getByRole('button', { name: said('office-catalogue:lists.add'), exact: true })
      .click()
    await office.locator('.lists__entry', { hasText: names[locale] }).waitFor()
    const { body } = await shop.send(admin, 'GET', '/office/admin/lists')
    const entry = (body as Lists).kinds.entries.find((each) => each.names[locale] === names[locale])
    const code = entry?.code ?? ''

    const teacher = await shop.anOfficeTeacher()
    const { id: categoryId } = await shop.database.kysely
      .selectFrom('categories')
      .select('id')
      .where('code', '=', 'exams')
      .executeTakeFirstOrThrow()
    const title = `Les mesures ${locale}`
    const { id } = await shop.aDocument({ title, categoryId, teacherId: teacher.teacherId })
    const { page } = await atOffice(shop.url, teacher, { locale, viewport })
    await page.goto(`${pathIn(locale, '/office/document')}?id=${id}`)
    await untilHydrated(page)
    const kind = page.locator('.editor__text [name="paperKind"]')
    await kind.locator(`option[value="${code}"]`).waitFor({ state: 'attached' })
    await kind.selectOption({ label: names[locale] })
    await expect
      .poll(async () => (await shop.send(teacher, 'GET', `/office/documents/${id}`)).body)
      .toMatchObject({ document: { paperKind: code } })

    const { page: visit } = await newVisitor(shop.url, { locale, viewport })
    await visit.goto(`${pathIn(locale, '/shop')}?paperKind=${code}`)
    await visit.getByRole('link', { name: title }).waitFor()
    expect(await visit.locator('[name="paperKind"] option:checked').textContent()).toContain(
      names[locale],
    )
    await visit.goto(pathIn(locale, `/shop-details/${id}`))
    const fact = visit.getByRole('link', { name: names[locale], exact: true })
    expect(await fact.getAttribute('href')).toContain(`paperKind=${code}`)

    // The calendar of tests takes it, and the page of a class names it in the visitor's language.
    await office.goto(pathIn(locale, '/office/calendar'))
    await untilHydrated(office)
    await button(office, locale, 'office-calendar:page.add').click()
    const what = office.locator('[name="kind"]')
    await what.locator(`option[value="${code}"]`).waitFor({ state: 'attached' })
    await what.selectOption({ label: names[locale] })
    const today = tunisianDay(new Date())
    await office.locator('[name="from"]').fill(today)
    await office.locator('[name="to"]').fill(today)
    await office.locator('[name="source"]').fill('x')
    await button(office, locale, 'office:form.submit').click()
    await office.getByText(said('office-calendar:page.saved')).waitFor()
    await visit.goto(pathIn(locale, '/programme/primary-1'))
    await visit.locator('.dates').getByText(names[locale]).waitFor()
    await visit.locator('[aria-labelledby="week"]').getByText(names[locale]).waitFor()
  })
})
