import { enums, type Infer, nullable, object, type Struct, string, type } from 'superstruct'
import { PAYOUT_STATES } from '../rules/payouts.ts'
import { isRib, ribDigits } from '../rules/rib.ts'
import { NAME_MAX_LENGTH } from '../rules/validators.ts'
import { defineCall } from './call.ts'
import { pageOf, pageQuery } from './pages.ts'
import { byId, checked, dinarAmount, fromText, id, moment, nameText } from './values.ts'

/** A payout that a teacher requested. */
export const Payout = type({
  id: id(),
  state: enums(PAYOUT_STATES),
  amount: dinarAmount(),
  requestedAt: moment(),
  /** When it was paid, refused or cancelled. */
  decidedAt: nullable(moment()),
  /** The bank account that it goes to, as it was at the request. */
  rib: string(),
  /** The reference of the bank transfer, once it is paid. */
  reference: nullable(string()),
  /** Why it was refused. */
  reason: nullable(string()),
})
export type Payout = Infer<typeof Payout>

/** The teacher's payouts, newest first. */
export const listPayouts = defineCall('GET /office/payouts', 'teacher', {
  query: object(pageQuery),
  result: pageOf(Payout),
})

/** Requests a payout from the available balance; only one may wait at a time. */
export const requestPayout = defineCall('POST /office/payouts', 'teacher', {
  idempotent: true,
  body: object({ amount: dinarAmount() }),
  result: Payout,
  errors: [
    'bank_account_missing',
    'payout_open',
    'payout_below_minimum',
    'payout_not_available',
    'idempotency_conflict',
  ],
})

/** Cancels a request that is not decided yet; a repetition changes nothing. */
export const cancelPayout = defineCall('POST /office/payouts/:id/cancel', 'teacher', {
  params: byId,
  result: Payout,
  errors: ['payout_not_found', 'payout_closed'],
})

/** A bank account number (RIB) in any notation, read as its 20 digits. */
export function rib(): Struct<string, null> {
  const digits = checked(string(), (value) => {
    if (value === '') return 'required'
    return isRib(value) ? null : 'pattern'
  })
  return fromText(digits, ribDigits)
}

/** The bank account to which payouts go. */
export const BankAccount = type({
  /** The holder of the account, as registered at the bank. */
  holder: nameText(1, NAME_MAX_LENGTH),
  rib: rib(),
})
export type BankAccount = Infer<typeof BankAccount>

export const getBankAccount = defineCall('GET /office/bank-account', 'teacher', {
  result: type({ account: nullable(BankAccount) }),
})

/** Sets the account for future payouts; a payout that was requested before keeps its account. */
export const setBankAccount = defineCall('PUT /office/bank-account', 'teacher', {
  body: object({ holder: nameText(1, NAME_MAX_LENGTH), rib: rib() }),
  result: type({ account: nullable(BankAccount) }),
})
