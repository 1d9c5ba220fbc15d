import { DAY_MS } from './durations.ts'
import { MILLIMES_PER_DINAR, type Millimes } from './money.ts'

interface Bound {
  /** Up to how much one administrator does alone at a time, before the office sets another bound. */
  readonly act: Millimes
  /** The same for all acts of the kind within a day (24 hours). */
  readonly day: Millimes
}

const dinars = (amount: number): Millimes => amount * MILLIMES_PER_DINAR
const both = (amount: Millimes): Bound => ({ act: amount, day: amount })

/**
 * What makes money appear, move to somebody else or leave: up to these bounds one administrator does
 * it alone; above them a second one confirms.
 */
export const BOUNDS = {
  /** A wallet adjusted, either way. */
  adjustment: both(dinars(200)),
  /** The money of a wallet paid back to somebody who leaves. */
  return: both(dinars(200)),
  /** The money that a leaving customer gives up, as an administrator says; owners say so themselves. */
  give_up: both(dinars(200)),
  /** A customer's wallet, and payments that wait, that another account takes over. */
  merge: both(dinars(200)),
  /** A bank transfer or a D17 payment whose money is said to have come. */
  transfer: { act: dinars(500), day: dinars(2000) },
  /** A payout to a teacher, before it is recorded. */
  payout: both(dinars(1000)),
  /** A refund. No rule of the shop makes one due, so that each counts. */
  refund: both(dinars(200)),
  /** A code of the shop: what it takes off an order at most, times its uses. */
  discount: both(dinars(200)),
} as const satisfies Readonly<Record<string, Bound>>
export type BoundedKind = keyof typeof BOUNDS

export const BOUNDED_KINDS = Object.keys(BOUNDS) as BoundedKind[]

/** What a second always confirms: codes read out, new administrators, and raised bounds. */
const ALWAYS_TWO = ['code', 'administrator', 'bound'] as const

export const ACT_KINDS = [...BOUNDED_KINDS, ...ALWAYS_TWO] as const
export type ActKind = BoundedKind | (typeof ALWAYS_TWO)[number]

export const ACT_STATES = ['waiting', 'done', 'refused', 'withdrawn', 'changed'] as const
export type ActState = (typeof ACT_STATES)[number]

/** The bounds as settings: `bound_transfer` for an act, `bound_transfer_day` for a day. */
export type BoundName = `bound_${BoundedKind}` | `bound_${BoundedKind}_day`
export const BOUND_NAMES = BOUNDED_KINDS.flatMap(
  (kind) => [`bound_${kind}`, `bound_${kind}_day`] as const,
)

/** The highest bound that may be set. */
export const BOUND_MAX: Millimes = dinars(1_000_000)

/** How much one administrator may still do alone, of which at most `act` at a time. */
export function leftAlone({ act, day }: Bound, doneAlone: Millimes): Millimes {
  return Math.max(0, Math.min(act, day - doneAlone))
}

/**
 * For how long those who invited somebody, or set or reset their log-in or second factor, are no
 * second person for them, nor they for those.
 */
export const RELATED_MS = 30 * DAY_MS

/** How long an act waits after the owner was told, where nobody counts as a second. */
export const ALONE_WAIT_MS = DAY_MS

/** How long after its confirmation a code may be made and read out. */
export const CODE_READ_MS = DAY_MS
