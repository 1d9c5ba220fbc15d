import * as s from 'superstruct'
import { LANGUAGES } from '../rules/languages.ts'
import { defineCall } from './call.ts'
import { day, dinarAmount, id, moment, nothing, pageOf, pageQuery, signedDinars } from './values.ts'

// A teacher's earnings. Days and months are in Tunisia's time; a share is the teacher's part of a
// price.

/** A month in Tunisia: `2026-11`. */
const month = () => s.pattern(s.string(), /^20\d\d-(0[1-9]|1[0-2])$/)

const count = () => s.number()

/** The current terms of this teacher's earnings. */
export const EarningTerms = s.type({
  /** The teacher's share of each sale from now on, in whole percent. */
  sharePercent: s.number(),
  /** Days after a sale from which its share may be paid out. */
  holdDays: s.number(),
  /** The smallest payout. */
  payoutMinimum: dinarAmount(),
  /** What is withheld of a payout for the tax office, in percent. */
  withholding: s.number(),
})
export type EarningTerms = s.Infer<typeof EarningTerms>

/** The sales and refunds of a period; `share − refunded` was earned. */
const Earned = s.type({
  /** Documents sold; free ones are not sales. */
  sales: count(),
  /** The sum that buyers paid for them. */
  price: dinarAmount(),
  /** The teacher's part of that sum. */
  share: dinarAmount(),
  /** The sales that were refunded within the period, whenever they were made. */
  refunds: count(),
  /** The teacher's part of the refunds. */
  refunded: dinarAmount(),
})
export type Earned = s.Infer<typeof Earned>

/** How much a teacher has earned, and how much of it can be paid out now. */
export const EarningsSummary = s.type({
  today: Earned,
  thisMonth: Earned,
  thisYear: Earned,
  /** Everything earned and not paid out; negative if a refund came after a payout. */
  balance: signedDinars(),
  /**
   * The amount that can be paid out now: without held and requested amounts, and never negative.
   */
  available: dinarAmount(),
  /** The share of recent sales, which may not be paid out yet. */
  held: dinarAmount(),
  /** The amounts that become available on each day, soonest first; their sum is `held`. */
  releases: s.array(s.type({ day: day(), amount: dinarAmount() })),
  /** The moment when all of `held` is available; null if nothing is held. */
  heldUntil: s.nullable(moment()),
  /** The amount that is requested and not paid yet. */
  requested: dinarAmount(),
  /** The total of all payouts. */
  paidOut: dinarAmount(),
  terms: EarningTerms,
})
export type EarningsSummary = s.Infer<typeof EarningsSummary>

export const getEarningTerms = defineCall('GET /office/earning-terms', 'teacher', {
  result: EarningTerms,
})

export const getEarnings = defineCall('GET /office/earnings', 'teacher', {
  result: EarningsSummary,
})

/** A sale of a document, as its teacher sees it. */
export const Sale = s.type({
  /** Unique over all sales. */
  id: s.string(),
  soldAt: moment(),
  document: s.type({ id: id(), title: s.string() }),
  /** First name and initial, such as `Amal B.`; the teacher learns nothing else about the buyer. */
  buyer: s.string(),
  price: dinarAmount(),
  /** Before an own code lowered it. */
  priceBefore: s.nullable(dinarAmount()),
  /** null: sold before sales were shared with teachers, so not part of the balance. */
  share: s.nullable(dinarAmount()),
  /** When it was refunded to the buyer and the share was taken back. */
  refundedAt: s.nullable(moment()),
  /** The moment from which its share may be paid out; null if it has no share. */
  payableFrom: s.nullable(moment()),
})
export type Sale = s.Infer<typeof Sale>

export const SALE_SORTS = ['-soldAt', 'soldAt', '-price', 'price', '-share', 'share'] as const
export type SaleSort = (typeof SALE_SORTS)[number]

/** The teacher's sales, newest first unless sorted otherwise; free documents are not among them. */
export const listSales = defineCall('GET /office/sales', 'teacher', {
  query: s.object({
    ...pageQuery,
    sort: s.optional(s.enums(SALE_SORTS)),
    documentId: s.optional(id()),
    month: s.optional(month()),
  }),
  result: pageOf(Sale),
})

/** The last 30 or 90 days, day by day, or the last 12 months, month by month. */
export const EARNING_RANGES = ['30d', '90d', '12m'] as const
export type EarningRange = (typeof EARNING_RANGES)[number]
export const DEFAULT_EARNING_RANGE: EarningRange = '30d'

/** The earnings of each day or month in a range, oldest first, including days without sales. */
export const getEarningsSeries = defineCall('GET /office/earnings/series', 'teacher', {
  query: s.object({ range: s.optional(s.enums(EARNING_RANGES)), documentId: s.optional(id()) }),
  result: s.type({
    range: s.enums(EARNING_RANGES),
    unit: s.enums(['day', 'month']),
    /** `at` is the day, or the first day of the month. */
    points: s.array(s.type({ at: day(), ...Earned.schema })),
    total: Earned,
  }),
})

export const DOCUMENT_EARNING_SORTS = ['-share', 'share', '-sales', 'sales', 'title'] as const

/** The earnings of each sold document in a range, by default the shortest. */
export const listDocumentEarnings = defineCall('GET /office/earnings/documents', 'teacher', {
  query: s.object({
    ...pageQuery,
    range: s.optional(s.enums([...EARNING_RANGES, 'all'])),
    sort: s.optional(s.enums(DOCUMENT_EARNING_SORTS)),
  }),
  result: pageOf(s.type({ document: s.type({ id: id(), title: s.string() }), ...Earned.schema })),
})

const LinkFigures = s.type({
  link: s.string(),
  visits: count(),
  /** Own documents in orders by this link that were paid then, without those refunded since. */
  sales: count(),
  /** The teacher's part of their prices. */
  share: dinarAmount(),
})
export type LinkFigures = s.Infer<typeof LinkFigures>

/** Visits and sales by the caller's own links within the last `LINK_FIGURE_DAYS`. */
export const getLinkFigures = defineCall('GET /office/links', 'teacher', {
  result: s.type({
    /** The sums of each link, the one chosen last first. */
    links: s.array(LinkFigures),
    /** The days on which a link was used, newest first. */
    days: s.array(s.assign(LinkFigures, s.type({ day: day() }))),
  }),
})

/** A month's statement: `opening + sales − refunds − payouts = closing`. */
export const Statement = s.type({
  month: month(),
  /** Whether the month is over; until then, entries may be added. */
  isComplete: s.boolean(),
  opening: signedDinars(),
  /** `takenOff` is what own codes took off; the price is without it. */
  sales: s.type({
    count: count(),
    price: dinarAmount(),
    takenOff: dinarAmount(),
    share: dinarAmount(),
  }),
  refunds: s.type({ count: count(), price: dinarAmount(), share: dinarAmount() }),
  /** The amount is what left the balance, `withheld` the part of it that went to the tax office. */
  payouts: s.type({ count: count(), amount: dinarAmount(), withheld: dinarAmount() }),
  closing: signedDinars(),
  /** By document, highest earnings first. */
  documents: s.array(
    s.type({ document: s.type({ id: id(), title: s.string() }), ...Earned.schema }),
  ),
  /** The payouts of the month. */
  paid: s.array(
    s.type({
      id: id(),
      paidAt: moment(),
      amount: dinarAmount(),
      withheld: dinarAmount(),
      reference: s.string(),
      /** The teacher's tax number at the request; '' without one. */
      taxNumber: s.string(),
    }),
  ),
})
export type Statement = s.Infer<typeof Statement>

/** The months that have a statement, newest first, with their closing balances. */
export const listStatements = defineCall('GET /office/statements', 'teacher', {
  result: s.array(s.type({ month: month(), earned: signedDinars(), closing: signedDinars() })),
})

export const getStatement = defineCall('GET /office/statements/:month', 'teacher', {
  params: s.object({ month: month() }),
  result: Statement,
})

/** The same as CSV, line by line: UTF-8 with a BOM and semicolons, for Excel. */
export const downloadStatement = defineCall('GET /office/statements/:month/csv', 'teacher', {
  params: s.object({ month: month() }),
  /** The language of the headings; by default the account's. */
  query: s.object({ locale: s.optional(s.enums(LANGUAGES)) }),
  answers: 'file',
  result: nothing(),
})
