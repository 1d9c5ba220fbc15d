import type { VisitStep } from '../../rules/visit-steps.ts'
import type { Json } from './columns.ts'

/** The tables of `figures/`; days are `2026-11-22`, in Tunisia. */
export interface FigureTables {
  /** The sums of the ledger for a past day; null: not computed yet. */
  figureDays: { day: string; sums: Json }
  /** How often a step was taken on a day. */
  visitCounts: { day: string; step: VisitStep; count: number }
  /** Folded texts for which several searches of a day found nothing. */
  emptySearches: { day: string; words: string; count: number }
}
