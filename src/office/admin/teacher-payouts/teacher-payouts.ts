import type { TeacherPayout } from '../../../contract/payouts.ts'
import * as payouts from '../../../contract/payouts.ts'
import { PAYOUT_STATES } from '../../../rules/payouts.ts'
import { ask } from '../../kit/backend.ts'
import { tableOf } from '../../kit/tables/table.ts'

/** The teachers' payout requests: pending ones, oldest first, or those in another state. */
export const teacherPayoutTable = tableOf(payouts.listTeacherPayouts, {
  choices: { state: PAYOUT_STATES },
})

/** Records the bank transfer of a payout as it was shown; the same `key` records it only once. */
export async function recordPayout(
  { id, state: seen }: TeacherPayout,
  transfer: { reference: string; transferredOn: string; wasTransferred: boolean },
  key: string,
): Promise<void> {
  const input = { params: { id }, body: { seen, ...transfer } }
  await andRefresh(ask(payouts.recordTeacherPayout, input, { idempotencyKey: key }))
}

/** Asks a second person to approve a payout before it is transferred. */
export async function askForApproval(
  { id }: TeacherPayout,
  reason: string,
  key: string,
): Promise<void> {
  const input = { params: { id }, body: { reason } }
  await andRefresh(ask(payouts.askForPayoutApproval, input, { idempotencyKey: key }))
}

/** Refuses a payout as it was shown; the same `key` refuses it only once. */
export async function refusePayout(
  { id, state: seen }: TeacherPayout,
  reason: string,
  key: string,
): Promise<void> {
  const input = { params: { id }, body: { seen, reason } }
  await andRefresh(ask(payouts.refuseTeacherPayout, input, { idempotencyKey: key }))
}

const andRefresh = (work: Promise<unknown>) => work.finally(teacherPayoutTable.refresh)
