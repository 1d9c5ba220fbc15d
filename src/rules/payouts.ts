import { DAY_MS } from './durations.ts'
import { MILLIMES_PER_DINAR, type Millimes, roundDownTo } from './money.ts'

/**
 * The number of days after a sale before its share may be paid out, unless the operator sets
 * another.
 */
export const DEFAULT_HOLD_DAYS = 7
export const HOLD_DAYS_MAX = 90

/** The smallest payout, unless the operator sets another. */
export const DEFAULT_PAYOUT_MINIMUM = 50 * MILLIMES_PER_DINAR
export const PAYOUT_MINIMUM_LEAST = 1 * MILLIMES_PER_DINAR
export const PAYOUT_MINIMUM_MOST = 1000 * MILLIMES_PER_DINAR

/** The highest rate of a payout that may be withheld, in percent. */
export const WITHHOLDING_PERCENT_MAX = 30

/**
 * What is withheld of a payout (retenue à la source), rounded down to 10 millimes; the rate is in
 * percent, with at most two decimals.
 */
export function withheldOf(amount: Millimes, percent: number): Millimes {
  return roundDownTo(10, (amount * Math.round(percent * 100)) / 10_000)
}

/** `cancelled`: by the teacher. */
export const PAYOUT_STATES = ['requested', 'paid', 'refused', 'cancelled'] as const
export type PayoutState = (typeof PAYOUT_STATES)[number]

/**
 * How long payouts wait after the bank account, or the teacher's e-mail or phone, has changed: long
 * enough for the owner to notice.
 */
export const BANK_ACCOUNT_WAIT_MS = 3 * DAY_MS

/** How many payouts a teacher may request within a day, including cancelled ones. */
export const PAYOUT_REQUESTS_A_DAY = 10

/** The longest reference of a bank transfer, and the longest reason of a refusal, in characters. */
export const PAYOUT_NOTE_MAX_LENGTH = 200

export function payableFrom(soldAt: Date, holdDays: number): Date {
  return new Date(soldAt.getTime() + holdDays * DAY_MS)
}
