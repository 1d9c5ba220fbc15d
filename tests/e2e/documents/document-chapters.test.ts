import { expect } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { atOffice, untilHydrated } from '../../support/browser.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('a teacher', ({ locale, viewport }, test) => {
  test('chooses chapters of the class and subject, and is told which another class takes out', async () => {
    const teacher = await shop.anOfficeTeacher()
    const { kysely } = shop.database
    const idOf = async (table: 'matieres' | 'niveaux', code: string) => {
      const row = kysely.selectFrom(table).select('id').where('code', '=', code)
      return (await row.executeTakeFirstOrThrow()).id
    }
    const of = {
      niveauId: await idOf('niveaux', 'basic-9'),
      matiereId: await idOf('matieres', 'physics'),
    }
    const { id } = await shop.aDocument({ ...of, teacherId: teacher.teacherId })
    const stored = async () => {
      const row = kysely.selectFrom('documents').select('chapterIds').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).chapterIds.length
    }
    const { page } = await atOffice(shop.url, teacher, { locale, viewport })
    await page.goto(`${pathIn(locale, '/office/document')}?id=${id}`)
    await untilHydrated(page)
    await page.locator('.editor__text [name="price"]').scrollIntoViewIfNeeded()
    const name = locale === 'ar' ? 'الطاقة الضوئية' : 'Énergie lumineuse'
    const chapter = page.getByRole('checkbox', { name, exact: true })
    // The answer is lost: what was saved is no change of somebody else's.
    const own = `**/api/office/documents/${id}`
    await page.route(own, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      await route.fetch()
    })
    await chapter.check()
    await expect.poll(stored).toBe(1)
    await page.unroute(own)
    await page.reload()
    await untilHydrated(page)
    await page.locator('.editor__text [name="price"]').scrollIntoViewIfNeeded()
    await expect.poll(() => chapter.isChecked()).toBe(true)

    const other = String(await idOf('niveaux', 'basic-8'))
    await page.locator('.editor__text [name="niveauId"]').selectOption(other)
    const said = uiText(locale, 'office-documents:form.chaptersDropped').replace('{{names}}', name)
    await page.getByText(said).waitFor()
    await expect.poll(stored).toBe(0)
  })
})
