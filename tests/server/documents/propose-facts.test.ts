import { expect, test } from 'vitest'
import { proposeFacts } from '../../../src/contract/office-documents.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
await fillSchoolLists(app.deps.database)

const idOf = async (table: 'matieres' | 'niveaux' | 'categories', code: string) => {
  const rows = app.deps.database.kysely.selectFrom(table).select('id').where('code', '=', code)
  return (await rows.executeTakeFirstOrThrow()).id
}
const proposed = async (title: string) =>
  app.call(proposeFacts, { as: await app.anOfficeTeacher(), query: { written: title } })

test('a title’s facts are proposed as the form has them', async () => {
  const title = 'Devoir de contrôle N°1 - Mathématiques - 9ème année de base (2024-2025)'
  expect(await proposed(title)).toMatchObject({
    matiereId: await idOf('matieres', 'mathematics'),
    niveauId: await idOf('niveaux', 'basic-9'),
    categoryId: await idOf('categories', 'exams'),
    paperKind: 'control',
    paperNumber: '1',
    schoolYear: 2024,
    aiUse: null,
  })
  expect(await proposed('فرض تأليفي عدد 2 في الرياضيات للسنة الثامنة أساسي')).toMatchObject({
    niveauId: await idOf('niveaux', 'basic-8'),
    paperKind: 'synthesis',
    paperNumber: '2',
    trimester: 't2',
  })
})

test('nothing is proposed where a title says nothing', async () => {
  expect(new Set(Object.values(await proposed('Le Petit Prince')))).toEqual(new Set([null]))
})
