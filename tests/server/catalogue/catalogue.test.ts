import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Document,
  type DocumentFilters,
  getCoverMapping,
  getDocument,
  getTeacher,
  listByFeaturedAuthors,
  listDocuments,
  listFeatured,
  listTeacherDocuments,
  listTeachers,
  listTopSelling,
  SORTS,
} from '../../../src/contract/catalogue.ts'
import { listCategories, listClasses, listMatieres } from '../../../src/contract/references.ts'
import { dinars } from '../../../src/rules/money.ts'
import { TRIMESTERS } from '../../../src/rules/papers.ts'
import { AUDIENCES, LEVELS } from '../../../src/rules/price-bands.ts'
import {
  fillCatalogue,
  idsOf,
  type ModelDocument,
  model,
  ORDERS,
  search,
} from '../../support/catalogue.ts'
import { insert } from '../../support/database.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const shop = await fillCatalogue(app)

/** The filters that leave few documents. */
/** How a title is matched, and the chapters of a class and subject. */
type TestedApart = 'match' | 'literal' | 'chapterId'

const NARROW = [
  ...(['matiereId', 'niveauId', 'categoryId', 'rating'] as const),
  ...(['paperKind', 'paperNumber', 'trimester', 'schoolYear', 'withCorrection'] as const),
]

describe('GET /api/documents/paginated', () => {
  test('twelve per page, newest first, without unpublished ones', async () => {
    const page = await search(app, {})
    expect(idsOf(page.content)).toEqual(idsOf(model(shop.made, {}).slice(0, 12)))
    expect(page).toMatchObject({ number: 0, totalPages: 5, totalElements: 60 })
  })

  test('equals a plain filter over all documents, page by page', async () => {
    const some = <T>(values: readonly T[]) =>
      fc.option(fc.constantFrom(...values), { nil: undefined })
    const ids = (key: keyof ModelDocument) => [
      ...new Set(shop.made.map((each) => each[key] as number)),
      999_999,
    ]
    const every = {
      matiereId: some(ids('matiereId')),
      niveauId: some(ids('niveauId')),
      categoryId: some(ids('categoryId')),
      teacherId: some(ids('teacherId')),
      level: some(LEVELS),
      type: some(AUDIENCES),
      paperKind: some(['control', 'ordinary', 'synthesis', 'bac_main'] as const),
      paperNumber: some([1, 2, 3, 4]),
      trimester: some(TRIMESTERS),
      schoolYear: some([2023, 2024, 2025]),
      withCorrection: some(['true'] as const),
      minPrice: some([0, 4, 9.99, 10, 25, 50, 100]),
      maxPrice: some([0, 4, 10, 10.01, 25, 50, 100]),
      rating: some([1, 2, 3, 4, 5]),
      title: some(['Équations', 'fractions']),
      sort: some(SORTS),
      page: some([0, 1, 2, 7]),
      size: some([1, 5, 12, 100]),
    } satisfies Record<Exclude<keyof DocumentFilters, TestedApart>, unknown>
    const query = fc.record(every)
    const oneOrTwo = fc
      .tuple(query, fc.subarray(NARROW, { minLength: 6 }))
      // All filters at a time mostly find nothing: most cases keep a few.
      .map(([all, dropped]) =>
        Object.fromEntries(Object.entries(all).filter(([key]) => !dropped.includes(key as never))),
      )
    await fc.assert(
      fc.asyncProperty(oneOrTwo, async (query: DocumentFilters) => {
        const { page = 0, size = 12 } = query
        const expected = model(shop.made, query)
        const answer = await search(app, query)
        expect(idsOf(answer.content)).toEqual(idsOf(expected.slice(page * size, (page + 1) * size)))
        expect(answer.totalElements).toBe(expected.length)
        expect(answer.totalPages).toBe(Math.ceil(expected.length / size))
        expect(answer.number).toBe(page)
      }),
      { numRuns: 200 },
    )
  })

  test('a price band includes its lower price but not its upper one', async () => {
    const { content } = await search(app, { minPrice: 10, maxPrice: 25, size: 100 })
    expect(content.length).toBeGreaterThan(0)
    for (const { price, priceDiscount } of content) {
      const final = priceDiscount && priceDiscount < price ? priceDiscount : price
      expect(final >= 10 && final < 25).toBe(true)
    }
  })

  test.each([
    ...['page=-1', 'page=x', 'size=0', 'size=101', 'rating=0', 'rating=6', 'minPrice=-1'],
    ...['paperKind=X', 'paperNumber=0', 'trimester=t4', 'schoolYear=24'],
    ...['minPrice=x', 'matiereId=x', 'level=university', 'sort=title', 'type=Pour%20Tous'],
  ])('refuses %s with the name of the field', async (query) => {
    const answer = await app.request('GET', `/api/documents/paginated?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ error: 'invalid_input' })
    const { fields } = answer.body as { fields: Record<string, string> }
    expect(Object.keys(fields)).toEqual([query.split('=')[0]])
  })

  test('an empty filter does not filter', async () => {
    const answer = await app.request('GET', '/api/documents/paginated?title=&minPrice=&level=')
    expect(answer.body).toMatchObject({ totalElements: 60 })
  })
})

describe('lists', () => {
  test('all are published documents in their order', async () => {
    expect(idsOf(await app.call(listDocuments, {}))).toEqual(idsOf(model(shop.made, {})))
    const top = await app.call(listTopSelling, {})
    expect(idsOf(top)).toEqual(idsOf([...shop.made].sort(ORDERS.sales).slice(0, 24)))
    const featured = await app.call(listFeatured, {})
    expect(idsOf(featured).sort()).toEqual(idsOf(shop.made.filter((_, at) => at % 7 === 0)).sort())
  })

  test('featured authors come with their newest documents', async () => {
    const [featuredTeacher] = await app.call(listTeachers, {})
    const documents = await app.call(listByFeaturedAuthors, {})
    expect(documents.length).toBe(4)
    expect(idsOf(documents)).toEqual(
      idsOf(model(shop.made, { teacherId: featuredTeacher?.id }).slice(0, 4)),
    )
  })

  test('a teacher and their documents', async () => {
    const teacherId = shop.made[0]?.teacherId ?? 0
    const documents = await app.call(listTeacherDocuments, { params: { teacherId } })
    expect(idsOf(documents)).toEqual(idsOf(model(shop.made, { teacherId })))
    expect(await app.call(getTeacher, { params: { id: teacherId } })).toMatchObject({
      id: teacherId,
      documentCount: documents.length,
      rating: 0,
    })
    const idle = await app.aTeacher()
    expect(await app.call(listTeacherDocuments, { params: { teacherId: idle.id } })).toEqual([])
    for (const ask of [
      () => app.call(listTeacherDocuments, { params: { teacherId: 9999 } }),
      () => app.call(getTeacher, { params: { id: 9999 } }),
    ]) {
      await expectCode(ask(), 'teacher_not_found')
    }
  })

  test('kinds, subjects and classes', async () => {
    for (const [list, name] of [
      [listCategories, 'تمارين'],
      [listMatieres, 'الرياضيات'],
    ] as const) {
      expect(await app.call(list, {})).toContainEqual(expect.objectContaining({ name }))
    }
    const classes = await app.call(listClasses, {})
    expect(classes.slice(0, 4).map(({ level }) => level)).toEqual(LEVELS)
  })
})

describe('the counts beside the filters', () => {
  test('are the number of documents per value with the other filters unchanged', async () => {
    const some = <T>(values: readonly T[]) =>
      fc.option(fc.constantFrom(...values), { nil: undefined })
    const query = fc.record({
      level: some(LEVELS),
      type: some(AUDIENCES),
      paperKind: some(['control', 'ordinary'] as const),
      schoolYear: some([2023, 2024]),
      categoryId: some([...new Set(shop.made.map((each) => each.categoryId))]),
      rating: some([1, 3, 5]),
      minPrice: some([0, 10]),
      title: some(['Équations', 'fractions']),
    })
    await fc.assert(
      fc.asyncProperty(query, async (all) => {
        const filters = Object.fromEntries(
          Object.entries(all).filter(([, value]) => value !== undefined),
        ) as DocumentFilters
        const { facets } = await search(app, filters)
        const counted = (changed: DocumentFilters) =>
          model(shop.made, { ...filters, ...changed }).length
        for (const level of LEVELS) expect(facets?.level[level] ?? 0).toBe(counted({ level }))
        for (const trimester of TRIMESTERS) {
          expect(facets?.trimester[trimester] ?? 0).toBe(counted({ trimester }))
        }
        const corrected = counted({ withCorrection: 'true' })
        expect(facets?.withCorrection.true ?? 0).toBe(corrected)
        expect(facets?.paperKind).not.toHaveProperty('ordinary')
        expect(facets?.paperKind.control ?? 0).toBe(counted({ paperKind: 'control' }))
        expect(Object.keys(facets?.paperNumber ?? {})).not.toContain('')
        for (const type of AUDIENCES) expect(facets?.type[type] ?? 0).toBe(counted({ type }))
        for (const rating of [1, 2, 3, 4, 5]) {
          expect(facets?.rating[rating] ?? 0).toBe(counted({ rating }))
        }
        expect(facets?.price['10-25'] ?? 0).toBe(counted({ minPrice: 10, maxPrice: 25 }))
      }),
      { numRuns: 40 },
    )
  })

  test('follow changes, sales and unpublishing', async () => {
    const { id } = await app.aDocument({ title: 'خريطة البحر', price: dinars(30) })
    const counts = async () => (await search(app, { title: 'خريطة' })).facets?.price
    expect(await counts()).toEqual({ '25-50': 1 })
    const change = (values: object) => app.change('documents', id, values)
    await change({ price: dinars(5) })
    expect(await counts()).toEqual({ '0-10': 1 })
    await change({ title: 'أطلس', searchText: ' اطلس ' })
    expect(await counts()).toEqual({})
    expect((await search(app, { title: 'أطلس' })).totalElements).toBe(1)
    await change({ state: 'unpublished' })
    expect((await search(app, { title: 'أطلس' })).totalElements).toBe(0)
  })

  test('a transaction that commits late is not missed', async () => {
    const late = await app.aDocument({ title: 'قبل' })
    await app.kysely.transaction().execute(async (tx) => {
      const text = { title: 'متأخّرة', searchText: ' متاخره ' }
      await tx.updateTable('documents').set(text).where('id', '=', late.id).execute()
      // Others begin later, commit earlier, and are read meanwhile.
      const other = await app.aDocument({ title: 'سابقة' })
      expect(idsOf((await search(app, { title: 'سابقة' })).content)).toEqual([other.id])
      const gone = app.kysely.updateTable('documents').set({ state: 'unpublished' })
      await gone.where('id', '=', other.id).execute()
    })
    expect(idsOf((await search(app, { title: 'متأخرة' })).content)).toEqual([late.id])
    await app.change('documents', late.id, { state: 'unpublished' })
  })
})

describe('one document', () => {
  test('is shown with its names and without its file', async () => {
    const looks = { coverPath: null, livrePath: '/covers/a.png', color: '#2f57b8' }
    const mapping = await insert(app.kysely, 'coverMappings', looks)
    const first = shop.made[0] as ModelDocument
    await app.change('documents', first.id, { coverMappingId: mapping.id })

    const document: Document = await app.call(getDocument, { params: { id: first.id } })
    expect(document).toMatchObject({
      id: first.id,
      title: first.title,
      type: first.type,
      rating: first.rating,
      salesCount: first.sales,
      uploadedAt: new Date(first.uploadedAt).toISOString(),
      matiere: { id: first.matiereId },
      classe: { id: first.niveauId, level: first.level },
      categorie: { id: first.categoryId },
      teacher: { id: first.teacherId },
      coverMappingId: mapping.id,
      coverMapping: looks,
      filePath: null,
      fileType: 'pdf',
    })
    expect(await app.call(getCoverMapping, { params: mapping })).toEqual(document.coverMapping)
    const { body } = await app.request('GET', `/api/documents/${first.id}`)
    expect(JSON.stringify(body)).not.toMatch(/[0-9a-f]{64}|storage|search_text/)
  })

  test('unknown and unpublished ones are 404', async () => {
    for (const id of [shop.hidden.id, 2 ** 31 - 1]) {
      await expectCode(app.call(getDocument, { params: { id } }), 'document_not_found')
    }
    await expectCode(app.call(getCoverMapping, { params: { id: 9999 } }), 'not_found')
  })
})
