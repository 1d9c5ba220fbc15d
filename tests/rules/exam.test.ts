import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import {
  clockRead,
  closedAfter,
  EXAM_MINUTES_LEAST,
  type Exam,
  HIGHEST_MARK,
  minutesToTell,
  pagesOfExam,
  QUARTERS,
  readExam,
  readExercisePoints,
  readMinutes,
  readQuarters,
  shownTime,
  TOLD_MINUTES,
  timeLeft,
  timePassed,
} from '../../src/rules/exam.ts'

const BEGAN = Date.parse('2026-11-29T09:00:00Z')
const EXAM: Exam = {
  id: 'a'.repeat(32),
  documentId: 7,
  minutes: 60,
  child: 'ياسمين',
  beganAt: BEGAN,
  pages: 2,
  passed: 0,
  at: BEGAN,
  isOver: false,
}
const minutesIn = (minutes: number) => BEGAN + minutes * MINUTE_MS

describe('the clock of an exam', () => {
  test('goes on while the page is closed, and ends once', () => {
    expect(timeLeft(EXAM, BEGAN)).toBe(60 * MINUTE_MS)
    expect(timeLeft(EXAM, minutesIn(45))).toBe(15 * MINUTE_MS)
    expect(timeLeft(EXAM, minutesIn(60))).toBe(0)
    expect(timeLeft(EXAM, minutesIn(600))).toBe(0)
    expect(timeLeft({ ...EXAM, isOver: true }, minutesIn(1))).toBe(0)
  })

  test('goes on when the device’s clock is put back', () => {
    const read = clockRead(EXAM, minutesIn(20))
    // Put back by a day while the page is open: the page itself knows how long it has run.
    const back = minutesIn(20) - 24 * 60 * MINUTE_MS
    expect(timePassed(read, back, 5 * MINUTE_MS)).toBe(25 * MINUTE_MS)
    // Read again, it goes on from there, also without the page.
    const again = clockRead(read, back, 5 * MINUTE_MS)
    expect(timePassed(again, back + 10 * MINUTE_MS)).toBe(35 * MINUTE_MS)
  })

  test('never goes back and stays within its length, whatever the clocks do', () => {
    const reading = fc.record({
      now: fc.integer({ min: BEGAN - 1e10, max: BEGAN + 1e10 }),
      here: fc.integer({ min: 0, max: 1e9 }),
    })
    fc.assert(
      fc.property(fc.array(reading), (readings) => {
        let exam = EXAM
        for (const { now, here } of readings) {
          const next = clockRead(exam, now, here)
          expect(next.passed).toBeGreaterThanOrEqual(exam.passed)
          expect(next.passed).toBeLessThanOrEqual(60 * MINUTE_MS)
          exam = next
        }
      }),
    )
  })

  test('shows whole seconds, and nothing left at the end only', () => {
    expect([0, 1, 1000, 61_000, 90 * MINUTE_MS].map(shownTime)).toEqual([
      '0:00',
      '0:01',
      '0:01',
      '1:01',
      '90:00',
    ])
  })
})

describe('what a screen reader says', () => {
  test('is the time at 30, 10, 5 and 1 minutes', () => {
    const told = (before: number, now: number) => minutesToTell(before * MINUTE_MS, now * MINUTE_MS)
    expect(told(31, 30)).toBe(30)
    expect(told(30, 29.9)).toBeNull()
    expect(told(10.01, 9.99)).toBe(10)
    // After a sleep the last one alone, and at the end none.
    expect(told(40, 4)).toBe(5)
    expect(told(2, 0)).toBeNull()
    // An exam of half an hour does not begin with it.
    expect(told(30, 30)).toBeNull()
  })

  test('is each of them once, in whatever steps the clock is read', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 800 }), (steps) => {
        const said: number[] = []
        let left = 35 * MINUTE_MS
        for (const step of steps) {
          const next = Math.max(1, left - step)
          const minutes = minutesToTell(left, next)
          if (minutes !== null) said.push(minutes)
          left = next
        }
        expect(said).toEqual(TOLD_MINUTES.filter((minutes) => left <= minutes * MINUTE_MS))
      }),
      { numRuns: 20 },
    )
  })
})

describe('what students type', () => {
  test('points in quarters, with any digits and marks', () => {
    const typed = ['12', '12.5', '12,25', '١٢٫٧٥', ' 20 ', '0', '20,25', '12,3', '-1', '1e1', '']
    expect(typed.map((text) => readQuarters(text))).toEqual([
      ...[48, 50, 49, 51, 80, 0],
      ...[null, null, null, null, null],
    ])
    expect(readQuarters('6', 20)).toBeNull()
    fc.assert(
      fc.property(fc.integer({ min: 0, max: HIGHEST_MARK }), (quarters) => {
        expect(readQuarters(String(quarters / QUARTERS))).toBe(quarters)
      }),
    )
  })

  test('the points of exercises, which make twenty', () => {
    for (const typed of ['6 + 7 + 7', '6+7+7', '6، 7، 7', '6, 7, 7', '٦ · ٧ · ٧', ' 6 / 7 / 7 ']) {
      expect(readExercisePoints(typed)).toEqual([24, 28, 28])
    }
    expect(readExercisePoints('2,5 + 7,5 + 10')).toEqual([10, 30, 40])
    const wrong = ['', '20', '6 + 7', '10 + 10 + 0', 'six', '6,3 + 6,7 + 7', '2 + '.repeat(40)]
    expect(wrong.map(readExercisePoints)).toEqual(wrong.map(() => null))
    fc.assert(fc.property(fc.string(), (typed) => void readExercisePoints(typed)))
  })

  test('minutes of an exam', () => {
    const typed = ['60', '٩٠', '5', '600', '4', '601', '1.5', 'x', '']
    expect(typed.map(readMinutes)).toEqual([60, 90, 5, 600, null, null, null, null, null])
  })
})

test('during an exam, the pages from the correction on are closed, and the table of contents too', () => {
  const outline = [1, 2, 3].map((page) => ({ page }))
  const reading = { sizes: ['a', 'b', 'c'], outline, paper: { correctionPage: 3 } }
  expect(pagesOfExam(reading)).toBe(2)
  expect(closedAfter(reading, 2)).toMatchObject({
    sizes: ['a', 'b'],
    outline: [{ page: 1 }, { page: 2 }],
  })
  // A correction elsewhere, or one that a shorter file no longer has.
  for (const paper of [undefined, { correctionPage: null }, { correctionPage: 9 }]) {
    expect(pagesOfExam({ ...reading, paper })).toBe(3)
  }
})

test('an exam is read from what was stored, and anything else is none', () => {
  expect(readExam(JSON.parse(JSON.stringify(EXAM)))).toEqual(EXAM)
  for (const wrong of [
    ...[null, 3, 'x', [], {}],
    { ...EXAM, id: 'x' },
    { ...EXAM, minutes: 1e9 },
    { ...EXAM, minutes: EXAM_MINUTES_LEAST - 1 },
    { ...EXAM, beganAt: Number.MAX_SAFE_INTEGER },
    { ...EXAM, passed: -1 },
    { ...EXAM, at: null },
    { ...EXAM, child: null },
  ]) {
    expect(readExam(wrong)).toBeNull()
  }
})
