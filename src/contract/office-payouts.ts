import { enums, type Infer, nullable, object, optional, string, type } from 'superstruct'
import { PAYOUT_NOTE_MAX_LENGTH } from '../rules/payouts.ts'
import { defineCall } from './call.ts'
import { pageOf, pageQuery } from './pages.ts'
import { PAYOUT_STATES, Payout } from './payouts.ts'
import { day, id, signedDinars, text } from './values.ts'

/** A payout as administrators see it. */
export const TeacherPayout = type({
  ...Payout.schema,
  /** The holder of the bank account, as the bank knows them. */
  holder: string(),
  teacher: type({ id: id(), name: string(), email: string() }),
  /** The teacher's balance after it, below 0 after a refund; null once it is decided. */
  left: nullable(signedDinars()),
  /** The day of the bank transfer. */
  transferredOn: nullable(string()),
})
export type TeacherPayout = Infer<typeof TeacherPayout>

/** The payouts that wait, oldest first, or those in another state, newest first. */
export const listTeacherPayouts = defineCall({
  method: 'GET',
  path: '/office/admin/payouts',
  caller: 'admin',
  query: object({ ...pageQuery, state: optional(enums(PAYOUT_STATES)) }),
  result: pageOf(TeacherPayout),
})

const params = object({ id: id() })
/** The state that the page showed: where it has changed, somebody else was first. */
const seen = enums(PAYOUT_STATES)

/** Records that the bank transfer was made; money that has left counts, even for a refused payout. */
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

/** Refuses a waiting payout; its teacher reads the reason. */
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
