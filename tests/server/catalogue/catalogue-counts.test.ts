import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Document,
  type DocumentFilters,
  getCoverMapping,
  getDocument,
} from '../../../src/contract/catalogue.ts'
import { dinars } from '../../../src/rules/money.ts'
import { AUDIENCES, LEVELS } from '../../../src/rules/price-bands.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { fillCatalogue, idsOf, type ModelDocument, model, search } from '../../support/catalogue.ts'

let app: TestApp
let made: ModelDocument[]
let hidden: { id: number }

beforeAll(async () => {
  app = await testApp()
  const filled = await fillCatalogue(app)
  made = filled.made
  hidden = filled.hidden
  return app.stop
})

describe('the counts beside the filters', () => {
  test('are the number of documents per value with the other filters unchanged', async () => {
    const some = <T>(values: readonly T[]) =>
      fc.option(fc.constantFrom(...values), { nil: undefined })
    const query = fc.record({
      level: some(LEVELS),
      type: some(AUDIENCES),
      categoryId: some([...new Set(made.map((each) => each.categoryId))]),
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
        const counted = (changed: DocumentFilters) => model(made, { ...filters, ...changed }).length
        for (const level of LEVELS) expect(facets?.level[level] ?? 0).toBe(counted({ level }))
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
    const { kysely } = app.deps.database
    const { id } = await app.aDocument({ title: 'خريطة البحر', price: dinars(30) })
    const counts = async () => (await search(app, { title: 'خريطة' })).facets?.price
    expect(await counts()).toEqual({ '25-50': 1 })
    const change = (values: object) =>
      kysely.updateTable('documents').set(values).where('id', '=', id).execute()
    await change({ price: dinars(5) })
    expect(await counts()).toEqual({ '0-10': 1 })
    await change({ title: 'أطلس', searchText: ' اطلس ' })
    expect(await counts()).toEqual({})
    expect((await search(app, { title: 'أطلس' })).totalElements).toBe(1)
    await change({ state: 'unpublished' })
    expect((await search(app, { title: 'أطلس' })).totalElements).toBe(0)
  })

  test('a transaction that commits late is not missed', async () => {
    const { kysely } = app.deps.database
    const late = await app.aDocument({ title: 'قبل' })
    await kysely.transaction().execute(async (tx) => {
      const text = { title: 'متأخّرة', searchText: ' متاخره ' }
      await tx.updateTable('documents').set(text).where('id', '=', late.id).execute()
      // Others begin later, commit earlier, and are read meanwhile.
      const other = await app.aDocument({ title: 'سابقة' })
      expect(idsOf((await search(app, { title: 'سابقة' })).content)).toEqual([other.id])
      const gone = kysely.updateTable('documents').set({ state: 'unpublished' })
      await gone.where('id', '=', other.id).execute()
    })
    expect(idsOf((await search(app, { title: 'متأخرة' })).content)).toEqual([late.id])
    await kysely
      .updateTable('documents')
      .set({ state: 'unpublished' })
      .where('id', '=', late.id)
      .execute()
  })
})

describe('one document', () => {
  test('is shown with its names and without its file', async () => {
    const { kysely } = app.deps.database
    const mapping = await kysely
      .insertInto('coverMappings')
      .values({ coverPath: null, livrePath: '/covers/a.png', color: '#2f57b8' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const first = made[0] as ModelDocument
    await kysely
      .updateTable('documents')
      .set({ coverMappingId: mapping.id })
      .where('id', '=', first.id)
      .execute()

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
      coverMapping: { coverPath: null, livrePath: '/covers/a.png', color: '#2f57b8' },
      filePath: null,
      fileType: 'pdf',
    })
    expect(await app.call(getCoverMapping, { params: mapping })).toEqual(document.coverMapping)
    const { body } = await app.request('GET', `/api/documents/${first.id}`)
    expect(JSON.stringify(body)).not.toMatch(/[0-9a-f]{64}|storage|search_text/)
  })

  test.each(['0', '-1', 'x', '1.5', '99999999999', '%00', '..%2f1'])(
    '%s is not an id',
    async (id) => {
      const { status } = await app.request('GET', `/api/documents/${id}`)
      expect([400, 404]).toContain(status)
    },
  )

  test('unknown and unpublished ones are 404', async () => {
    for (const id of [hidden.id, 2 ** 31 - 1]) {
      await expect(app.call(getDocument, { params: { id } })).rejects.toMatchObject({
        status: 404,
        code: 'document_not_found',
      })
    }
    await expect(app.call(getCoverMapping, { params: { id: 9999 } })).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
    })
  })
})
