import * as s from 'superstruct'
import { STAFF_REASON_MAX_LENGTH } from '../rules/ledger.ts'
import { ACT_KINDS, ACT_STATES, BOUND_MAX, BOUND_NAMES } from '../rules/two-people.ts'
import { defineCall } from './call.ts'
import { Contact } from './office-transfers.ts'
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

/** What an administrator did or proposed that moves money or lets somebody in. */
export const Act = s.type({
  id: id(),
  kind: s.enums(ACT_KINDS),
  /** The customer whom it is about. */
  customer: s.nullable(Contact),
  /** Negative if an adjustment takes it; 0 for what moves no money. */
  amount: signedDinars(),
  /** Its subject and the destination of the money, as proposed. */
  detail: s.string(),
  /** Whether a merge ends the deletion of one of the accounts. */
  endsDeletion: s.boolean(),
  /** The bound that it raises. */
  bound: s.nullable(s.type({ name: s.enums(BOUND_NAMES), from: dinarAmount(), to: dinarAmount() })),
  reason: s.string(),
  /** Whether a second administrator has to confirm it. */
  needsSecond: s.boolean(),
  state: s.enums(ACT_STATES),
  proposer: s.string(),
  /** Whether the caller proposed it. */
  isYours: s.boolean(),
  /** Whether the caller counts as a second person and may confirm it. */
  mayConfirm: s.boolean(),
  /** From when the caller may confirm an act of their own, since nobody counts as a second. */
  aloneFrom: s.nullable(moment()),
  proposedAt: moment(),
  decider: s.nullable(s.string()),
  decidedAt: s.nullable(moment()),
  /** Why it was refused. */
  refusal: s.nullable(s.string()),
})
export type Act = s.Infer<typeof Act>

/** Acts, newest first; with `state` or `userId` those in that state or about that customer. */
export const listActs = defineCall('GET /office/admin/acts', 'admin', {
  query: s.object({
    ...pageQuery,
    state: s.optional(s.enums(ACT_STATES)),
    userId: s.optional(id()),
  }),
  result: pageOf(Act),
})

/**
 * Does what another administrator proposed, or, where nobody counts as a second, what the caller
 * proposed a day ago.
 */
export const confirmAct = defineCall('POST /office/admin/acts/:id/confirm', 'admin', {
  idempotent: true,
  params: byId,
  result: Act,
  errors: [
    'act_not_found',
    'act_is_yours',
    'act_waits_a_day',
    'not_a_second',
    'act_decided',
    'act_changed',
    'done_before',
    'wallet_too_low',
    'account_merged',
    'account_closed',
    'account_not_active',
    'account_has_email',
    'user_not_found',
    'not_two_customers',
    'deletion_asked',
    'return_waits',
    'payment_decided',
    'refund_changed',
    'order_not_paid',
    'forbidden',
    'email_of_other_role',
    'invited_is_blocked',
  ],
})

/** Refuses what another administrator proposed. */
export const refuseAct = defineCall('POST /office/admin/acts/:id/refuse', 'admin', {
  params: byId,
  body: s.object({ reason: text(1, STAFF_REASON_MAX_LENGTH) }),
  result: Act,
  errors: ['act_not_found', 'act_is_yours', 'act_decided', 'act_changed', 'done_before'],
})

/** Withdraws the caller's own proposal. */
export const withdrawAct = defineCall('POST /office/admin/acts/:id/withdraw', 'admin', {
  params: byId,
  result: Act,
  errors: ['act_not_found', 'act_not_yours', 'act_decided', 'act_changed', 'done_before'],
})

export const Bound = s.type({ name: s.enums(BOUND_NAMES), value: dinarAmount() })

const Bounds = s.type({
  bounds: s.array(Bound),
})
export type Bounds = s.Infer<typeof Bounds>

/** Up to how much one administrator does each kind of act alone: at a time, and within a day. */
export const getBounds = defineCall('GET /office/admin/bounds', 'admin', { result: Bounds })

/** Sets a bound: a lower one at once, a higher one once a second administrator has confirmed. */
export const setBound = defineCall('POST /office/admin/bounds', 'admin', {
  idempotent: true,
  body: s.object({
    name: s.enums(BOUND_NAMES),
    amount: checked(dinarAmount(), (amount) => (amount <= BOUND_MAX ? null : 'max')),
    reason: text(1, STAFF_REASON_MAX_LENGTH),
  }),
  result: s.type({
    ...Bounds.schema,
    /** The act that waits for a second; null: it is set. */
    waits: s.nullable(id()),
  }),
  errors: ['act_waits'],
})
