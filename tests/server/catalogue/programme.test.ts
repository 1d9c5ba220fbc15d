import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchDocuments } from '../../../src/contract/catalogue.ts'
import { mergeChapters } from '../../../src/contract/office-chapters.ts'
import {
  getChapterProgramme,
  getClassProgramme,
  getSubjectProgramme,
  listProgramme,
} from '../../../src/contract/programme.ts'
import { fillSchoolLists } from '../../../src/server/catalogue/catalogue.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp({ env: { SITE_URL: 'https://karras.test' } })
await fillSchoolLists(app.deps.database)

const entry = async (table: 'matieres' | 'niveaux' | 'categories', code: string) => {
  const rows = app.kysely.selectFrom(table).select('id').where('code', '=', code)
  return (await rows.executeTakeFirstOrThrow()).id
}
const [maths, english, german] = [
  await entry('matieres', 'mathematics'),
  await entry('matieres', 'english'),
  await entry('matieres', 'german'),
]
const ninth = await entry('niveaux', 'basic-9')
const [exams, lessons] = [await entry('categories', 'exams'), await entry('categories', 'lessons')]

async function aDocument(facts: object = {}, more: object = {}): Promise<number> {
  const of = { matiereId: maths, niveauId: ninth, categoryId: exams, ...more }
  const { id } = await app.aDocument(of)
  if (Object.keys(facts).length > 0) await app.change('documents', id, facts)
  return id
}
const control = { paperKind: 'control', paperNumber: '1', trimester: 't1' } as const
await aDocument({ ...control, correctionPage: 2 })
await aDocument({ ...control, paperKind: 'ordinary', trimester: null })
const synthesis = await aDocument({ paperKind: 'synthesis', trimester: 't2' })
await aDocument({}, { categoryId: lessons })
const unpublished = await aDocument(control, { isPublished: false })

const params = { classCode: 'basic-9', subjectCode: 'mathematics' }
const subject = (other: object = {}) =>
  app.call(getSubjectProgramme, { params: { ...params, ...other } })

test('a subject has its tests in their order, and the documents of each category', async () => {
  const { documents, corrected, papers, categories } = await subject()
  expect({ documents, corrected }).toEqual({ documents: 4, corrected: 1 })
  expect(papers).toEqual([
    {
      ...{ paperKind: 'control', categoryId: null, paperNumber: 1, trimester: 't1' },
      ...{ isOfTrimester: false, documents: 2, corrected: 1 },
    },
    {
      ...{ paperKind: 'synthesis', categoryId: null, paperNumber: 2, trimester: 't2' },
      ...{ isOfTrimester: false, documents: 1, corrected: 0 },
    },
  ])
  expect(categories.map(({ categorie, documents }) => [categorie.code, documents])).toEqual([
    ['lessons', 1],
    ['exams', 3],
  ])
})

test('each count is that of the shop’s list to which it leads', async () => {
  const { papers } = await subject()
  for (const { paperKind, paperNumber, isOfTrimester, trimester, documents, corrected } of papers) {
    const query = {
      ...{ niveauId: ninth, matiereId: maths, paperKind },
      ...(paperNumber !== null && { paperNumber }),
      ...(isOfTrimester && trimester && { trimester }),
    }
    const found = await app.call(searchDocuments, { query })
    expect(found.totalElements).toBe(documents)
    const solved = await app.call(searchDocuments, { query: { ...query, withCorrection: 'true' } })
    expect(solved.totalElements).toBe(corrected)
  }
})

test('a synthesis test is found by the number and by the trimester that its other fact proves', async () => {
  for (const fact of [{ paperNumber: 2 }, { trimester: 't2' }] as const) {
    const query = { niveauId: ninth, paperKind: 'synthesis', ...fact } as const
    const { content } = await app.call(searchDocuments, { query })
    expect(content.map(({ id }) => id)).toEqual([synthesis])
  }
})

test('a class has its subjects and those of its documents, and a change is in the next answer', async () => {
  const counts = async () => {
    const found = await app.call(getClassProgramme, { params: { classCode: 'basic-9' } })
    return new Map(found.subjects.map((one) => [one.matiere.code, one.documents]))
  }
  const before = await counts()
  expect(before.get('mathematics')).toBe(4)
  expect(before.get('english')).toBe(0)
  expect([...before.keys()]).not.toContain('german')
  await aDocument({}, { matiereId: german })
  await app.change('documents', unpublished, { state: 'published' })
  const after = await counts()
  expect([after.get('german'), after.get('mathematics')]).toEqual([1, 5])
  await app.change('documents', unpublished, { state: 'unpublished' })
  expect((await counts()).get('mathematics')).toBe(4)
})

test('chapters are in their order, with what there is for each, as the shop finds and counts it', async () => {
  const { chapters = [] } = await subject()
  const [equations, inequations, statistics] = chapters.slice(4, 7).map(({ chapter }) => chapter)
  const of = { niveauId: ninth, matiereId: maths }
  const [one, two, three] = [equations?.id ?? 0, inequations?.id ?? 0, statistics?.id ?? 0]
  const both = await aDocument({ ...control, correctionPage: 2, chapterIds: [two, one] })
  const single = await aDocument({ chapterIds: [two] }, { categoryId: lessons })
  const counts = async () =>
    (await subject()).chapters?.slice(4, 7).map((each) => [each.documents, each.corrected])
  expect(await counts()).toEqual([
    [1, 1],
    [2, 1],
    [0, 0],
  ])
  const { content, facets } = await app.call(searchDocuments, { query: { ...of, chapterId: two } })
  expect(content.map(({ id }) => id).sort()).toEqual([both, single].sort())
  // With the other filters unchanged, and only where a class and a subject are chosen.
  expect(facets?.chapterId).toEqual({ [one]: 1, [two]: 2 })
  const others = await app.call(searchDocuments, { query: { ...of, categoryId: lessons } })
  expect(others.facets?.chapterId).toEqual({ [two]: 1 })
  const all = await app.call(searchDocuments, { query: { matiereId: maths } })
  expect(all.facets?.chapterId).toEqual({})

  const chapter = await app.call(getChapterProgramme, { params: { id: two } })
  expect(chapter).toMatchObject({
    ...{ chapter: { names: { fr: 'Inéquations' } }, documents: 2, corrected: 1 },
    ...{ classe: { code: 'basic-9' }, matiere: { code: 'mathematics' } },
    papers: [{ paperKind: 'control', paperNumber: 1, documents: 1 }],
  })
  const xml = String((await app.request('GET', '/sitemap-programme.xml')).body)
  expect(xml).toContain(`/fr/programme/basic-9/mathematics/c/${two}-inequations</loc>`)
  expect(xml).not.toContain(`/c/${three}-`)

  // A merged one is that into which it was merged; an unknown one is none.
  const as = await app.anOfficeAdministrator()
  const params = { classId: ninth, subjectId: maths }
  const body = { revision: 0, from: one, into: two }
  await app.call(mergeChapters, { as, params, body })
  const merged = await app.call(getChapterProgramme, { params: { id: one } })
  expect(merged).toMatchObject({ chapter: { id: two }, documents: 2 })
  await expectCode(app.call(getChapterProgramme, { params: { id: 999_999 } }), 'not_found')
  await app.change('documents', both, { state: 'unpublished' })
  await app.change('documents', single, { state: 'unpublished' })
  expect(await counts()).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ])
})

test('all classes are listed with how much there is of each', async () => {
  const classes = await app.call(listProgramme, {})
  const documents = new Map(classes.map((one) => [one.classe.code, one.documents]))
  expect(documents.get('basic-9')).toBeGreaterThanOrEqual(4)
  expect(documents.get('secondary-2-letters')).toBe(0)
})

test('an unknown class, an unknown subject and one that the class has not are not found', async () => {
  const get = async (path: string) => (await app.request('GET', `/api/programme/${path}`)).status
  expect(await get('basic-9/english')).toBe(200)
  for (const path of ['basic-10', 'basic-9/alchemy', 'basic-9/philosophy', 'basic-9/-1']) {
    expect([path, await get(path)]).toEqual([path, 404])
  }
  for (const path of [
    'BASIC-9',
    'basic_9/mathematics',
    'basic-9/%00',
    `basic-9/${'x'.repeat(201)}`,
  ]) {
    expect([path, await get(path)]).toEqual([path, 400])
  }
})

test('an entry that is no longer offered has a page while a document has it', async () => {
  const get = async (path: string) => (await app.request('GET', `/api/programme/${path}`)).status
  await app.change('matieres', english, { isRetired: true })
  expect(await get('basic-9/english')).toBe(404)
  const own = await aDocument({}, { matiereId: english })
  expect(await get('basic-9/english')).toBe(200)
  await app.change('documents', own, { state: 'unpublished' })
  await app.change('matieres', english, { isRetired: false })
})

test('the sitemap has the pages that have documents, in each language, and no empty one', async () => {
  const xml = String((await app.request('GET', '/sitemap-programme.xml')).body)
  for (const prefix of ['', '/fr', '/en']) {
    for (const path of ['', '/mathematics', '/mathematics/t1', '/mathematics/t2']) {
      expect(xml).toContain(`<loc>https://karras.test${prefix}/programme/basic-9${path}</loc>`)
    }
  }
  expect(xml).not.toContain('/mathematics/t3<')
  expect(xml).not.toContain('/basic-9/english<')
  expect(xml).not.toContain('/secondary-2-letters')
  const index = String((await app.request('GET', '/sitemap.xml')).body)
  expect(index).toContain('https://karras.test/sitemap-programme.xml')
})

test('a change of what papers there are is told to the pages of papers, and no other change', async () => {
  const id = await aDocument(control)
  const notes = async () => {
    const tags = [`papers:${ninth}:${maths}`, `papers:${ninth}:${english}`]
    const { rows } = await sql<{ tag: string }>`
      WITH read AS (DELETE FROM page_changes WHERE tags && ${tags}::text[] RETURNING tags)
      SELECT DISTINCT unnest(tags) AS tag FROM read ORDER BY tag`.execute(app.kysely)
    return rows.map(({ tag }) => tag).filter((tag) => tags.includes(tag))
  }
  const [ofMaths, ofEnglish] = [`papers:${ninth}:${maths}`, `papers:${ninth}:${english}`]
  expect(await notes()).toEqual([ofMaths])
  await app.change('documents', id, { price: 7000, salesCount: 3, paperNumber: '1' })
  expect(await notes()).toEqual([])
  await app.change('documents', id, { paperNumber: '2' })
  expect(await notes()).toEqual([ofMaths])
  await app.change('documents', id, { matiereId: english })
  expect(await notes()).toEqual([ofEnglish, ofMaths].sort())
  await app.change('documents', id, { state: 'unpublished' })
  expect(await notes()).toEqual([ofEnglish])
  await app.change('documents', id, { trimester: 't3' })
  expect(await notes()).toEqual([])
})
