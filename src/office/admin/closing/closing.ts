import type { Closing } from '../../../contract/office-closings.ts'
import * as closings from '../../../contract/office-closings.ts'
import type { Language } from '../../../rules/languages.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import { ask, orReload } from '../../kit/backend.ts'
import { saveCsv } from '../../kit/csv.ts'
import { resourceFor } from '../../kit/loader.ts'

const closing = resourceFor(closings.getClosing, (day: string) => ({ params: { day } }))
export const { $state: $closing, load: loadClosing } = closing

/** The day in the page's URL, or today's date in Tunisia. */
export function dayInAddress(): string {
  const value = new URLSearchParams(location.search).get('day') ?? ''
  const isDay = /^20\d\d-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
  return isDay ? value : tunisianDay(new Date())
}

/** Closes the day as it was shown. Throws an `ApiError`. */
export async function closeDay({ day, closedBy }: Closing): Promise<void> {
  const body = { seen: closedBy[0]?.id ?? null }
  const work = ask(closings.closeDay, { params: { day }, body })
  closing.show(await orReload(work, () => loadClosing(day)))
}

export const downloadClosing = (day: string, locale: Language) =>
  saveCsv(
    ask(closings.downloadClosing, { params: { day }, query: { locale } }),
    `karras-${day}.csv`,
  )
