import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type DocumentFilters,
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
import { AUDIENCES, LEVELS } from '../../../src/rules/price-bands.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import {
  fillCatalogue,
  idsOf,
  type ModelDocument,
  model,
  ORDERS,
  search,
} from '../../support/catalogue.ts'

let app: TestApp
let made: ModelDocument[]

beforeAll(async () => {
  app = await testApp()
  const filled = await fillCatalogue(app)
  made = filled.made
  return app.stop
})

describe('GET /api/documents/paginated', () => {
  test('twelve per page, newest first, without unpublished ones', async () => {
    const page = await search(app, {})
    expect(idsOf(page.content)).toEqual(idsOf(model(made, {}).slice(0, 12)))
    expect(page).toMatchObject({ number: 0, totalPages: 5, totalElements: 60 })
  })

  test('equals a plain filter over all documents, page by page', async () => {
    const some = <T>(values: readonly T[]) =>
      fc.option(fc.constantFrom(...values), { nil: undefined })
    const ids = (key: keyof ModelDocument) => [
      ...new Set(made.map((each) => each[key] as number)),
      999_999,
    ]
    const query = fc.record({
      matiereId: some(ids('matiereId')),
      niveauId: some(ids('niveauId')),
      categoryId: some(ids('categoryId')),
      teacherId: some(ids('teacherId')),
      level: some(LEVELS),
      type: some(AUDIENCES),
      minPrice: some([0, 4, 9.99, 10, 25, 50, 100]),
      maxPrice: some([0, 4, 10, 10.01, 25, 50, 100]),
      rating: some([1, 2, 3, 4, 5]),
      title: some(['Équations', 'fractions']),
      sort: some(SORTS),
      page: some([0, 1, 2, 7]),
      size: some([1, 5, 12, 100]),
    })
    const oneOrTwo = fc
      .tuple(query, fc.array(fc.constantFrom('matiereId', 'niveauId', 'categoryId', 'rating')))
      // All filters at a time mostly find nothing: most cases keep a few.
      .map(([all, dropped]) =>
        Object.fromEntries(Object.entries(all).filter(([key]) => !dropped.includes(key as never))),
      )
    await fc.assert(
      fc.asyncProperty(oneOrTwo, async (query: DocumentFilters) => {
        const { page = 0, size = 12 } = query
        const expected = model(made, query)
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
    'page=-1',
    'page=x',
    'size=0',
    'size=101',
    'rating=0',
    'rating=6',
    'minPrice=-1',
    'minPrice=x',
    'matiereId=x',
    'level=university',
    'sort=title',
    'type=Pour%20Tous',
    `title=${'a'.repeat(201)}`,
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
    expect(idsOf(await app.call(listDocuments, {}))).toEqual(idsOf(model(made, {})))
    const top = await app.call(listTopSelling, {})
    expect(idsOf(top)).toEqual(idsOf([...made].sort(ORDERS.sales).slice(0, 24)))
    const featured = await app.call(listFeatured, {})
    expect(idsOf(featured).sort()).toEqual(idsOf(made.filter((_, at) => at % 7 === 0)).sort())
  })

  test('featured authors come with their newest documents', async () => {
    const [featuredTeacher] = await app.call(listTeachers, {})
    const documents = await app.call(listByFeaturedAuthors, {})
    expect(documents.length).toBe(4)
    expect(idsOf(documents)).toEqual(
      idsOf(model(made, { teacherId: featuredTeacher?.id }).slice(0, 4)),
    )
  })

  test('a teacher and their documents', async () => {
    const teacherId = made[0]?.teacherId ?? 0
    const documents = await app.call(listTeacherDocuments, { params: { teacherId } })
    expect(idsOf(documents)).toEqual(idsOf(model(made, { teacherId })))
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
      await expect(ask()).rejects.toMatchObject({ status: 404, code: 'teacher_not_found' })
    }
  })

  test('kinds, subjects and classes', async () => {
    expect(await app.call(listCategories, {})).toContainEqual(
      expect.objectContaining({ name: 'تمارين' }),
    )
    expect(await app.call(listMatieres, {})).toContainEqual(
      expect.objectContaining({ name: 'الرياضيات' }),
    )
    const classes = await app.call(listClasses, {})
    expect(classes.slice(0, 4).map(({ level }) => level)).toEqual(LEVELS)
  })
})
