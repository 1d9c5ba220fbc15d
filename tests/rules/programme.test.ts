import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  FILED_KINDS,
  KINDS_OF_CATEGORIES,
  type PaperKind,
  TRIMESTERS,
  withProvenFacts,
} from '../../src/rules/papers.ts'
import { type FiledPapers, sumOf, testsInOrder } from '../../src/rules/programme.ts'

const papers = (facts: Partial<FiledPapers>): FiledPapers => ({
  paperKind: 'control',
  paperNumber: null,
  trimester: null,
  isCorrected: false,
  documents: 1,
  ...facts,
})

const lines = (given: readonly FiledPapers[]) =>
  testsInOrder(given).map(({ paperKind, paperNumber, trimester, documents }) =>
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

test('each line counts what its filters find, and each test is in one', () => {
  const some = fc.record({
    paperKind: fc.constantFrom<(PaperKind | null)[]>(null, ...FILED_KINDS),
    paperNumber: fc.constantFrom(null, 1, 2, 3),
    trimester: fc.constantFrom(null, ...TRIMESTERS),
    isCorrected: fc.boolean(),
    documents: fc.integer({ min: 1, max: 9 }),
  })
  const tests: readonly (string | null)[] = KINDS_OF_CATEGORIES.exams
  fc.assert(
    fc.property(fc.array(some, { maxLength: 30 }), (given) => {
      const found = testsInOrder(given)
      const isOf = (line: (typeof found)[number]) => (paper: FiledPapers) =>
        paper.paperKind === line.paperKind &&
        (line.paperNumber === null || paper.paperNumber === line.paperNumber) &&
        (!line.isOfTrimester || paper.trimester === line.trimester)
      for (const line of found) {
        const counted = given.filter(isOf(line))
        expect(line.documents).toBe(sumOf(counted))
        expect(line.corrected).toBe(sumOf(counted.filter(({ isCorrected }) => isCorrected)))
      }
      for (const paper of given) {
        expect(found.some((line) => isOf(line)(paper))).toBe(tests.includes(paper.paperKind))
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
