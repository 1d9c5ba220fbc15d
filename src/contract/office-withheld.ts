import * as s from 'superstruct'
import { LANGUAGES } from '../rules/languages.ts'
import { PAYOUT_NOTE_MAX_LENGTH } from '../rules/payouts.ts'
import { defineCall } from './call.ts'
import { checked, day, dinarAmount, id, nothing, text, whole } from './values.ts'

const year = () => s.pattern(s.string(), /^20\d\d$/)

/** What was withheld of payouts within a year, and what of it was paid to the tax office. */
export const Withheld = s.type({
  /** Withheld in whatever year, and not paid to the tax office yet. */
  owed: dinarAmount(),
  teachers: s.array(
    s.type({
      id: id(),
      name: s.string(),
      /** The holder of the bank account of the latest of these payouts. */
      holder: s.string(),
      /** The latest that these payouts had; the one given since, if they had none. */
      taxNumber: s.string(),
      payouts: whole(1, 999_999),
      amount: dinarAmount(),
      withheld: dinarAmount(),
    }),
  ),
  /** The payments to the tax office made in the year, oldest first. */
  payments: s.array(
    s.type({ id: id(), paidOn: s.string(), reference: s.string(), amount: dinarAmount() }),
  ),
})
export type Withheld = s.Infer<typeof Withheld>

export const getWithheld = defineCall('GET /office/admin/withheld', 'admin', {
  query: s.object({ year: year() }),
  result: Withheld,
})

/** The same as CSV, for an accountant. */
export const exportWithheld = defineCall('GET /office/admin/withheld/csv', 'admin', {
  query: s.object({ year: year(), locale: s.optional(s.enums(LANGUAGES)) }),
  answers: 'file',
  result: nothing(),
})

/** Books what was paid to the tax office of what is owed to it. */
export const recordTaxPayment = defineCall('POST /office/admin/withheld/payments', 'admin', {
  idempotent: true,
  body: s.object({
    amount: checked(dinarAmount(), (amount) => (amount > 0 ? null : 'min')),
    paidOn: day(),
    reference: text(1, PAYOUT_NOTE_MAX_LENGTH),
  }),
  result: s.type({ owed: dinarAmount() }),
  errors: ['more_than_owed'],
})
