import { DAY_MS } from '../../rules/durations.ts'
import { foldText } from '../../rules/search-fold.ts'
import { tunisianDay } from '../../rules/tunisia-time.ts'
import { VISIT_STEPS } from '../../rules/visits.ts'
import type { Tx } from '../database/transaction.ts'
import type { DemoShop } from './demo-data.ts'

/** Factors by day, so that days differ: every fifth day has more visits. */
const RHYTHM = [1, 0.8, 1.1, 0.9, 1.4]

/** Writes the visits of the shop, and searches that found nothing. */
export async function writeOfficeFigures(
  tx: Tx,
  { officeFigures: { days, aDay, searches } }: DemoShop,
): Promise<void> {
  const dayBefore = (daysAgo: number) => tunisianDay(new Date(Date.now() - daysAgo * DAY_MS))
  const counts = Array.from({ length: days }, (_, daysAgo) =>
    VISIT_STEPS.map((step) => ({
      day: dayBefore(daysAgo),
      step,
      count: Math.round(aDay[step] * (RHYTHM[daysAgo % RHYTHM.length] ?? 1)),
    })),
  )
  await tx.insertInto('visitCounts').values(counts.flat()).execute()
  const found = searches.map(({ text, daysAgo, count }) => ({
    day: dayBefore(daysAgo),
    words: foldText(text),
    count,
  }))
  await tx.insertInto('emptySearches').values(found).execute()
}
