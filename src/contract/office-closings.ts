import * as s from 'superstruct'
import { LANGUAGES } from '../rules/languages.ts'
import { ACCOUNT_KINDS } from '../rules/ledger.ts'
import { ORDER_METHODS } from '../rules/payment-methods.ts'
import { ACT_KINDS } from '../rules/two-people.ts'
import { defineCall } from './call.ts'
import { day, dinarAmount, id, moment, nothing, signedDinars, whole } from './values.ts'

/** The lines of a day's closing: the kinds of money movements. */
export const CLOSING_LINES = [
  ...ORDER_METHODS,
  'sales',
  'walletSales',
  'topUps',
  'refunds',
  'given',
  'taken',
  'payouts',
  'taxes',
  'merged',
  'returned',
] as const

const count = () => whole(0, 999_999_999)

/** A line of a day, from the shop's records and from its ledger, which should agree. */
const ClosingLine = s.type({
  line: s.enums(CLOSING_LINES),
  count: count(),
  recorded: signedDinars(),
  booked: signedDinars(),
})

/** An account of the ledger over a day: `opening + moved = closing`. */
const ClosingBalance = s.type({
  account: s.enums(ACCOUNT_KINDS),
  opening: signedDinars(),
  moved: signedDinars(),
  closing: signedDinars(),
})

/** A day of the shop, in Tunisia's time. */
export const Closing = s.type({
  day: day(),
  /** Whether the day is over; until then, entries may be added. */
  isComplete: s.boolean(),
  lines: s.array(ClosingLine),
  balances: s.array(ClosingBalance),
  /** What each administrator did that has a bound; `alone`: what no second person confirmed. */
  administrators: s.array(
    s.type({
      by: s.string(),
      kind: s.enums(ACT_KINDS),
      count: count(),
      amount: dinarAmount(),
      alone: dinarAmount(),
    }),
  ),
  /** The difference between records and ledger, plus the ledger's sum; 0 if everything is right. */
  difference: signedDinars(),
  /** The administrators who closed the day, latest first, and whether the figures that they saw are still the same. */
  closedBy: s.array(s.type({ id: id(), by: s.string(), at: moment(), isSame: s.boolean() })),
})
export type Closing = s.Infer<typeof Closing>

const params = s.object({ day: day() })

export const getClosing = defineCall('GET /office/admin/closings/:day', 'admin', {
  params,
  result: Closing,
})

/** The same as CSV: UTF-8 with a BOM and semicolons, for Excel. */
export const downloadClosing = defineCall('GET /office/admin/closings/:day/csv', 'admin', {
  params,
  query: s.object({ locale: s.optional(s.enums(LANGUAGES)) }),
  answers: 'file',
  result: nothing(),
})

/**
 * Records that the caller has closed the day; a second time only if something has changed since.
 */
export const closeDay = defineCall('POST /office/admin/closings/:day', 'admin', {
  params,
  body: s.object({ seen: s.nullable(id()) }),
  result: Closing,
  errors: ['day_not_over', 'done_before'],
})
