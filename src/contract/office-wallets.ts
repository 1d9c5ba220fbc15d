import * as s from 'superstruct'
import { ADJUSTMENT_MAX, ADJUSTMENT_STATES, STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import { defineCall } from './call.ts'
import { HistoryEntry } from './history-entry.ts'
import { Person } from './office-transfers.ts'
import {
  byId,
  checked,
  dinarAmount,
  id,
  moment,
  pageOf,
  pageQuery,
  signedDinars,
  text,
} from './values.ts'

/** A movement of a customer's wallet; with the reason and the staff if they made it. */
export const WalletMovement = s.type({
  ...HistoryEntry.schema,
  note: s.string(),
  /** The staff who made and confirmed it; '' if none did. */
  by: s.string(),
})
export type WalletMovement = s.Infer<typeof WalletMovement>

/** A customer's wallet with a page of its movements, newest first. */
export const getCustomerWallet = defineCall('GET /office/admin/wallets/:id', 'admin', {
  params: byId,
  query: s.object(pageQuery),
  result: s.type({
    ...pageOf(WalletMovement).schema,
    customer: Person,
    balance: dinarAmount(),
    /** What the caller may still adjust alone within a day, over all wallets. */
    leftAlone: dinarAmount(),
  }),
  errors: ['user_not_found'],
})

/** A change of a customer's wallet that an administrator made or proposed. */
export const Adjustment = s.type({
  id: id(),
  customer: Person,
  /** Negative if taken from the wallet. */
  amount: signedDinars(),
  reason: s.string(),
  /** Whether a second administrator has to confirm it. */
  needsSecond: s.boolean(),
  state: s.enums(ADJUSTMENT_STATES),
  proposer: s.string(),
  /** Whether the caller proposed it. */
  isYours: s.boolean(),
  proposedAt: moment(),
  decider: s.nullable(s.string()),
  decidedAt: s.nullable(moment()),
  /** Why it was refused. */
  refusal: s.nullable(s.string()),
})
export type Adjustment = s.Infer<typeof Adjustment>

/** Adjustments, newest first; with `state` or `userId` those in that state or of that customer. */
export const listAdjustments = defineCall('GET /office/admin/adjustments', 'admin', {
  query: s.object({
    ...pageQuery,
    state: s.optional(s.enums(ADJUSTMENT_STATES)),
    userId: s.optional(id()),
  }),
  result: pageOf(Adjustment),
})

/**
 * Adjusts a wallet; above the sum that one administrator may adjust alone within a day, over all
 * wallets together, a second one has to confirm.
 */
export const adjustWallet = defineCall('POST /office/admin/adjustments', 'admin', {
  idempotent: true,
  body: s.object({
    userId: id(),
    amount: checked(signedDinars(), (amount) => {
      if (amount === 0) return 'required'
      return Math.abs(amount) <= ADJUSTMENT_MAX ? null : 'max'
    }),
    reason: text(1, STAFF_REASON_MAX_LENGTH),
  }),
  result: Adjustment,
  errors: ['user_not_found', 'wallet_too_low', 'idempotency_conflict'],
})

/** Makes an adjustment that another administrator proposed. */
export const confirmAdjustment = defineCall('POST /office/admin/adjustments/:id/confirm', 'admin', {
  idempotent: true,
  params: byId,
  result: Adjustment,
  errors: [
    'adjustment_not_found',
    'adjustment_is_yours',
    'adjustment_decided',
    'wallet_too_low',
    'done_before',
    'idempotency_conflict',
  ],
})

/** Refuses an adjustment that another administrator proposed. */
export const refuseAdjustment = defineCall('POST /office/admin/adjustments/:id/refuse', 'admin', {
  params: byId,
  body: s.object({ reason: text(1, STAFF_REASON_MAX_LENGTH) }),
  result: Adjustment,
  errors: ['adjustment_not_found', 'adjustment_is_yours', 'adjustment_decided', 'done_before'],
})

/** Withdraws the caller's own proposal. */
export const withdrawAdjustment = defineCall(
  'POST /office/admin/adjustments/:id/withdraw',
  'admin',
  {
    params: byId,
    result: Adjustment,
    errors: ['adjustment_not_found', 'adjustment_not_yours', 'adjustment_decided', 'done_before'],
  },
)
