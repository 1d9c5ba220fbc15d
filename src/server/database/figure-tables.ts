import type { Json } from './columns.ts'

/** The tables of `figures/`; days are `2026-11-22`, in Tunisia. */
export interface FigureTables {
  /** What the ledger has of a day that is over; null: to be summed. */
  figureDays: { day: string; sums: Json }
  /** How often something happened on a day. */
  visitCounts: { day: string; step: 'visit' | 'details' | 'cart'; count: number }
  /** Folded texts that several searches of a day had and that found nothing. */
  emptySearches: { day: string; words: string; count: number }
}
