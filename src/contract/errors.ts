import {
  array,
  boolean,
  type Infer,
  nullable,
  number,
  optional,
  record,
  string,
  type,
} from 'superstruct'
import { dinarAmount, moment } from './values.ts'

export type { ErrorCode } from './all-errors.ts'

/** An open payment, as a refusal describes it; dates in ISO 8601. */
export const OpenPayment = type({
  paymentRef: string(),
  purpose: string(),
  method: string(),
  amount: dinarAmount(),
  orderId: nullable(number()),
  paymentUrl: nullable(string()),
  expiresAt: string(),
})
export type OpenPayment = Infer<typeof OpenPayment>

/** What the documents of a payment cost now, for a buyer who saw another total. */
export const NewPrices = type({
  /** What the call would charge now: the final prices of the documents that are not owned. */
  total: dinarAmount(),
  documents: array(
    type({
      id: number(),
      title: string(),
      price: dinarAmount(),
      /** The reduced price where one applies now. */
      priceDiscount: nullable(dinarAmount()),
      /** Whether the buyer owns it, so that it costs nothing. */
      isOwned: boolean(),
    }),
  ),
})
export type NewPrices = Infer<typeof NewPrices>

/** Which member of staff did it first, and when. */
export const DoneBefore = type({ by: string(), at: moment() })
export type DoneBefore = Infer<typeof DoneBefore>

/** The body of every error response. `fields` only with status 400: name → `Reason`. */
export const ErrorBody = type({
  status: number(),
  error: string(),
  message: string(),
  fields: optional(record(string(), string())),
  /** With `already_owned` and `already_ordered`: the titles that the buyer owns or has ordered. */
  titles: optional(array(string())),
  /** With `too_many_open_payments`: the open payments. */
  payments: optional(array(OpenPayment)),
  /** With `price_changed`: the prices of now. */
  prices: optional(NewPrices),
  /** With `done_before`: who did it, and when. */
  done: optional(DoneBefore),
})
export type ErrorBody = Infer<typeof ErrorBody>
