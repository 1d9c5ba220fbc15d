import { beforeAll, describe, expect, test } from 'vitest'
import { WRITTEN } from '../../src/i18n/texts.ts'
import { LANGUAGES } from '../../src/rules/languages.ts'
import { fillSchoolLists } from '../../src/server/catalogue/catalogue.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { idsOf, search } from '../support/catalogue.ts'

let app: TestApp
/** The ids of the documents of each subject, kind and class, by code; their titles say nothing. */
const having = new Map<string, number[]>()
const wanted = [
  ['mathematics', 'exams', 'primary-6'],
  ['mathematics', 'lessons', 'bac-math'],
  ['physics', 'lessons', 'bac-math'],
  ['physics', 'exams', 'bac-science'],
  ['english', 'exercises', 'basic-9'],
  ['english', 'books', 'secondary-3-letters'],
  ['islamic-education', 'summaries', 'primary-1'],
  ['science', 'summaries', 'secondary-2-science'],
  ['history-geography', 'exercises', 'prep-mp-1'],
] as const

beforeAll(async () => {
  app = await testApp()
  await fillSchoolLists(app.deps.database)
  const { kysely } = app.deps.database
  const idOf = async (table: 'matieres' | 'categories' | 'niveaux', code: string) =>
    (await kysely.selectFrom(table).select('id').where('code', '=', code).executeTakeFirstOrThrow())
      .id
  const teacherId = (await app.aTeacher({ firstName: 'ز', lastName: 'ز' })).id
  for (const [subject, kind, schoolClass] of wanted) {
    const { id } = await app.aDocument({
      title: 'ظظظ',
      teacherId,
      matiereId: await idOf('matieres', subject),
      categoryId: await idOf('categories', kind),
      niveauId: await idOf('niveaux', schoolClass),
    })
    for (const code of [subject, kind, schoolClass]) {
      having.set(code, [...(having.get(code) ?? []), id])
    }
  }
  return app.stop
})

const found = async (title: string) =>
  idsOf((await search(app, { title, literal: 'true', size: 100 })).content).sort()
const codes = [...new Set(wanted.flat())]

describe('a search finds documents by the names', () => {
  const tables = LANGUAGES.map((language) => WRITTEN[language].catalogue)
  const names = codes.flatMap((code) =>
    tables.flatMap((table) =>
      [table.matieres, table.categories, table.niveaux].flatMap((entries) => {
        const name = (entries as Record<string, string>)[code]
        return name ? [[name, code] as const] : []
      }),
    ),
  )
  test.each(names)('%s', async (name, code) => {
    expect(await found(name)).toEqual(expect.arrayContaining(having.get(code) ?? []))
  })
})

describe('a search by other words', () => {
  test.each([
    ['anglais', 'english'],
    ['english', 'english'],
    ['الانجليزية', 'english'],
    ['mathématiques', 'mathematics'],
    ['mathematics', 'mathematics'],
    ['maths', 'mathematics'],
    ['riadhiyat', 'mathematics'],
    ['fizya', 'physics'],
    ['SVT', 'science'],
    ['examen', 'exams'],
    ['exam', 'exams'],
    ['امتحان', 'exams'],
    ['devoirs', 'exams'],
    ['exercice', 'exercises'],
    ['ملخص', 'summaries'],
    ['6ème', 'primary-6'],
    ['6e année', 'primary-6'],
    ['سنة سادسة', 'primary-6'],
    ['السنة السادسة', 'primary-6'],
    ['9e', 'basic-9'],
    ['9 ème', 'basic-9'],
    ['تاسعة أساسي', 'basic-9'],
    ['bac maths', 'bac-math'],
    ['بكالوريا رياضيات', 'bac-math'],
  ])('«%s» finds exactly those of %s', async (text, code) => {
    expect(await found(text)).toEqual(having.get(code))
  })

  test.each([
    ['exam maths 6ème', 0],
    ['امتحان رياضيات سادسة', 0],
    ['6ème maths exam', 0],
    ['cours physique bac maths', 2],
    ['english exercises 9', 4],
  ])('«%s» finds one document', async (text, at) => {
    const [subject, kind, schoolClass] = (wanted[at] ?? []).map((code) => having.get(code) ?? [])
    const both = subject?.filter((id) => kind?.includes(id) && schoolClass?.includes(id))
    expect(await found(text)).toEqual(both)
  })

  test.each([
    ['anglias', 'Anglais'],
    ['mathematicss', 'Mathematics'],
    ['امتخان', 'امتحان'],
    ['الرياضاات', 'الرياضيات'],
    ['phisique', 'Physique'],
  ])('«%s» is corrected', async (title, text) => {
    const { content, spelling } = await search(app, { title })
    expect(content.length).toBeGreaterThan(0)
    expect(spelling).toEqual({ text, isApplied: true })
  })

  test('a class alone is not found by the subject in its name', async () => {
    expect(await found('sciences')).toEqual(having.get('science'))
  })

  test('suggestions find them as well', async () => {
    const { content } = await search(app, { title: 'anglai', match: 'contains', size: 5 })
    expect(idsOf(content).sort()).toEqual(having.get('english'))
  })
})
