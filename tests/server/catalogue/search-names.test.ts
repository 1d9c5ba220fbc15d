import { beforeAll, describe, expect, test } from 'vitest'
import { WRITTEN } from '../../../src/i18n/texts.ts'
import { LANGUAGES } from '../../../src/rules/languages.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { idsOf, search } from '../../support/catalogue.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
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
  ['arabic', 'books', 'basic-8'],
  ['computing', 'summaries', 'basic-7'],
] as const

beforeAll(async () => {
  await fillSchoolLists(app.deps.database)
  const idOf = async (table: 'matieres' | 'categories' | 'niveaux', code: string) =>
    (
      await app.kysely
        .selectFrom(table)
        .select('id')
        .where('code', '=', code)
        .executeTakeFirstOrThrow()
    ).id
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
})

const inOrder = (content: Parameters<typeof idsOf>[0]) =>
  idsOf(content).sort((one, other) => one - other)
const found = async (title: string) =>
  inOrder((await search(app, { title, literal: 'true', size: 100 })).content)
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
    ['4ème année secondaire maths', 'bac-math'],
    ['sciences naturelles', 'science'],
    ['kitab', 'books'],
    ['l’anglais', 'english'],
    ['first year primary', 'primary-1'],
  ])('«%s» finds exactly those of %s', async (text, code) => {
    expect(await found(text)).toEqual(having.get(code))
  })

  test.each([
    ['exam maths 6ème', 0],
    ['امتحان رياضيات سادسة', 0],
    ['6ème maths exam', 0],
    ['cours physique bac maths', 2],
    ['cours de physique pour le bac maths', 2],
    ['exercices d’anglais de 9ème', 4],
    ['امتحان في الرياضيات', 0],
    ['math exam for the sixth grade', 0],
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

  test('a kind is not found by its name within that of a class', async () => {
    const { content } = await search(app, { title: 'cours', match: 'contains', size: 100 })
    expect(inOrder(content)).toEqual(having.get('lessons'))
  })

  test('the 3 of Arabic in Latin letters is no number of a class', async () => {
    for (const match of ['words', 'contains'] as const) {
      const third = await search(app, { title: '3ème', match, literal: 'true' })
      expect(idsOf(third.content)).toEqual(having.get('secondary-3-letters'))
    }
    expect(await found('3arbia')).toEqual(having.get('arabic'))
    expect(await found('i3lamia')).toEqual(having.get('computing'))
  })

  test('suggestions find them as well', async () => {
    const { content } = await search(app, { title: 'anglai', match: 'contains', size: 5 })
    expect(inOrder(content)).toEqual(having.get('english'))
  })
})
