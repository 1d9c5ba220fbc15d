import { dinars, type Millimes } from './money.ts'

/** How many documents a bundle has. */
export const BUNDLE_DOCUMENTS = { least: 2, most: 10 } as const

/** How many bundles a teacher sells at a time; and how many of several teachers there are. */
export const BUNDLES_MAX = 200

/** How many bundles of a document are told, such as on its page: the cheapest. */
export const BUNDLES_SHOWN = 3

/** What a teacher says to a bundle with documents of others. */
export const BUNDLE_ANSWERS = ['agreed', 'refused'] as const
export type BundleAnswer = (typeof BUNDLE_ANSWERS)[number]

/** The lowest price of a bundle; what is left of one after the owned documents is free below it. */
export const BUNDLE_PRICE_MIN: Millimes = dinars(0.5)

/**
 * Each document's part of a bundle's price, in proportion to these prices: whole tens of millimes that sum to
 * the bundle's price. That is at most the sum of these prices; then no part is above its own price.
 */
export function sharesOf(price: Millimes, prices: readonly Millimes[]): Millimes[] {
  const sum = sumOf(prices)
  const exact = prices.map((each) => (price * each) / sum / 10)
  const shares = exact.map(Math.floor)
  // What is lost by rounding down goes to those that lost most, of equal ones to the first.
  const lost = exact.map((each, at) => ({ at, part: each - Math.floor(each) }))
  const most = lost.toSorted((a, b) => b.part - a.part).slice(0, price / 10 - sumOf(shares))
  for (const { at } of most) shares[at] = (shares[at] ?? 0) + 1
  return shares.map((each) => each * 10)
}

/** Whether documents at these prices may be sold together at this price: none is free, and one pays less. */
export const isBundlePrice = (price: Millimes, prices: readonly Millimes[]): boolean =>
  price >= BUNDLE_PRICE_MIN && price < sumOf(prices) && prices.every((each) => each > 0)

/** What one pays for the documents of a bundle that one lacks, by their shares of its price. */
export const restPrices = (shares: readonly Millimes[]): Millimes[] =>
  shares.map((share) => (sumOf(shares) < BUNDLE_PRICE_MIN ? 0 : share))

/** Here and not in `money.ts`, which every page loads. */
export const sumOf = (amounts: readonly Millimes[]): Millimes =>
  amounts.reduce((sum, each) => sum + each, 0)
