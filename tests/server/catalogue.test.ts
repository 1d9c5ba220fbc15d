import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
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
  searchDocuments,
} from '../../src/contract/catalogue.ts'
import { listCategories, listMatieres, listSchoolYears } from '../../src/contract/references.ts'
import { dinars } from '../../src/rules/money.ts'
import { AUDIENCES, LEVELS } from '../../src/rules/price-bands.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { randomFrom } from '../support/random.ts'

/** What the model knows of a document; ids rise as moments fall. */
interface Made {
  id: number
  title: string
  final: number
  rating: number
  sales: number
  uploadedAt: number
  matiereId: number
  niveauId: number
  categoryId: number
  teacherId: number
  level: string
  type: string
}

const NEWEST = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000

let app: TestApp
let made: Made[]
let hidden: { id: number }

beforeAll(async () => {
  app = await testApp()
  const random = randomFrom(7)
  const matieres = [await app.aMatiere('الرياضيات'), await app.aMatiere('Physique')]
  const categories = [await app.aCategory('دروس'), await app.aCategory('تمارين')]
  const niveaux = await Promise.all(
    LEVELS.map(async (level) => ({ level, id: await app.aNiveau(level) })),
  )
  const teachers = [
    await app.aTeacher({ firstName: 'سلمى', lastName: 'بن عمر', isFeatured: true }),
    await app.aTeacher({ firstName: 'Sami', lastName: 'Trabelsi', bio: 'Professeur' }),
  ]
  const words = ['الكسور', 'المعادلات', 'Équations', 'fractions', 'الجزء ٢', 'révision']
  made = []
  for (let at = 0; at < 60; at++) {
    const niveau = random.pick(niveaux)
    const price = dinars(random.pick([0, 5, 10, 12.5, 25, 50, 99.99, 100, 150]))
    const priceDiscount = random.pick([null, null, 0, dinars(4), dinars(9.99), dinars(60)])
    const wish = {
      title: `${random.pick(words)} ${random.pick(words)} ${at}`,
      price,
      priceDiscount,
      matiereId: random.pick(matieres),
      categoryId: random.pick(categories),
      niveauId: niveau.id,
      teacherId: random.pick(teachers).id,
      audience: random.pick(AUDIENCES),
      isFeatured: at % 7 === 0,
      // Pairs share a moment, so that the second key of every order counts.
      uploadedAt: new Date(NEWEST - Math.floor(at / 2) * HOUR),
    }
    const { id } = await app.aDocument(wish)
    const stars = random.between(0, 25)
    const sales = random.between(0, 9)
    await app.deps.database.kysely
      .updateTable('documents')
      .set({ ratingSum: stars, ratingCount: stars === 0 ? 0 : 5, salesCount: sales })
      .where('id', '=', id)
      .execute()
    made.push({
      id,
      title: wish.title,
      final: priceDiscount && priceDiscount < price ? priceDiscount : price,
      rating: stars / 5,
      sales,
      uploadedAt: wish.uploadedAt.getTime(),
      matiereId: wish.matiereId,
      niveauId: wish.niveauId,
      categoryId: wish.categoryId,
      teacherId: wish.teacherId,
      level: niveau.level,
      type: wish.audience,
    })
  }
  hidden = await app.aDocument({
    title: 'الكسور',
    isPublished: false,
    isFeatured: true,
    teacherId: teachers[0]?.id,
  })
  return app.stop
})

const search = (query: DocumentFilters) => app.call(searchDocuments, { query })
const idsOf = (documents: readonly { id: number }[]) => documents.map(({ id }) => id)

/** The order of a sort, told as plainly as can be. */
const ORDERS: Record<(typeof SORTS)[number], (a: Made, b: Made, title?: string) => number> = {
  relevance: (a, b, title) =>
    title === undefined
      ? ORDERS.newest(a, b)
      : Number(b.title.startsWith(title)) - Number(a.title.startsWith(title)) || ORDERS.sales(a, b),
  newest: (a, b) => b.uploadedAt - a.uploadedAt || b.id - a.id,
  price: (a, b) => a.final - b.final || a.id - b.id,
  '-price': (a, b) => b.final - a.final || b.id - a.id,
  rating: (a, b) => b.rating - a.rating || b.id - a.id,
  sales: (a, b) => b.sales - a.sales || b.id - a.id,
}

function model(query: DocumentFilters): Made[] {
  const same = (wanted: unknown, is: unknown) => wanted === undefined || wanted === is
  return made
    .filter(
      (document) =>
        same(query.matiereId, document.matiereId) &&
        same(query.niveauId, document.niveauId) &&
        same(query.categoryId, document.categoryId) &&
        same(query.teacherId, document.teacherId) &&
        same(query.level, document.level) &&
        same(query.type, document.type) &&
        document.rating >= (query.rating ?? 0) &&
        document.final >= dinars(query.minPrice ?? 0) &&
        document.final < dinars(query.maxPrice ?? 1_000_000) &&
        (query.title === undefined || document.title.includes(query.title)),
    )
    .sort((a, b) => ORDERS[query.sort ?? 'relevance'](a, b, query.title))
}

describe('GET /api/documents/paginated', () => {
  test('twelve a page, newest first, without what is not published', async () => {
    const page = await search({})
    expect(idsOf(page.content)).toEqual(idsOf(model({}).slice(0, 12)))
    expect(page).toMatchObject({ number: 0, totalPages: 5, totalElements: 60 })
  })

  test('answers like a plain filter over all documents, page by page', async () => {
    const some = <T>(values: readonly T[]) =>
      fc.option(fc.constantFrom(...values), { nil: undefined })
    const ids = (key: keyof Made) => [...new Set(made.map((each) => each[key] as number)), 999_999]
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
        const expected = model(query)
        const answer = await search(query)
        expect(idsOf(answer.content)).toEqual(idsOf(expected.slice(page * size, (page + 1) * size)))
        expect(answer.totalElements).toBe(expected.length)
        expect(answer.totalPages).toBe(Math.ceil(expected.length / size))
        expect(answer.number).toBe(page)
      }),
      { numRuns: 200 },
    )
  })

  test('a band holds its lower price and not its upper one', async () => {
    const { content } = await search({ minPrice: 10, maxPrice: 25, size: 100 })
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

  test('a filter that was left empty does not filter', async () => {
    const answer = await app.request('GET', '/api/documents/paginated?title=&minPrice=&level=')
    expect(answer.body).toMatchObject({ totalElements: 60 })
  })
})

describe('the counts beside the filters', () => {
  test('are how many documents each value gives with the other filters as they are', async () => {
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
        const { facets } = await search(filters)
        const counted = (changed: DocumentFilters) => model({ ...filters, ...changed }).length
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

  test('follow what is changed, sold and taken from sale', async () => {
    const { kysely } = app.deps.database
    const { id } = await app.aDocument({ title: 'خريطة البحر', price: dinars(30) })
    const counts = async () => (await search({ title: 'خريطة' })).facets?.price
    expect(await counts()).toEqual({ '25-50': 1 })
    const change = (values: object) =>
      kysely.updateTable('documents').set(values).where('id', '=', id).execute()
    await change({ price: dinars(5) })
    expect(await counts()).toEqual({ '0-10': 1 })
    await change({ title: 'أطلس', searchText: ' اطلس ' })
    expect(await counts()).toEqual({})
    expect((await search({ title: 'أطلس' })).totalElements).toBe(1)
    await change({ state: 'unpublished' })
    expect((await search({ title: 'أطلس' })).totalElements).toBe(0)
  })

  test('a transaction that commits late is not missed', async () => {
    const { kysely } = app.deps.database
    const late = await app.aDocument({ title: 'قبل' })
    await kysely.transaction().execute(async (tx) => {
      const text = { title: 'متأخّرة', searchText: ' متاخره ' }
      await tx.updateTable('documents').set(text).where('id', '=', late.id).execute()
      // Others begin later, commit earlier, and are read meanwhile.
      const other = await app.aDocument({ title: 'سابقة' })
      expect(idsOf((await search({ title: 'سابقة' })).content)).toEqual([other.id])
      const gone = kysely.updateTable('documents').set({ state: 'unpublished' })
      await gone.where('id', '=', other.id).execute()
    })
    expect(idsOf((await search({ title: 'متأخرة' })).content)).toEqual([late.id])
    await kysely
      .updateTable('documents')
      .set({ state: 'unpublished' })
      .where('id', '=', late.id)
      .execute()
  })
})

describe('a mistake in a search', () => {
  let ids: number[]

  beforeAll(async () => {
    ids = []
    for (const title of ['الهندسة الوصفيّة', 'هندسة البناء ٢٠٢٥', 'Géographie humaine']) {
      ids.push((await app.aDocument({ title })).id)
    }
    return async () => {
      const { kysely } = app.deps.database
      await kysely
        .updateTable('documents')
        .set({ state: 'unpublished' })
        .where('id', 'in', ids)
        .execute()
    }
  })

  test.each([
    ['الهنندسة الوصفية', 0, 'الهندسة الوصفية'],
    ['اهندسة الوصفية', 0, 'الهندسة الوصفية'],
    ['لاهندسة الوصفية', 0, 'الهندسة الوصفية'],
    ['االهندسة الوصفية', 0, 'الهندسة الوصفية'],
    ['هندسة البنءا', 1, 'هندسة البناء'],
    ['Géogrpahie', 2, 'Géographie'],
    ['geographi humane', 2, 'Géographie humaine'],
  ])('«%s» is forgiven', async (typed, which, text) => {
    const found = await search({ title: typed })
    expect(found.content[0]?.id).toBe(ids[which])
    expect(found.spelling).toEqual({ text, isApplied: true })
    const suggested = await search({ title: typed, match: 'contains', size: 5 })
    expect(suggested.content[0]?.id).toBe(ids[which])
    expect(suggested.facets).toBeUndefined()
    const literally = await search({ title: typed, literal: 'true' })
    expect(literally).toMatchObject({ totalElements: 0 })
    expect(literally.spelling).toBeUndefined()
  })

  test('filters that let nothing through are no mistake', async () => {
    const found = await search({ title: 'هندسة', minPrice: 999 })
    expect(found).toMatchObject({ totalElements: 0 })
    expect(found.spelling).toBeUndefined()
  })

  test('another number is no mistake, and a long text of strange words is answered at once', async () => {
    expect((await search({ title: 'هندسة البناء 2026' })).totalElements).toBe(0)
    const strange = 'ظضطصثق '.repeat(28)
    expect(await search({ title: strange })).toMatchObject({ totalElements: 0 })
  })
})

describe('search by words', () => {
  const TITLES: Record<string, string[]> = {
    'مدخل إلى الكيمياء العضويّة': [
      'مدخل الى الكيمياء العضوية',
      'الكيمياء',
      'كيمياء عضوية',
      'بالكيمياء',
      'والكيمياء',
      'كيميا',
      'العضويه',
      'العضــويّة',
      'عضوية مدخل',
      'مَدْخَل',
      'مدخل عضو',
    ],
    'أسئلة وأجوبة في التربية الإسلامية ٢٠٢٥': [
      'اسئلة واجوبة',
      'أسئله',
      'اسلامية',
      'الاسلاميه',
      'تربية 2025',
      '٢٠٢٥ تربيه',
      '2025',
      'واجوب',
    ],
    'Résumé : la Révolution française (1789)': [
      'resume',
      'RÉVOLUTION',
      'revolution francaise',
      'française 1789',
      'revo',
      '1789 resume',
    ],
  }
  const ids = new Map<string, number>()

  beforeAll(async () => {
    const matiereId = await app.aMatiere('علوم شتّى')
    const teacherId = (await app.aTeacher({ firstName: 'عليّ', lastName: 'الدوعاجي' })).id
    for (const title of Object.keys(TITLES)) {
      const uploadedAt = new Date(NEWEST - 10_000 * HOUR)
      const { id } = await app.aDocument({ title, matiereId, teacherId, uploadedAt })
      ids.set(title, id)
    }
    // The filters above do not know these: they are taken out again.
    return async () => {
      const { kysely } = app.deps.database
      const gone = [...ids.values()]
      await kysely.deleteFrom('documents').where('id', 'in', gone).execute()
    }
  })

  const cases = Object.entries(TITLES).flatMap(([title, spellings]) =>
    spellings.map((spelling) => [spelling, title] as const),
  )
  test.each(cases)('«%s» finds «%s»', async (spelling, title) => {
    const { content } = await search({ title: spelling })
    expect(idsOf(content)).toContain(ids.get(title))
  })

  test('subjects and teachers are found as well', async () => {
    for (const title of ['علوم شتى', 'علي دوعاجي', 'الدوعاجي شتّى']) {
      const { content } = await search({ title })
      expect(idsOf(content).sort()).toEqual([...ids.values()].sort())
    }
  })

  test.each(['يمياء', 'زرافة', 'كيمياء زرافة', 'olution'])(
    '«%s» finds none of them',
    async (title) => {
      const { content } = await search({ title, literal: 'true' })
      for (const id of ids.values()) expect(idsOf(content)).not.toContain(id)
    },
  )

  test.each([
    ['يمياء', 'مدخل إلى الكيمياء العضويّة'],
    ['لكيمياء', 'مدخل إلى الكيمياء العضويّة'],
    ['olution fran', 'Résumé : la Révolution française (1789)'],
    ['çais', 'Résumé : la Révolution française (1789)'],
    ['ة', 'أسئلة وأجوبة في التربية الإسلامية ٢٠٢٥'],
  ])('anywhere, «%s» finds «%s» in the middle of a word', async (title, expected) => {
    const { content } = await search({ title, match: 'contains', size: 100 })
    expect(idsOf(content)).toContain(ids.get(expected))
  })

  test('anywhere, what begins like the text comes first, each document once', async () => {
    const begins = await app.aDocument({ title: 'Zellige', uploadedAt: new Date(2020, 1) })
    const within = await app.aDocument({ title: 'Le grozellier', uploadedAt: new Date(2021, 1) })
    const found = await search({ title: 'zelli', match: 'contains', size: 5 })
    expect(idsOf(found.content)).toEqual([begins.id, within.id])
    expect(found.totalElements).toBe(2)
    const { kysely } = app.deps.database
    await kysely.deleteFrom('documents').where('id', 'in', [begins.id, within.id]).execute()
  })

  test.each(['%', '_', '\\', '%%%', "' OR 1=1 --", '؟!،', '﴾﴿'])(
    '«%s» holds no word or no wildcard',
    async (title) => {
      const all = await search({})
      const { totalElements } = await search({ title })
      expect([0, all.totalElements]).toContain(totalElements)
    },
  )

  test('one and two letters are prefixes too', async () => {
    for (const title of ['ك', 'كي', 'r', 'ré']) {
      const found = await search({ title, size: 100 })
      expect(idsOf(found.content)).toContain(
        ids.get(
          /[a-z]/i.test(title)
            ? 'Résumé : la Révolution française (1789)'
            : 'مدخل إلى الكيمياء العضويّة',
        ),
      )
    }
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
    const first = made[0] as Made
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

  test.each(['0', '-1', 'x', '1.5', '99999999999', '%00', '..%2f1'])('%s is no id', async (id) => {
    const { status } = await app.request('GET', `/api/documents/${id}`)
    expect([400, 404]).toContain(status)
  })

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

describe('lists', () => {
  test('all are published documents in their order', async () => {
    expect(idsOf(await app.call(listDocuments, {}))).toEqual(idsOf(model({})))
    const top = await app.call(listTopSelling, {})
    expect(idsOf(top)).toEqual(idsOf([...made].sort(ORDERS.sales).slice(0, 24)))
    const featured = await app.call(listFeatured, {})
    expect(idsOf(featured).sort()).toEqual(idsOf(made.filter((_, at) => at % 7 === 0)).sort())
  })

  test('featured authors come with their newest', async () => {
    const [featuredTeacher] = await app.call(listTeachers, {})
    const documents = await app.call(listByFeaturedAuthors, {})
    expect(documents.length).toBe(4)
    expect(idsOf(documents)).toEqual(idsOf(model({ teacherId: featuredTeacher?.id }).slice(0, 4)))
  })

  test('a teacher and their documents', async () => {
    const teacherId = made[0]?.teacherId ?? 0
    const documents = await app.call(listTeacherDocuments, { params: { teacherId } })
    expect(idsOf(documents)).toEqual(idsOf(model({ teacherId })))
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

  test('kinds, subjects and school years', async () => {
    expect(await app.call(listCategories, {})).toContainEqual(
      expect.objectContaining({ name: 'تمارين' }),
    )
    expect(await app.call(listMatieres, {})).toContainEqual(
      expect.objectContaining({ name: 'الرياضيات' }),
    )
    const niveaux = await app.call(listSchoolYears, {})
    expect(niveaux.slice(0, 4).map(({ level }) => level)).toEqual(LEVELS)
  })
})
