import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CalendarEntry,
  datesAhead,
  daysUntil,
  isInWeekOf,
  lackingSince,
  lastDayProblem,
  mistakesInDates,
} from '../../src/rules/calendar.ts'
import { daysAfter } from '../../src/rules/tunisia-time.ts'

const entry = (from: string, to: string, classes: string[] = []): CalendarEntry => ({
  ...{ id: 1, kind: 'synthesis', trimester: 't1', source: 'x' },
  ...{ from, to, classes },
})

test('a class has the dates that are not over, those that name it or all, in their order', () => {
  const dates = [
    entry('2026-12-14', '2026-12-19', ['basic-9']),
    entry('2026-11-20', '2026-12-01'),
    entry('2026-11-20', '2026-11-30'),
    entry('2026-12-07', '2026-12-12', ['basic-8', 'basic-7']),
  ]
  const of = (classCode: string) =>
    datesAhead(dates, { classCode, today: '2026-12-01' }).map(({ from }) => from)
  expect(of('basic-9')).toEqual(['2026-11-20', '2026-12-14'])
  expect(of('basic-7')).toEqual(['2026-11-20', '2026-12-07'])
  expect(of('primary-1')).toEqual(['2026-11-20'])
})

test.each([
  // 2026-11-29 is a Sunday, the last day of its week.
  ['2026-11-29', '2026-11-29', true, 0],
  ['2026-11-29', '2026-11-30', false, 1],
  ['2026-11-30', '2026-12-06', true, 6],
  ['2026-11-30', '2026-12-07', false, 7],
  ['2026-12-02', '2026-11-20', true, 0],
])('on %s, dates from %s on: in this week %s, in %i days', (today, from, isInWeek, days) => {
  expect(isInWeekOf({ from }, today)).toBe(isInWeek)
  expect(daysUntil({ from }, today)).toBe(days)
})

test('days are counted across years, one less each day', () => {
  const day = fc.integer({ min: 0, max: 4000 }).map((days) => daysAfter('2025-01-01', days))
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 400 }), (today, days) => {
      const from = daysAfter(today, days)
      expect(daysUntil({ from }, today)).toBe(days)
      expect(daysUntil({ from }, daysAfter(today, 1))).toBe(days - 1)
      // A week has seven days.
      if (days >= 7) expect(isInWeekOf({ from }, today)).toBe(false)
    }),
  )
})

test.each([
  ['2026-09-01', '2026-09-01'],
  ['2026-11-29', '2026-09-01'],
  ['2027-02-01', '2026-09-01'],
  ['2026-08-31', null],
  ['2026-07-03', null],
])('after the dates of 2025/26, on %s a new year has been asked for since %s', (today, since) => {
  expect(lackingSince([entry('2026-06-29', '2026-07-02')], today)).toBe(since)
})

test('dates ahead settle it, and the day after the last of a running year asks again', () => {
  const dates = [entry('2026-11-30', '2026-12-12'), entry('2025-12-01', '2025-12-13')]
  expect(lackingSince(dates, '2026-12-12')).toBeNull()
  expect(lackingSince(dates, '2026-12-20')).toBe('2026-12-13')
  expect(lackingSince([], '2026-10-01')).toBe('2026-09-01')
})

test('the last day is not before the first, nor more than a season later', () => {
  expect(lastDayProblem({ from: '2026-12-02', to: '2026-12-01' })).toBe('min')
  expect(lastDayProblem({ from: '2026-12-02', to: '2026-12-02' })).toBeNull()
  expect(lastDayProblem({ from: '2026-12-02', to: '2027-12-02' })).toBe('max')
})

test('dates as they are typed have days of this century in their order, and a source that one can see', () => {
  const typed = (from: string, to: string, source = 'x') => mistakesInDates({ from, to, source })
  expect(typed('2027-03-01', '2027-03-01')).toEqual({})
  expect(typed('', '', '\u200d ')).toEqual({ from: 'required', to: 'required', source: 'required' })
  expect(typed('0202-12-01', '0202-12-02')).toEqual({ from: 'invalid', to: 'invalid' })
  expect(typed('0202-12-01', '2026-12-02')).toEqual({ from: 'invalid' })
  expect(typed('20270-03-01', '2027-03-02')).toEqual({ from: 'invalid' })
  expect(typed('2027-03-02', '2027-03-01')).toEqual({ to: 'min' })
  expect(typed('2026-03-02', '2027-03-02')).toEqual({ to: 'max' })
})
