import { BUNDLE_PRICE_MIN, sharesOf, sumOf } from './bundles.ts'
import { type Millimes, roundDownTo } from './money.ts'

/** How many codes a teacher, or the shop, has at a time that have not ended. */
export const CODES_MAX = 100

/** How many documents, classes or teachers a code is for, where it is not for all. */
export const CODE_SCOPE_MAX = 100

/** The highest number of uses that a code may be limited to. */
export const CODE_USES_MAX = 1_000_000

/** How many unknown codes an account may try within an hour. */
export const WRONG_CODES_MAX = 10

/** What a code is for. */
export const CODE_SCOPES = ['all', 'documents', 'classes', 'teachers'] as const
export type CodeScope = (typeof CODE_SCOPES)[number]

/** How a code is: it begins later, works, has been used as often as it may, or has ended for good. */
export const CODE_STATES = ['coming', 'running', 'used_up', 'ended'] as const
export type CodeState = (typeof CODE_STATES)[number]

/** Letters and digits of which none is taken for another one; as many as divide the values of a byte. */
const CLEAR_SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A code that is easily read out and typed, of as many signs as there are random bytes. */
export const suggestedCode = (random: Uint8Array): string =>
  Array.from(random, (byte) => CLEAR_SIGNS.charAt(byte % CLEAR_SIGNS.length)).join('')

/** What a code takes off: a percentage, at most `atMost` of one order; or an amount of one order. */
export type Reduction =
  | { readonly percent: number; readonly atMost: Millimes | null; readonly amount: null }
  | { readonly percent: null; readonly atMost: null; readonly amount: Millimes }

/**
 * What a code can cost its giver in one order, with what it takes off beyond its bound where it makes one price free;
 * null: as much as is bought.
 */
export function mostOff({ amount, atMost }: Reduction): Millimes | null {
  const bound = amount ?? atMost
  return bound === null ? null : bound + BUNDLE_PRICE_MIN - 10
}

/** The same in all its uses; null: without a bound. */
export function mostCost(off: Reduction, usesMax: number | null): Millimes | null {
  const anOrder = mostOff(off)
  return anOrder === null || usesMax === null ? null : anOrder * usesMax
}

/** A document to buy; a bundle's documents have its number, and cost their shares of its price. */
interface Priced {
  readonly price: Millimes
  readonly bundleId?: number | undefined
}

/**
 * What each document costs with a code that is for all of them. A bundle counts as one document, whose new price
 * its documents share as they shared the old one. Prices are rounded down to 10 millimes, and to 0 below the
 * lowest price; an amount is taken off the dearest first, so that this rounding adds to one price alone.
 */
export function codePrices(items: readonly Priced[], off: Reduction): Millimes[] {
  const units = [...Map.groupBy(items.keys(), (at) => items[at]?.bundleId ?? -1 - at).values()]
  const unitPrices = units.map((unit) => sumOf(unit.map((at) => items[at]?.price ?? 0)))
  const reduced = reduce(unitPrices, off)
  const prices = items.map(({ price }) => price)
  for (const [at, unit] of units.entries()) {
    const parts = unit.map((each) => prices[each] ?? 0)
    if (sumOf(parts) === 0) continue
    for (const [part, price] of sharesOf(reduced[at] ?? 0, parts).entries()) {
      prices[unit[part] ?? 0] = price
    }
  }
  return prices
}

function reduce(prices: readonly Millimes[], { percent, atMost, amount }: Reduction): Millimes[] {
  if (percent === null) return takeOff(prices, amount)
  const reduced = prices.map((price) => freeBelow(roundDownTo(10, (price * (100 - percent)) / 100)))
  const isTooMuch = atMost !== null && sumOf(prices) - sumOf(reduced) > atMost
  return isTooMuch ? takeOff(prices, atMost) : reduced
}

function takeOff(prices: readonly Millimes[], amount: Millimes): Millimes[] {
  const reduced = [...prices]
  let left = amount
  for (const [at, price] of [...prices.entries()].toSorted(([, a], [, b]) => b - a)) {
    const taken = Math.min(left, price)
    if (taken > 0) reduced[at] = freeBelow(price - taken)
    left -= taken
  }
  return reduced
}

const freeBelow = (price: Millimes) => (price < BUNDLE_PRICE_MIN ? 0 : price)
