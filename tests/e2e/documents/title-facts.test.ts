import { expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { atOffice, untilHydrated } from '../../support/browser.ts'
import { PERSONAS, sharedShop } from '../../support/stage.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const shop = sharedShop()

async function aTeacherWithPapers() {
  const teacher = await shop.anOfficeTeacher({ firstName: 'سلمى', lastName: 'الزواري' })
  const { id: categoryId } = await shop.database.kysely
    .selectFrom('categories')
    .select('id')
    .where('code', '=', 'exams')
    .executeTakeFirstOrThrow()
  const of = { teacherId: teacher.teacherId, categoryId }
  const first = await shop.aDocument({ ...of, title: 'Devoir de contrôle n°1, 2023-2024' })
  const second = await shop.aDocument({ ...of, title: 'فرض تأليفي عدد 2' })
  await shop.aDocument({ ...of, title: 'Le Petit Prince' })
  const kindOf = async ({ id }: { id: number }) =>
    (await shop.send(teacher, 'GET', `/office/documents/${id}`)).body.document.paperKind
  return { teacher, first, second, kindOf }
}

test.each(PERSONAS)(
  '$who: facts from titles are seen, picked, taken and taken back',
  async ({ locale, viewport }) => {
    const text = (key: KeyIn<'office-documents:stated'>) =>
      uiText(locale, `office-documents:stated.${key}`)
    const { teacher, first, second, kindOf } = await aTeacherWithPapers()
    const { page } = await atOffice(shop.url, teacher, { locale, viewport })
    await page.goto(pathIn(locale, '/office/documents'))
    await page.getByRole('link', { name: text('link') }).click()
    await untilHydrated(page)
    const rows = page.locator('tbody tr:has([type="checkbox"])')
    await expect.poll(() => rows.count()).toBe(2)
    const kept = page.locator('tbody tr', { hasText: 'Le Petit Prince' })
    await kept.getByText(text('nothingStated')).waitFor()
    // One is left out.
    await rows.filter({ hasText: 'عدد 2' }).getByRole('checkbox').uncheck()
    const add = page.locator('main .button--primary')
    await add.click()
    await expect.poll(() => rows.count()).toBe(1)
    expect([await kindOf(first), await kindOf(second)]).toEqual(['control', null])
    // The rest is taken, and taken back as one change.
    await add.click()
    await expect.poll(() => kindOf(second)).toBe('synthesis')
    await expect.poll(() => rows.count()).toBe(0)
    const undo = uiText(locale, 'office-goods:changes.undo')
    await page.getByRole('button', { name: undo }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: undo }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect([await kindOf(first), await kindOf(second)]).toEqual(['control', null])
    // What is wrong is corrected in the document's form, where the title is read as well.
    await rows.getByRole('link').click()
    await page.locator('.editor__proposed').waitFor()
  },
)
