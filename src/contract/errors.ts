import * as s from 'superstruct'
import { BundlePart } from './bundle-part.ts'
import { dinarAmount, moment } from './values.ts'

export type { ErrorCode } from './all-errors.ts'

/** An open payment, as a refusal describes it; dates in ISO 8601. */
export const OpenPayment = s.type({
  paymentRef: s.string(),
  purpose: s.string(),
  method: s.string(),
  amount: dinarAmount(),
  orderId: s.nullable(s.number()),
  paymentUrl: s.nullable(s.string()),
  expiresAt: s.string(),
})
export type OpenPayment = s.Infer<typeof OpenPayment>

/** What the documents of a payment cost now, for a buyer who saw another total. */
export const NewPrices = s.type({
  /** What the call would charge now: the final prices of the documents that are not owned. */
  total: dinarAmount(),
  documents: s.array(
    s.type({
      id: s.number(),
      title: s.string(),
      price: dinarAmount(),
      /** The reduced price where one applies now. */
      priceDiscount: s.nullable(dinarAmount()),
      /** Whether the buyer owns it, so that it costs nothing. */
      isOwned: s.boolean(),
      /** The bundle that it is bought with, while that is for sale. */
      bundle: s.optional(BundlePart),
    }),
  ),
})
export type NewPrices = s.Infer<typeof NewPrices>

/** Which member of staff did it first, and when. */
export const DoneBefore = s.type({ by: s.string(), at: moment() })
export type DoneBefore = s.Infer<typeof DoneBefore>

/** The body of every error response. `fields` only with status 400: name → `Reason`. */
export const ErrorBody = s.type({
  status: s.number(),
  error: s.string(),
  message: s.string(),
  fields: s.optional(s.record(s.string(), s.string())),
  /** With `already_owned` and `already_ordered`: the titles that the buyer owns or has ordered. */
  titles: s.optional(s.array(s.string())),
  /** With `too_many_open_payments`: the open payments. */
  payments: s.optional(s.array(OpenPayment)),
  /** With `price_changed`: the current prices. */
  prices: s.optional(NewPrices),
  /** With `terms_not_accepted`: the number of the terms in force. */
  terms: s.optional(s.number()),
  /** With `done_before`: who did it, and when. */
  done: s.optional(DoneBefore),
  /** With `unavailable` of a call that pays: it is certain that this call has moved no money. */
  nothingCharged: s.optional(s.boolean()),
})
export type ErrorBody = s.Infer<typeof ErrorBody>
