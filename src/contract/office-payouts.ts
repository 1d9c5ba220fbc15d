import { enums, type Infer, nullable, object, optional, string, type } from 'superstruct'
import { PAYOUT_NOTE_MAX_LENGTH } from '../rules/payouts.ts'
import { defineCall } from './call.ts'
import { pageOf, pageQuery } from './pages.ts'
import { PAYOUT_STATES, Payout } from './payouts.ts'
import { day, id, signedDinars, text } from './values.ts'

/** A payout as administrators see it. */
export const TeacherPayout = type({
  ...Payout.schema,
  /** Whose bank account it goes to, as the bank knows them. */
  holder: string(),
  teacher: type({ id: id(), name: string(), email: string() }),
  /** What is left of the teacher's balance after it; below 0 where a refund came; null: decided. */
  left: nullable(signedDinars()),
  /** The day of the bank transfer. */
  transferredOn: nullable(string()),
})
export type TeacherPayout = Infer<typeof TeacherPayout>

/** Those that wait, oldest first; or those of another state, newest first. */
export const listTeacherPayouts = defineCall({
  method: 'GET',
  path: '/office/admin/payouts',
  caller: 'admin',
  query: object({ ...pageQuery, state: optional(enums(PAYOUT_STATES)) }),
  result: pageOf(TeacherPayout),
})

const params = object({ id: id() })
/** The state in which it was seen: where it is another one by now, somebody was first. */
const seen = enums(PAYOUT_STATES)

/** Records that the bank transfer was made; money that has left counts, also of one that was refused. */
export const recordTeacherPayout = defineCall({
  method: 'POST',
  path: '/office/admin/payouts/:id/record',
  caller: 'admin',
  idempotent: true,
  params,
  body: object({ seen, reference: text(1, PAYOUT_NOTE_MAX_LENGTH), transferredOn: day() }),
  result: TeacherPayout,
  errors: ['payout_not_found', 'payout_closed', 'done_before', 'idempotency_conflict'],
})

/** Refuses one that waits; its teacher reads why. */
export const refuseTeacherPayout = defineCall({
  method: 'POST',
  path: '/office/admin/payouts/:id/refuse',
  caller: 'admin',
  idempotent: true,
  params,
  body: object({ seen, reason: text(1, PAYOUT_NOTE_MAX_LENGTH) }),
  result: TeacherPayout,
  errors: ['payout_not_found', 'payout_closed', 'done_before', 'idempotency_conflict'],
})
