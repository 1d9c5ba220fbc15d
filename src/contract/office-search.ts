import * as s from 'superstruct'
import { PAYMENT_PROVIDERS, PAYMENT_STATES } from '../rules/payment-states.ts'
import { defineCall } from './call.ts'
import { dinarAmount, id, moment, paymentReference, searchedText } from './values.ts'

const query = s.object({ q: s.optional(searchedText()) })

const FoundDocument = s.type({ id: id(), title: s.string() })

/**
 * What a text may mean in the whole office, as each list searches by itself: a few rows of each
 * kind, the newest first, payments by their references.
 */
export const searchOffice = defineCall('GET /office/admin/search', 'admin', {
  query,
  result: s.type({
    people: s.array(s.type({ id: id(), name: s.string(), contact: s.nullable(s.string()) })),
    documents: s.array(s.type({ ...FoundDocument.schema, teacher: s.string() })),
    orders: s.array(s.type({ id: id(), buyer: s.string(), total: dinarAmount() })),
    /** Payments whose reference begins with the text. */
    payments: s.array(
      s.type({
        paymentRef: paymentReference(),
        payer: s.type({ id: id(), name: s.string() }),
        provider: s.enums(PAYMENT_PROVIDERS),
        state: s.enums(PAYMENT_STATES),
        amount: dinarAmount(),
        orderId: s.nullable(id()),
      }),
    ),
  }),
})

/** The same among a teacher's own documents, and the sales of those that are found. */
export const searchOwn = defineCall('GET /office/search', 'teacher', {
  query,
  result: s.type({
    documents: s.array(FoundDocument),
    sales: s.array(
      s.type({
        /** Unique over all sales. */
        id: s.string(),
        document: s.type({ id: id(), title: s.string() }),
        price: dinarAmount(),
        soldAt: moment(),
      }),
    ),
  }),
})
