import fc from 'fast-check'
import { sql } from 'kysely'
import { create } from 'superstruct'
import { beforeAll, describe, expect, test } from 'vitest'
import { DocumentFilters } from '../../../src/contract/catalogue.ts'
import { CALLS } from '../../../src/contract/index.ts'
import { findInDocument } from '../../../src/contract/reading.ts'
import { readFilters } from '../../../src/contract/shop-filters.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../../../src/rules/pasted-text.ts'
import { openCatalogue } from '../../../src/server/catalogue/catalogue.ts'
import { answerTo } from '../../../src/server/http/errors.ts'
import { WorkersBusy } from '../../../src/server/workers/workers.ts'
import { fillCatalogue, HOUR, idsOf, NEWEST, search } from '../../support/catalogue.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
beforeAll(() => fillCatalogue(app))

test('a search waits for a bounded time while a new process reads the catalogue', async () => {
  const catalogue = openCatalogue(app.kysely, 1)
  await app.kysely.transaction().execute(async (tx) => {
    // Nobody can read the documents until this transaction ends.
    await sql`LOCK TABLE documents`.execute(tx)
    const refusal = await catalogue.search({}).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(WorkersBusy)
    expect(answerTo(refusal)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  })
  await catalogue.prepareSearch()
  expect((await catalogue.search({})).totalElements).toBeGreaterThan(0)
})

describe('a typo in a search', () => {
  let ids: number[]

  beforeAll(async () => {
    ids = []
    for (const title of ['الهندسة الوصفيّة', 'هندسة البناء ٢٠٢٥', 'Géographie humaine']) {
      ids.push((await app.aDocument({ title })).id)
    }
    return async () => {
      await app.kysely
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
  ])('«%s» is corrected', async (typed, which, text) => {
    const found = await search(app, { title: typed })
    expect(found.content[0]?.id).toBe(ids[which])
    expect(found.spelling).toEqual({ text, isApplied: true })
    const suggested = await search(app, { title: typed, match: 'contains', size: 5 })
    expect(suggested.content[0]?.id).toBe(ids[which])
    expect(suggested.facets).toBeUndefined()
    const literally = await search(app, { title: typed, literal: 'true' })
    expect(literally).toMatchObject({ totalElements: 0 })
    expect(literally.spelling).toBeUndefined()
  })

  test('filters without results are not a typo', async () => {
    const found = await search(app, { title: 'هندسة', minPrice: 999 })
    expect(found).toMatchObject({ totalElements: 0 })
    expect(found.spelling).toBeUndefined()
  })

  test('another number is not a typo, and a long text of unknown words is answered at once', async () => {
    expect((await search(app, { title: 'هندسة البناء 2026' })).totalElements).toBe(0)
    const strange = 'ظضطصثق '.repeat(28)
    expect(await search(app, { title: strange })).toMatchObject({ totalElements: 0 })
  })
})

describe('a long text', () => {
  const LONG = ['😀', '👩‍👧', 'a', 'ش', '\u{1d4d0}', 'a '].map((part) => part.repeat(300))

  test('is cut alike by the page and by the API, at any character', () => {
    const written = fc.string({ unit: 'binary', maxLength: 700 })
    fc.assert(
      fc.property(fc.oneof(written, fc.constantFrom(...LONG)), (search) => {
        const { title } = readFilters(new URLSearchParams({ search }))
        const taken = create({ title: title ?? '' }, DocumentFilters)
        expect(taken.title).toBe(title ?? '')
        expect([...(title ?? '')].length).toBeLessThanOrEqual(SEARCH_TEXT_MAX_LENGTH)
      }),
    )
  })

  test('is answered by every search of the shop and of the office', async () => {
    const searches = Object.values(CALLS).filter(
      ({ query, path }) =>
        path !== findInDocument.path &&
        query?.schema &&
        ('q' in query.schema || 'title' in query.schema),
    )
    expect(searches.length).toBeGreaterThan(10)
    const teacher = await app.anOfficeTeacher()
    const administrator = await app.anOfficeAdministrator()
    for (const call of searches) {
      const as = { anyone: null, user: null, teacher, staff: administrator, admin: administrator }
      const who = as[call.caller]
      for (const text of LONG) {
        const path = call.path.replace(':kind', 'documents')
        const name = Object.hasOwn(call.query?.schema ?? {}, 'q') ? 'q' : 'title'
        const { status } = await app.request(
          'GET',
          `/api${path}?${new URLSearchParams({ [name]: text })}`,
          {
            ...(who && { headers: { authorization: `Bearer ${who.token}` } }),
          },
        )
        expect([path, text.slice(0, 4), status]).toEqual([path, text.slice(0, 4), 200])
      }
    }
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
    // The filter tests above do not expect these: they are removed again.
    return async () => {
      const gone = [...ids.values()]
      await app.kysely.deleteFrom('documents').where('id', 'in', gone).execute()
    }
  })

  const cases = Object.entries(TITLES).flatMap(([title, spellings]) =>
    spellings.map((spelling) => [spelling, title] as const),
  )
  test.each(cases)('«%s» finds «%s»', async (spelling, title) => {
    const { content } = await search(app, { title: spelling })
    expect(idsOf(content)).toContain(ids.get(title))
  })

  test('subjects and teachers are found as well', async () => {
    for (const title of ['علوم شتى', 'علي دوعاجي', 'الدوعاجي شتّى']) {
      const { content } = await search(app, { title })
      expect(idsOf(content).sort()).toEqual([...ids.values()].sort())
    }
  })

  test.each(['يمياء', 'زرافة', 'كيمياء زرافة', 'olution'])(
    '«%s» finds none of them',
    async (title) => {
      const { content } = await search(app, { title, literal: 'true' })
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
    const { content } = await search(app, { title, match: 'contains', size: 100 })
    expect(idsOf(content)).toContain(ids.get(expected))
  })

  test('anywhere, prefix matches come first, each document once', async () => {
    const begins = await app.aDocument({ title: 'Zellige', uploadedAt: new Date(2020, 1) })
    const within = await app.aDocument({ title: 'Le grozellier', uploadedAt: new Date(2021, 1) })
    const found = await search(app, { title: 'zelli', match: 'contains', size: 5 })
    expect(idsOf(found.content)).toEqual([begins.id, within.id])
    expect(found.totalElements).toBe(2)
    await app.kysely.deleteFrom('documents').where('id', 'in', [begins.id, within.id]).execute()
  })

  test.each(['%', '_', '\\', '%%%', "' OR 1=1 --", '؟!،', '﴾﴿'])(
    '«%s» has no word, or no wildcard',
    async (title) => {
      const all = await search(app, {})
      const { totalElements } = await search(app, { title })
      expect([0, all.totalElements]).toContain(totalElements)
    },
  )

  test('one and two letters are prefixes too', async () => {
    for (const title of ['ك', 'كي', 'r', 'ré']) {
      const found = await search(app, { title, size: 100 })
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
