import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FILED_KINDS, type PaperKind, TRIMESTERS, withProvenFacts } from '../../src/rules/papers.ts'
import {
  type FiledPapers,
  isTest,
  nextOf,
  papersInOrder,
  sumOf,
} from '../../src/rules/programme.ts'

const [EXAMS, EXERCISES] = [3, 2]
const ORAL = 'oral-test'

const papers = (facts: Partial<FiledPapers>): FiledPapers => ({
  categoryId: EXAMS,
  paperKind: 'control',
  paperNumber: null,
  trimester: null,
  isCorrected: false,
  documents: 1,
  ...facts,
})

const lines = (given: readonly FiledPapers[]) =>
  papersInOrder(given).map(({ paperKind, paperNumber, trimester, documents }) =>
    [paperKind, paperNumber, trimester, documents].join(' ').trim(),
  )

test('tests are in the order of trimester, kind and number; the number of those without one comes last', () => {
  const given = [
    papers({ paperKind: 'bac_main', documents: 4 }),
    papers({ paperNumber: 3, trimester: 't2' }),
    papers({ paperKind: 'synthesis', paperNumber: 1, trimester: 't1' }),
    papers({ paperNumber: 10, trimester: 't1' }),
    papers({ paperNumber: 2, trimester: 't1' }),
    papers({ trimester: 't1' }),
    papers({ paperKind: 'series', paperNumber: 1, trimester: 't1' }),
  ]
  expect(lines(given)).toEqual([
    'control 2 t1 1',
    'control 10 t1 1',
    'control  t1 3',
    'synthesis 1 t1 1',
    'series 1 t1 1',
    'control 3 t2 1',
    'bac_main   4',
  ])
})

test('a test whose number another trimester has too is told apart by the trimester', () => {
  const one = papers({ paperNumber: 1, trimester: 't1', documents: 2 })
  const unsaid = papers({ paperNumber: 1, documents: 5 })
  expect(lines([one, unsaid])).toEqual(['control 1 t1 7'])
  const other = papers({ paperNumber: 1, trimester: 't2', documents: 3 })
  expect(lines([one, unsaid, other])).toEqual(['control 1 t1 2', 'control 1 t2 3', 'control 1  10'])
})

test('each line counts what its filters find, and each paper is in one', () => {
  const some = fc.record({
    categoryId: fc.constantFrom(EXAMS, EXERCISES),
    paperKind: fc.constantFrom(null, ORAL, ...FILED_KINDS),
    paperNumber: fc.constantFrom(null, 1, 2, 3),
    trimester: fc.constantFrom(null, ...TRIMESTERS),
    isCorrected: fc.boolean(),
    documents: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(fc.array(some, { maxLength: 30 }), (given) => {
      const found = papersInOrder(given)
      const isOf = (line: (typeof found)[number]) => (paper: FiledPapers) =>
        paper.paperKind === line.paperKind &&
        (line.categoryId === null || paper.categoryId === line.categoryId) &&
        (line.paperNumber === null || paper.paperNumber === line.paperNumber) &&
        (!line.isOfTrimester || paper.trimester === line.trimester)
      for (const line of found) {
        const counted = given.filter(isOf(line))
        expect(line.documents).toBe(sumOf(counted))
        expect(line.corrected).toBe(sumOf(counted.filter(({ isCorrected }) => isCorrected)))
      }
      for (const paper of given) {
        expect(found.some((line) => isOf(line)(paper))).toBe(paper.paperKind !== null)
      }
    }),
  )
})

test.each([
  ['synthesis', '2', null, '2', 't2'],
  ['synthesis', null, 't3', '3', 't3'],
  ['synthesis', 'x', 't1', '1', 't1'],
  // What the teacher wrote stays.
  ['synthesis', '2', 't3', '2', 't3'],
  ['synthesis', '7', null, '7', null],
  ['synthesis', null, null, null, null],
  ['control', '2', null, '2', null],
])(
  '%s %s of %s is filed as number %s of %s',
  (paperKind, paperNumber, trimester, number, place) => {
    const filed = withProvenFacts({ paperKind, paperNumber, trimester })
    expect(filed).toEqual({ paperKind, paperNumber: number, trimester: place })
  },
)

test('the next number of a paper is of its kind, in each trimester that has it', () => {
  const of = papersInOrder([
    papers({ paperNumber: 2, trimester: 't1' }),
    papers({ paperNumber: 3, trimester: 't1' }),
    papers({ paperNumber: 3, trimester: 't2' }),
    papers({ paperNumber: 3 }),
    papers({ paperKind: 'synthesis', paperNumber: 2, trimester: 't2' }),
  ])
  const next = (paperKind: PaperKind, paperNumber: string | null, trimester: 't1' | null = null) =>
    nextOf({ paperKind, paperNumber, trimester, categoryId: EXAMS }, of).map(
      (paper) => `${paper.paperKind} ${paper.paperNumber} ${paper.trimester}`,
    )
  expect(next('control', '1')).toEqual(['control 2 t1'])
  expect(next('ordinary', '2 bis')).toEqual(['control 3 t1', 'control 3 t2'])
  expect(next('synthesis', null, 't1')).toEqual(['synthesis 2 t2'])
  expect(next('control', '3')).toEqual([])
  expect(next('control', null, 't1')).toEqual([])
})

test('papers of a shop’s own kind are tests or exercises by their category', () => {
  const own = { paperKind: ORAL, trimester: 't1' } as const
  const of = papersInOrder([
    papers({ ...own, paperNumber: 1 }),
    papers({ ...own, paperNumber: 2, documents: 2 }),
    papers({ ...own, paperNumber: 2, documents: 4, categoryId: EXERCISES }),
    papers({ paperNumber: 1, categoryId: EXERCISES }),
  ])
  const categories = [
    { id: EXAMS, code: 'exams' },
    { id: EXERCISES, code: 'exercises' },
  ]
  const shown = (some: typeof of) =>
    some.map(({ paperKind, paperNumber, documents }) => [paperKind, paperNumber, documents])
  const tests = of.filter((paper) => isTest(paper, categories))
  expect(shown(tests)).toEqual([
    [ORAL, 1, 1],
    [ORAL, 2, 2],
    // The kind says that these are tests, whatever their category.
    ['control', 1, 1],
  ])
  const first = { paperKind: ORAL, paperNumber: '1', trimester: null }
  expect(shown(nextOf({ ...first, categoryId: EXERCISES }, of))).toEqual([[ORAL, 2, 4]])
})
