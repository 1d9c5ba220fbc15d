import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  number,
  object,
  optional,
  pattern,
  string,
  type,
} from 'superstruct'
import { LANGUAGES } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { pageOf, pageQuery } from './pages.ts'
import { day, dinarAmount, id, moment, nothing, signedDinars } from './values.ts'

// What a teacher earns. Days and months are Tunisia's; a share is the teacher's part of a price.

/** A month in Tunisia: `2026-11`. */
const month = () => pattern(string(), /^20\d\d-(0[1-9]|1[0-2])$/)

const count = () => number()

/** The terms by which this teacher earns now. */
export const EarningTerms = type({
  /** The teacher's share of each sale from now on, in whole percent. */
  sharePercent: number(),
  /** Days after a sale from which its share may be paid out. */
  holdDays: number(),
  /** The least that is paid out at once. */
  payoutMinimum: dinarAmount(),
})
export type EarningTerms = Infer<typeof EarningTerms>

/** What was sold and refunded within a span of time; `share − refunded` was earned. */
const Earned = type({
  /** Documents sold; free ones are not sales. */
  sales: count(),
  /** What buyers paid for them. */
  price: dinarAmount(),
  /** The teacher's part of it. */
  share: dinarAmount(),
  /** Sales that were refunded within that time, whenever they were made. */
  refunds: count(),
  /** The teacher's part of what was refunded. */
  refunded: dinarAmount(),
})
export type Earned = Infer<typeof Earned>

/** What a teacher has earned, and how much of it can be paid out now. */
export const EarningsSummary = type({
  today: Earned,
  thisMonth: Earned,
  thisYear: Earned,
  /** All that was earned and not paid out; below 0 where a refund came after a payout. */
  balance: signedDinars(),
  /** What can be paid out now: without what is held or requested, and never below 0. */
  available: dinarAmount(),
  /** The share of the last days' sales, which may not be paid out yet. */
  held: dinarAmount(),
  /** What becomes available on which day, soonest first; the amounts sum to `held`. */
  releases: array(type({ day: day(), amount: dinarAmount() })),
  /** The moment when all of `held` is available; null where nothing is held. */
  heldUntil: nullable(moment()),
  /** What is requested and not paid yet. */
  requested: dinarAmount(),
  /** All that was ever paid out. */
  paidOut: dinarAmount(),
  terms: EarningTerms,
})
export type EarningsSummary = Infer<typeof EarningsSummary>

export const getEarningTerms = defineCall({
  method: 'GET',
  path: '/office/earning-terms',
  caller: 'teacher',
  result: EarningTerms,
})

export const getEarnings = defineCall({
  method: 'GET',
  path: '/office/earnings',
  caller: 'teacher',
  result: EarningsSummary,
})

/** A document sold, as its teacher sees it. */
export const Sale = type({
  /** Unique over all sales. */
  id: string(),
  soldAt: moment(),
  document: type({ id: id(), title: string() }),
  /** First name and initial, such as `Amal B.`; the teacher learns no more of the buyer. */
  buyer: string(),
  price: dinarAmount(),
  /** null: sold before prices were shared, so not part of the balance. */
  share: nullable(dinarAmount()),
  /** When it was refunded to the buyer, and the share taken back. */
  refundedAt: nullable(moment()),
  /** The moment from which its share may be paid out; null where it has none. */
  payableFrom: nullable(moment()),
})
export type Sale = Infer<typeof Sale>

export const SALE_SORTS = ['-soldAt', 'soldAt', '-price', 'price', '-share', 'share'] as const
export type SaleSort = (typeof SALE_SORTS)[number]

/** The teacher's sales, newest first unless sorted otherwise; free documents are not among them. */
export const listSales = defineCall({
  method: 'GET',
  path: '/office/sales',
  caller: 'teacher',
  query: object({
    ...pageQuery,
    sort: optional(enums(SALE_SORTS)),
    documentId: optional(id()),
    month: optional(month()),
  }),
  result: pageOf(Sale),
})

/** The last 30 or 90 days, day by day, or the last 12 months, month by month. */
export const EARNING_RANGES = ['30d', '90d', '12m'] as const
export type EarningRange = (typeof EARNING_RANGES)[number]

/** What was earned in each day or month of a range, oldest first, days without sales included. */
export const getEarningsSeries = defineCall({
  method: 'GET',
  path: '/office/earnings/series',
  caller: 'teacher',
  query: object({ range: optional(enums(EARNING_RANGES)), documentId: optional(id()) }),
  result: type({
    range: enums(EARNING_RANGES),
    unit: enums(['day', 'month']),
    /** `at` is the day, or the first day of the month. */
    points: array(type({ at: day(), ...Earned.schema })),
    total: Earned,
  }),
})

export const DOCUMENT_EARNING_SORTS = ['-share', 'share', '-sales', 'sales', 'title'] as const
export type DocumentEarningSort = (typeof DOCUMENT_EARNING_SORTS)[number]

/** What each document that sold earned in a range, by default 30 days. */
export const listDocumentEarnings = defineCall({
  method: 'GET',
  path: '/office/earnings/documents',
  caller: 'teacher',
  query: object({
    ...pageQuery,
    range: optional(enums([...EARNING_RANGES, 'all'])),
    sort: optional(enums(DOCUMENT_EARNING_SORTS)),
  }),
  result: pageOf(type({ document: type({ id: id(), title: string() }), ...Earned.schema })),
})

/** A month's statement: `opening + sales − refunds − payouts = closing`. */
export const Statement = type({
  month: month(),
  /** Whether the month is over: until then more may come. */
  isComplete: boolean(),
  opening: signedDinars(),
  sales: type({ count: count(), price: dinarAmount(), share: dinarAmount() }),
  refunds: type({ count: count(), price: dinarAmount(), share: dinarAmount() }),
  payouts: type({ count: count(), amount: dinarAmount() }),
  closing: signedDinars(),
  /** By document, those that earned most first. */
  documents: array(type({ document: type({ id: id(), title: string() }), ...Earned.schema })),
  /** The payouts of the month. */
  paid: array(type({ id: id(), paidAt: moment(), amount: dinarAmount(), reference: string() })),
})
export type Statement = Infer<typeof Statement>

/** The months that have a statement, newest first, with their closing balances. */
export const listStatements = defineCall({
  method: 'GET',
  path: '/office/statements',
  caller: 'teacher',
  result: array(type({ month: month(), earned: signedDinars(), closing: signedDinars() })),
})

export const getStatement = defineCall({
  method: 'GET',
  path: '/office/statements/:month',
  caller: 'teacher',
  params: object({ month: month() }),
  result: Statement,
})

/** The same as CSV, line by line: UTF-8 with a BOM and semicolons, as Excel opens it. */
export const downloadStatement = defineCall({
  method: 'GET',
  path: '/office/statements/:month/csv',
  caller: 'teacher',
  params: object({ month: month() }),
  /** The language of the headings; the account's when left out. */
  query: object({ locale: optional(enums(LANGUAGES)) }),
  answers: 'file',
  result: nothing(),
})
