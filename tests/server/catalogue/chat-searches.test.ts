// @one-database: it searches an index in memory.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { foldQuery } from '../../../src/rules/search-fold.ts'
import { soundOf, withChatLetters } from '../../../src/rules/search-words.ts'
import { readSchoolLists } from '../../../src/server/catalogue/school-lists.ts'
import { createIndex } from '../../../src/server/catalogue/search/catalogue-index.ts'
import { findDocuments, typedWords } from '../../../src/server/catalogue/search/find.ts'
import { entryTexts, searchText } from '../../../src/server/catalogue/search/search-text.ts'
import { readDemoShop } from '../../../src/server/demo/demo-data.ts'
import { NO_PAPER } from '../../support/catalogue.ts'

const lists = await readSchoolLists()
const { documents, teachers } = await readDemoShop()
const PHYSICS_OF_BAC = 1000

const index = createIndex()
const idOf = (entries: readonly { id: number; code: string }[], code: string) =>
  entries.find((entry) => entry.code === code)?.id ?? 0
const physics = { subject: 'physics', schoolClass: 'bac-science', category: 'exams', teacher: 6 }
const another = { id: PHYSICS_OF_BAC, title: 'Devoir de synthèse n° 1', sales: 0, ...physics }
for (const { id, title, sales, teacher, ...of } of [...documents, another]) {
  const {
    firstName = '',
    lastName = '',
    latinName = '',
  } = teachers.find((each) => each.id === teacher) ?? {}
  index.put({
    ...{ id, title, sales, isPublished: true, teacherId: teacher, type: 'x', price: 1, rating: 0 },
    searchText: searchText({ title, teacher: `${firstName} ${lastName} ${latinName}` }),
    level: 'x',
    niveauId: idOf(lists.classes, of.schoolClass),
    matiereId: idOf(lists.subjects, of.subject),
    categoryId: idOf(lists.categories, of.category),
    uploadedAt: 0,
    ...NO_PAPER,
  })
}
const named = <E extends { id: number; names: { ar: string } }>(entries: readonly E[]) =>
  new Map(entries.map((entry) => [entry.id, { ...entry, name: entry.names.ar, names: null }]))
index.putEntries(
  entryTexts({
    matieres: named(lists.subjects),
    categories: named(lists.categories),
    classes: named(lists.classes),
    ...{ revision: 0, covers: new Map(), chapters: new Map(), kinds: new Map() },
  }),
)

/** The documents that a search finds, the best first. */
function found(search: string): number[] {
  const { slots, scores } = findDocuments(
    index,
    typedWords(index, foldQuery(withChatLetters(search))),
  )
  const { ids, sales } = index.columns()
  const rank = (a: number, b: number) =>
    (scores[b] as number) - (scores[a] as number) || (sales[b] as number) - (sales[a] as number)
  return [...slots].sort(rank).map((slot) => ids[slot] as number)
}

const SEARCHES = readFileSync('tests/cases/searches.tsv', 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [search: string, wanted: string])

describe('searches as people type them', () => {
  test('at least 57 of 60 find a wanted document among the first five', () => {
    expect(SEARCHES).toHaveLength(60)
    const failed = SEARCHES.filter(([search, wanted]) => {
      const first = found(search).slice(0, 5)
      return !wanted.split(',').some((id) => first.includes(Number(id)))
    })
    expect(failed.length, failed.join('; ')).toBeLessThanOrEqual(3)
  })

  test.each(['physique bac', 'bac physique', 'fizya bac', 'bac fizia'])('«%s»', (search) => {
    expect(found(search)).toContain(PHYSICS_OF_BAC)
  })

  test('digits are letters within Arabic words, and numbers everywhere else', () => {
    for (const [typed, read] of [
      ['imti7an 9awa3id na7w', 'imtihan qawaid nahw'],
      ['Mola5as tari5', 'Molakhas tarikh'],
      ['ta2lifi 3arabia', 'talifi arabia'],
    ]) {
      expect(withChatLetters(typed ?? '')).toBe(read)
    }
    for (const same of [
      ...['7eme', '9e', '2nde', '5ème année', '3eme', '7 eme', '9annee', '2bac', 'bac2', 'svt3'],
      ...['h2o', 'co2', 'bac2023', '2025', 'mp2', 'سنة 7', 'math 9', '3ر7'],
    ]) {
      expect(withChatLetters(same)).toBe(same)
    }
    const ofClass7 = documents.filter(({ schoolClass }) => schoolClass === 'basic-7')
    expect(found('na7w').filter((id) => ofClass7.some((one) => one.id === id))).toEqual([])
  })

  test.each([
    ['tamarin', 'تمارين'],
    ['silsila', 'سلسله'],
    ['mouraqaba', 'مراقبه'],
    ['ta7lil', 'تحليل'],
    ['kousour', 'كسور'],
  ])('%s sounds like %s', (latin, arabic) => {
    expect(soundOf(foldQuery(withChatLetters(latin))[0] ?? '')).toBe(soundOf(arabic))
    expect(soundOf(arabic)).not.toBe('')
  })
})
