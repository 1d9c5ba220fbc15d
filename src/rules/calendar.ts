import { DAY_MS } from './durations.ts'
import type { PaperKind, Trimester } from './papers.ts'
import { isBlank } from './pasted-text.ts'
import { daysAfter } from './tunisia-time.ts'

/** The kinds that the calendar names beside those that administrators have added. */
export const CALENDAR_KINDS = [
  'control',
  'synthesis',
  'mock',
  'concours6',
  'concours9',
  'bac_main',
  'bac_control',
] as const satisfies readonly PaperKind[]

/** Days (`2026-12-01`) in Tunisia on which classes are tested, the last one included. */
export interface TestDates {
  /** One of `CALENDAR_KINDS`, or the code of one that administrators have added. */
  readonly kind: string
  readonly trimester: Trimester | null
  readonly from: string
  readonly to: string
  /** Where they were announced: words or a link. */
  readonly source: string
}

/** The same in the calendar; `classes` are codes, none: all classes. */
export interface CalendarEntry extends TestDates {
  readonly id: number
  readonly classes: string[]
}

/** The most dates of the calendar, those of past years included. */
export const CALENDAR_MAX = 100
export const CALENDAR_SOURCE_MAX_LENGTH = 300
/** Longer dates are a mistake of the year. */
export const CALENDAR_DAYS_MAX = 100

/** What is wrong with the last day, or null. */
export function lastDayProblem({ from, to }: Pick<TestDates, 'from' | 'to'>): 'min' | 'max' | null {
  if (to < from) return 'min'
  return to > daysAfter(from, CALENDAR_DAYS_MAX) ? 'max' : null
}

/** Days of this century; a browser's field of a day also takes the year 202. */
const isDay = (day: string) => /^20\d\d-/.test(day)

type Mistake = 'required' | 'invalid' | 'min' | 'max'

/** What is wrong with dates as they are typed, by field. */
export function mistakesInDates({
  from,
  to,
  source,
}: Pick<TestDates, 'from' | 'to' | 'source'>): Partial<Record<'from' | 'to' | 'source', Mistake>> {
  const dayMistake = (day: string) => (day === '' ? 'required' : isDay(day) ? null : 'invalid')
  const first = dayMistake(from)
  const last = dayMistake(to) ?? (first ? null : lastDayProblem({ from, to }))
  return {
    ...(first && { from: first }),
    ...(last && { to: last }),
    ...(isBlank(source) && { source: 'required' }),
  }
}

/** The dates of a class that are not over on a day, in their order. */
export function datesAhead<Entry extends CalendarEntry>(
  entries: readonly Entry[],
  { classCode, today }: { classCode: string; today: string },
): Entry[] {
  const isOfClass = ({ classes }: Entry) => classes.length === 0 || classes.includes(classCode)
  return inOrder(entries.filter((entry) => entry.to >= today && isOfClass(entry)))
}

export const inOrder = <Dates extends Pick<TestDates, 'from' | 'to'>>(
  dates: readonly Dates[],
): Dates[] =>
  dates.toSorted(
    (one, other) => one.from.localeCompare(other.from) || one.to.localeCompare(other.to),
  )

/** Whether dates that are not over begin on this day or earlier, or later in its week, which ends on Sunday. */
export function isInWeekOf({ from }: Pick<TestDates, 'from'>, today: string): boolean {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  return from <= daysAfter(today, (7 - weekday) % 7)
}

/** How many days there are until dates begin; 0 from the first day on. */
export function daysUntil({ from }: Pick<TestDates, 'from'>, today: string): number {
  return Math.max(0, Math.round((Date.parse(from) - Date.parse(today)) / DAY_MS))
}

const SEPTEMBER = 9
const JUNE = 6

/**
 * Since which day the calendar has lacked dates: from September on, through the school year, none lies ahead.
 * null: it has some, or it is summer.
 */
export function lackingSince(
  dates: readonly Pick<TestDates, 'to'>[],
  today: string,
): string | null {
  const last =
    dates
      .map(({ to }) => to)
      .sort()
      .at(-1) ?? ''
  const month = Number(today.slice(5, 7))
  if (last >= today || (month >= JUNE && month < SEPTEMBER)) return null
  const year = Number(today.slice(0, 4)) - (month < SEPTEMBER ? 1 : 0)
  const begins = `${year}-09-01`
  return last < begins ? begins : daysAfter(last, 1)
}
