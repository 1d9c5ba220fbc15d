import type { Closing } from '../../contract/office-closings.ts'
import * as closings from '../../contract/office-closings.ts'
import type { Language } from '../../rules/languages.ts'
import { tunisianDay } from '../../rules/tunisia-time.ts'
import { ask } from './backend.ts'
import { saveCsv } from './csv.ts'
import { createChoiceLoader } from './loader.ts'

const reading = createChoiceLoader<Closing>('a day’s closing')
export const $closing = reading.$state

export const loadClosing = (day: string): Promise<void> =>
  reading.load(() => ask(closings.getClosing, { params: { day } }))

/** The day that the page's address names, else today, in Tunisia. */
export function dayInAddress(): string {
  const named = new URLSearchParams(location.search).get('day') ?? ''
  const isDay = /^20\d\d-\d\d-\d\d$/.test(named) && !Number.isNaN(Date.parse(named))
  return isDay ? named : tunisianDay(new Date())
}

/** Records that the day is closed as it was seen, and reads it again. Throws an `ApiError`. */
export async function closeDay({ day, closedBy }: Closing): Promise<void> {
  const body = { seen: closedBy[0]?.id ?? null }
  try {
    await ask(closings.closeDay, { params: { day }, body })
  } finally {
    await loadClosing(day)
  }
}

/** Downloads a day as CSV with headings in a language; returns the problem, if any. */
export const downloadClosing = (day: string, locale: Language) =>
  saveCsv(
    () => ask(closings.downloadClosing, { params: { day }, query: { locale } }),
    `karras-${day}.csv`,
  )
