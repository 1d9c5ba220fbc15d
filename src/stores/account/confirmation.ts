import { ask } from '../shared/backend.ts'
import { type ProblemCode, problemOf } from '../shared/problem.ts'
import { dropToken } from '../shared/token.ts'

/**
 * The result of opening the link that confirms an e-mail address; `already`: it was confirmed
 * before.
 */
export type ConfirmationOutcome =
  | { kind: 'confirmed' }
  | { kind: 'already' }
  /** A new address of an account, now or after a day. */
  | { kind: 'changed' }
  | { kind: 'waits' }
  | { kind: 'refused'; code: ProblemCode }

const KINDS = {
  CONFIRMED: 'confirmed',
  ALREADY_CONFIRMED: 'already',
  CHANGED: 'changed',
  WAITS: 'waits',
} as const

export async function confirmAddress(token: string): Promise<ConfirmationOutcome> {
  try {
    const { status } = await ask(({ accounts }) => accounts.confirmEmail, { body: { token } })
    // It ends every log-in of the account.
    if (status === 'CHANGED') dropToken()
    return { kind: KINDS[status] }
  } catch (error) {
    return { kind: 'refused', code: problemOf(error).code }
  }
}

export type LinkOutcome = 'sent' | 'already' | 'tooMany' | 'failed'

export async function askForConfirmationLink(): Promise<LinkOutcome> {
  try {
    const { status } = await ask(({ accounts }) => accounts.sendConfirmationLink, {})
    return status === 'SENT' ? 'sent' : 'already'
  } catch (error) {
    return problemOf(error).code === 'too_many_requests' ? 'tooMany' : 'failed'
  }
}
