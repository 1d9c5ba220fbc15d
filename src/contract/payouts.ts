import * as s from 'superstruct'
import { STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import {
  HOLD_DAYS_MAX,
  PAYOUT_MINIMUM_LEAST,
  PAYOUT_MINIMUM_MOST,
  PAYOUT_NOTE_MAX_LENGTH,
  PAYOUT_STATES,
} from '../rules/payouts.ts'
import { proof } from './account-fields.ts'
import { BankAccount } from './bank-account.ts'
import { defineCall } from './call.ts'
import { taxNumber } from './tax-number.ts'
import {
  byId,
  checked,
  day,
  dinarAmount,
  id,
  moment,
  pageOf,
  pageQuery,
  signedDinars,
  text,
  whole,
} from './values.ts'

/** A payout that a teacher requested. */
export const Payout = s.type({
  id: id(),
  state: s.enums(PAYOUT_STATES),
  amount: dinarAmount(),
  /** The part of the amount that is withheld for the tax office; the rest is transferred. */
  withheld: dinarAmount(),
  requestedAt: moment(),
  /** When it was paid, refused or cancelled. */
  decidedAt: s.nullable(moment()),
  /** The bank account that it goes to, as it was at the request. */
  rib: s.string(),
  /** The reference of the bank transfer, once it is paid. */
  reference: s.nullable(s.string()),
  /** Why it was refused. */
  reason: s.nullable(s.string()),
})
export type Payout = s.Infer<typeof Payout>

/** The teacher's payouts, newest first. */
export const listPayouts = defineCall('GET /office/payouts', 'teacher', {
  query: s.object(pageQuery),
  result: pageOf(Payout),
})

/** Requests a payout from the available balance; only one may wait at a time. */
export const requestPayout = defineCall('POST /office/payouts', 'teacher', {
  idempotent: true,
  body: s.object({ amount: dinarAmount(), ...proof }),
  result: Payout,
  errors: [
    'wrong_password',
    'wrong_code',
    'account_not_approved',
    'bank_account_missing',
    'bank_account_new',
    'payout_open',
    'payout_below_minimum',
    'payout_not_available',
  ],
})

/** Cancels a request that is not decided yet; a repetition changes nothing. */
export const cancelPayout = defineCall('POST /office/payouts/:id/cancel', 'teacher', {
  params: byId,
  result: Payout,
  errors: ['payout_not_found', 'payout_closed'],
})

/** Where payouts go, and the tax number of whom something is withheld from; '' without one. */
export const PayoutAccount = s.type({ ...BankAccount.schema, taxNumber: taxNumber() })
export type PayoutAccount = s.Infer<typeof PayoutAccount>

const OwnBankAccount = s.type({
  account: s.nullable(PayoutAccount),
  /** Until when payouts wait after a change; null: they do not. */
  payableFrom: s.nullable(moment()),
  /** Whether a change and a payout need a code of the second factor beside the password. */
  asksCode: s.boolean(),
})
export type OwnBankAccount = s.Infer<typeof OwnBankAccount>

export const getBankAccount = defineCall('GET /office/bank-account', 'teacher', {
  result: OwnBankAccount,
})

/**
 * Sets the account for future payouts, which then wait some days; a payout that was requested before
 * keeps its account.
 */
export const setBankAccount = defineCall('PUT /office/bank-account', 'teacher', {
  /** Without `taxNumber`, it stays. */
  body: s.object({ ...BankAccount.schema, taxNumber: s.optional(taxNumber()), ...proof }),
  result: OwnBankAccount,
  errors: ['wrong_password', 'wrong_code'],
})

/** A payout as administrators see it. */
export const TeacherPayout = s.type({
  ...Payout.schema,
  /** The holder of the bank account, as registered at the bank. */
  holder: s.string(),
  teacher: s.type({ id: id(), name: s.string(), email: s.string() }),
  /** The teacher's balance after the payout, negative after a refund; null once it is decided. */
  left: s.nullable(signedDinars()),
  /** The day of the bank transfer. */
  transferredOn: s.nullable(s.string()),
  /** Whether a second administrator has to approve it before the caller records it. */
  needsApproval: s.boolean(),
  /** The act, its approval, that waits for a second administrator. */
  waits: s.nullable(id()),
  /** Whether it was transferred above the bound without a second's approval. */
  isUnapproved: s.boolean(),
})
export type TeacherPayout = s.Infer<typeof TeacherPayout>

/** The waiting payouts, oldest first, or those in another state, newest first. */
export const listTeacherPayouts = defineCall('GET /office/admin/payouts', 'admin', {
  query: s.object({ ...pageQuery, state: s.optional(s.enums(PAYOUT_STATES)) }),
  result: pageOf(TeacherPayout),
})

/** The state that the page showed; if it has changed, another administrator was faster. */
const seen = s.enums(PAYOUT_STATES)

/**
 * Records that the bank transfer was made, even for a payout that was refused, since the money has
 * left.
 */
export const recordTeacherPayout = defineCall('POST /office/admin/payouts/:id/record', 'admin', {
  idempotent: true,
  params: byId,
  body: s.object({
    seen,
    reference: text(1, PAYOUT_NOTE_MAX_LENGTH),
    transferredOn: day(),
    /** Above the bound and not approved: the money has left all the same. */
    wasTransferred: s.optional(s.boolean()),
  }),
  result: TeacherPayout,
  errors: ['payout_not_found', 'payout_closed', 'payout_not_approved', 'done_before'],
})

/** Asks a second administrator to approve a payout before it is transferred. */
export const askForPayoutApproval = defineCall('POST /office/admin/payouts/:id/approval', 'admin', {
  idempotent: true,
  params: byId,
  body: s.object({ reason: text(1, STAFF_REASON_MAX_LENGTH) }),
  result: s.type({ waits: id() }),
  errors: ['payout_not_found', 'payout_closed', 'act_waits', 'done_before'],
})

/** Refuses a waiting payout; its teacher sees the reason. */
export const refuseTeacherPayout = defineCall('POST /office/admin/payouts/:id/refuse', 'admin', {
  idempotent: true,
  params: byId,
  body: s.object({ seen, reason: text(1, PAYOUT_NOTE_MAX_LENGTH) }),
  result: TeacherPayout,
  errors: ['payout_not_found', 'payout_closed', 'done_before'],
})

/** After how many days a sale's share may be paid out, and the smallest payout. */
export const PayoutTerms = s.type({
  holdDays: whole(0, HOLD_DAYS_MAX),
  payoutMinimum: checked(dinarAmount(), (amount) => {
    if (amount < PAYOUT_MINIMUM_LEAST) return 'min'
    return amount <= PAYOUT_MINIMUM_MOST ? null : 'max'
  }),
})
export type PayoutTerms = s.Infer<typeof PayoutTerms>

export const getPayoutTerms = defineCall('GET /office/admin/payout-terms', 'admin', {
  result: PayoutTerms,
})

/** Sets what is given, for earlier sales as well; null: the default again. */
export const setPayoutTerms = defineCall('PUT /office/admin/payout-terms', 'admin', {
  body: s.object({
    holdDays: s.optional(s.nullable(PayoutTerms.schema.holdDays)),
    payoutMinimum: s.optional(s.nullable(PayoutTerms.schema.payoutMinimum)),
    reason: text(1, STAFF_REASON_MAX_LENGTH),
  }),
  result: PayoutTerms,
})
