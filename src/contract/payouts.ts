import { coerce, enums, type Infer, nullable, object, type Struct, string, type } from 'superstruct'
import { isRib, ribDigits } from '../rules/rib.ts'
import { NAME_MAX_LENGTH } from '../rules/validators.ts'
import { defineCall } from './call.ts'
import { pageOf, pageQuery } from './pages.ts'
import { checked, dinarAmount, id, moment, text } from './values.ts'

export const PAYOUT_STATES = ['requested', 'paid', 'refused', 'cancelled'] as const
export type PayoutState = (typeof PAYOUT_STATES)[number]

/** A payout that a teacher asked for. */
export const Payout = type({
  id: id(),
  state: enums(PAYOUT_STATES),
  amount: dinarAmount(),
  requestedAt: moment(),
  /** When it was paid, refused or cancelled. */
  decidedAt: nullable(moment()),
  /** The bank account that it goes to, of the moment when it was asked for. */
  rib: string(),
  /** Of the bank transfer, once it is paid. */
  reference: nullable(string()),
  /** Why it was refused. */
  reason: nullable(string()),
})
export type Payout = Infer<typeof Payout>

/** Newest first. */
export const listPayouts = defineCall({
  method: 'GET',
  path: '/office/payouts',
  caller: 'teacher',
  query: object(pageQuery),
  result: pageOf(Payout),
})

/** Asks for a payout of what is available; one waits at a time. */
export const requestPayout = defineCall({
  method: 'POST',
  path: '/office/payouts',
  caller: 'teacher',
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

/** Takes a request back that nobody has decided about; again, it answers the same. */
export const cancelPayout = defineCall({
  method: 'POST',
  path: '/office/payouts/:id/cancel',
  caller: 'teacher',
  params: object({ id: id() }),
  result: Payout,
  errors: ['payout_not_found', 'payout_closed'],
})

/** A bank account number (RIB), however it is typed; its 20 digits are what is kept. */
export function rib(): Struct<string, null> {
  const digits = checked(string(), (value) => {
    if (value === '') return 'required'
    return isRib(value) ? null : 'pattern'
  })
  return coerce(digits, string(), ribDigits) as Struct<string, null>
}

/** Where payouts go. */
export const BankAccount = type({
  /** Whose account it is, as the bank knows it. */
  holder: text(1, NAME_MAX_LENGTH),
  rib: rib(),
})
export type BankAccount = Infer<typeof BankAccount>

export const getBankAccount = defineCall({
  method: 'GET',
  path: '/office/bank-account',
  caller: 'teacher',
  result: type({ account: nullable(BankAccount) }),
})

/** Sets where payouts go from now on; one that is asked for already keeps its account. */
export const setBankAccount = defineCall({
  method: 'PUT',
  path: '/office/bank-account',
  caller: 'teacher',
  body: object({ holder: text(1, NAME_MAX_LENGTH), rib: rib() }),
  result: type({ account: nullable(BankAccount) }),
})
