import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bySubject, choicesOf, curveOf, schoolYearOf } from '../../src/rules/marks.ts'

const given = (satAt: string, matiereId: number | null = 1, child = '') => ({
  ...{ satAt: `${satAt}T09:00:00.000Z`, matiereId, child, quarters: 40 },
})

test('a school year begins with September', () => {
  const days = ['2026-08-31', '2026-09-01', '2026-12-31', '2027-01-01', '2027-06-30']
  expect(days.map((day) => schoolYearOf(given(day).satAt))).toEqual([2025, 2026, 2026, 2026, 2026])
})

test('marks are shown by year, name and subject', () => {
  const marks = [
    given('2026-10-01', 1, 'Sami'),
    given('2026-11-01', 2),
    given('2026-09-01', 1, 'Sami'),
    given('2025-10-01', null, 'ياسمين'),
  ]
  expect(choicesOf(marks)).toEqual({ years: [2026, 2025], children: ['', 'Sami', 'ياسمين'] })
  const subjects = bySubject(marks).map((each) => each.map(({ satAt }) => satAt.slice(0, 10)))
  expect(subjects).toEqual([['2026-11-01'], ['2026-09-01', '2026-10-01'], ['2025-10-01']])
})

test('a curve stays in its box, goes on, and is higher for higher marks', () => {
  const box = { width: 280, height: 80 }
  expect(curveOf([], box)).toEqual([])
  expect(curveOf([40], box)).toEqual([{ x: 140, y: 40 }])
  expect(curveOf([0, 80], box)).toEqual([
    { x: 0, y: 80 },
    { x: 280, y: 0 },
  ])
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 2 }), (quarters) => {
      const points = curveOf(quarters, box)
      for (const [at, { x, y }] of points.entries()) {
        expect(x).toBeGreaterThanOrEqual(0)
        expect(x).toBeLessThanOrEqual(box.width + 1e-9)
        expect(y).toBeGreaterThanOrEqual(0)
        expect(y).toBeLessThanOrEqual(box.height)
        const before = points[at - 1]
        if (before) expect(x).toBeGreaterThan(before.x)
      }
    }),
  )
})
