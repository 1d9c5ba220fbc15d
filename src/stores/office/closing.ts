import type { Closing } from '../../contract/office-closings.ts'
import * as closings from '../../contract/office-closings.ts'
import type { Language } from '../../rules/languages.ts'
import { tunisianDay } from '../../rules/tunisia-time.ts'
import { ask } from './backend.ts'
import { saveCsv } from './csv.ts'
import { createChoiceLoader } from './loader.ts'

const loader = createChoiceLoader<Closing>('a day’s closing')
export const $closing = loader.$state

export const loadClosing = (day: string): Promise<void> =>
  loader.load(() => ask(closings.getClosing, { params: { day } }))

/** The day in the page's URL, or today's date in Tunisia. */
export function dayInAddress(): string {
  const value = new URLSearchParams(location.search).get('day') ?? ''
  const isDay = /^20\d\d-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
  return isDay ? value : tunisianDay(new Date())
}

/** Closes the day as it was shown, and reloads it. Throws an `ApiError`. */
export async function closeDay({ day, closedBy }: Closing): Promise<void> {
  const body = { seen: closedBy[0]?.id ?? null }
  try {
    await ask(closings.closeDay, { params: { day }, body })
  } finally {
    await loadClosing(day)
  }
}

export const downloadClosing = (day: string, locale: Language) =>
  saveCsv(
    ask(closings.downloadClosing, { params: { day }, query: { locale } }),
    `karras-${day}.csv`,
  )
