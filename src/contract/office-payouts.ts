import { enums, type Infer, nullable, object, optional, string, type } from 'superstruct'
import { STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import {
  HOLD_DAYS_MAX,
  PAYOUT_MINIMUM_LEAST,
  PAYOUT_MINIMUM_MOST,
  PAYOUT_NOTE_MAX_LENGTH,
  PAYOUT_STATES,
} from '../rules/payouts.ts'
import { defineCall } from './call.ts'
import { pageOf, pageQuery } from './pages.ts'
import { Payout } from './payouts.ts'
import { byId, checked, day, dinarAmount, id, signedDinars, text, whole } from './values.ts'

/** A payout as administrators see it. */
export const TeacherPayout = type({
  ...Payout.schema,
  /** The holder of the bank account, as registered at the bank. */
  holder: string(),
  teacher: type({ id: id(), name: string(), email: string() }),
  /** The teacher's balance after the payout, negative after a refund; null once it is decided. */
  left: nullable(signedDinars()),
  /** The day of the bank transfer. */
  transferredOn: nullable(string()),
})
export type TeacherPayout = Infer<typeof TeacherPayout>

/** The waiting payouts, oldest first, or those in another state, newest first. */
export const listTeacherPayouts = defineCall('GET /office/admin/payouts', 'admin', {
  query: object({ ...pageQuery, state: optional(enums(PAYOUT_STATES)) }),
  result: pageOf(TeacherPayout),
})

/** The state that the page showed; if it has changed, another administrator was faster. */
const seen = enums(PAYOUT_STATES)

/**
 * Records that the bank transfer was made, even for a payout that was refused, since the money has
 * left.
 */
export const recordTeacherPayout = defineCall('POST /office/admin/payouts/:id/record', 'admin', {
  idempotent: true,
  params: byId,
  body: object({ seen, reference: text(1, PAYOUT_NOTE_MAX_LENGTH), transferredOn: day() }),
  result: TeacherPayout,
  errors: ['payout_not_found', 'payout_closed', 'done_before', 'idempotency_conflict'],
})

/** Refuses a waiting payout; its teacher sees the reason. */
export const refuseTeacherPayout = defineCall('POST /office/admin/payouts/:id/refuse', 'admin', {
  idempotent: true,
  params: byId,
  body: object({ seen, reason: text(1, PAYOUT_NOTE_MAX_LENGTH) }),
  result: TeacherPayout,
  errors: ['payout_not_found', 'payout_closed', 'done_before', 'idempotency_conflict'],
})

/** After how many days a sale's share may be paid out, and the smallest payout. */
export const PayoutTerms = type({
  holdDays: whole(0, HOLD_DAYS_MAX),
  payoutMinimum: checked(dinarAmount(), (amount) => {
    if (amount < PAYOUT_MINIMUM_LEAST) return 'min'
    return amount <= PAYOUT_MINIMUM_MOST ? null : 'max'
  }),
})
export type PayoutTerms = Infer<typeof PayoutTerms>

export const getPayoutTerms = defineCall('GET /office/admin/payout-terms', 'admin', {
  result: PayoutTerms,
})

/** Sets what is given, for earlier sales as well; null: the default again. */
export const setPayoutTerms = defineCall('PUT /office/admin/payout-terms', 'admin', {
  body: object({
    holdDays: optional(nullable(PayoutTerms.schema.holdDays)),
    payoutMinimum: optional(nullable(PayoutTerms.schema.payoutMinimum)),
    reason: text(1, STAFF_REASON_MAX_LENGTH),
  }),
  result: PayoutTerms,
})
