import { describe, expect, test } from 'vitest'
import {
  bandsOf,
  bandsToFind,
  type PageLikeness,
  pageLikeness,
  pairsWith,
  rankAlike,
} from '../../src/rules/likeness.ts'
import { anExam, COPIES, type Exam, printed, scanned } from '../support/exams.ts'
import { randomFrom } from '../support/random.ts'

const EXAMS = 500
const COPIED = 50

type Page = PageLikeness & { page: number }
type Stored = Page & { of: number }

const signaturesOf = ({ pages }: Exam): Page[] =>
  pages.map((text, at) => ({ ...pageLikeness(text, printed(text)), page: at + 1 }))

const scan = ({ pages }: Exam, seed: number): Page[] =>
  pages.map((text, at) => ({
    ...pageLikeness('', scanned(printed(text), randomFrom(seed + at))),
    page: at + 1,
  }))

/** As the table keeps them: by their bands. */
const stored = new Map<number, Stored[]>()
const exams = Array.from({ length: EXAMS }, (_, seed) => anExam(seed, 2))
const read500 = exams.map(signaturesOf)
for (const [of, pages] of read500.entries()) {
  for (const page of pages) {
    for (const band of bandsOf(page)) {
      stored.set(band, [...(stored.get(band) ?? []), { ...page, of }])
    }
  }
}

function alikeTo(pages: readonly Page[], but = -1) {
  const found = new Set(pages.flatMap(bandsToFind).flatMap((band) => stored.get(band) ?? []))
  const files = Map.groupBy(
    [...found].filter(({ of }) => of !== but),
    ({ of }) => of,
  )
  const pairs = [...files].flatMap(([of, others]) =>
    pairsWith(pages, others).map((pair) => ({ of, ...pair })),
  )
  return rankAlike(pages, pairs)
}

describe('likeness', () => {
  test(`finds none of ${EXAMS} different exams on one subject like another`, () => {
    const alike = read500.flatMap((pages, of) => alikeTo(pages, of).map((found) => [of, found]))
    expect(alike).toEqual([])
  })

  test.each(Object.entries(COPIES))(`finds an exam %s, ${COPIED} times`, (_, copy) => {
    for (const [of, exam] of exams.slice(0, COPIED).entries()) {
      const [most, ...others] = alikeTo(signaturesOf(copy(exam)))
      expect(most).toMatchObject({ of, pairs: { length: 2 } })
      expect(most?.alike).toBeGreaterThan(0.4)
      expect(others).toEqual([])
    }
  })

  test(`finds a scanned exam by its pictures, ${COPIED} times`, () => {
    for (const [of, exam] of exams.slice(0, COPIED).entries()) {
      const [most] = alikeTo(scan(exam, of))
      expect(most?.of).toBe(of)
      expect(most?.pairs.every(({ isByPicture }) => isByPicture)).toBe(true)
    }
  })
})
