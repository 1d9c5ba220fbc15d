import { MILLIMES_PER_DINAR, type Millimes } from './money.ts'

/**
 * A price filter: `min` ≤ final price < `max`, in millimes; `max` is null if there is no upper
 * limit.
 */
export type PriceBand = { id: string; min: Millimes; max: Millimes | null }

/** The price filters, cheapest first; the ids are in dinars. */
export const PRICE_BANDS: readonly PriceBand[] = [
  { id: '0-10', min: 0, max: 10 * MILLIMES_PER_DINAR },
  { id: '10-25', min: 10 * MILLIMES_PER_DINAR, max: 25 * MILLIMES_PER_DINAR },
  { id: '25-50', min: 25 * MILLIMES_PER_DINAR, max: 50 * MILLIMES_PER_DINAR },
  { id: '50-100', min: 50 * MILLIMES_PER_DINAR, max: 100 * MILLIMES_PER_DINAR },
  { id: '100+', min: 100 * MILLIMES_PER_DINAR, max: null },
]

export function parsePriceBand(id: string): PriceBand | null {
  // A query string that was not encoded turns the plus of `100+` into a space.
  return PRICE_BANDS.find((band) => band.id === id.replace(' ', '+')) ?? null
}

/** The audiences of documents: the values of `type`. */
export const AUDIENCES = ['Pour Élève', 'Pour Enseignant'] as const
export type Audience = (typeof AUDIENCES)[number]

/** The education levels, in the order of the home page. */
export const LEVELS = ['preparatoire', 'high-school', 'middle-school', 'primary-school'] as const
export type Level = (typeof LEVELS)[number]
