import { ask } from '../shared/backend.ts'
import { type ProblemCode, problemOf } from '../shared/problem.ts'

/**
 * The result of opening the link that confirms an e-mail address; `already`: it was confirmed
 * before.
 */
export type ConfirmationOutcome =
  | { kind: 'confirmed' }
  | { kind: 'already' }
  | { kind: 'refused'; code: ProblemCode }

export async function confirmAddress(token: string): Promise<ConfirmationOutcome> {
  try {
    const { status } = await ask(({ accounts }) => accounts.confirmEmail, { body: { token } })
    return { kind: status === 'CONFIRMED' ? 'confirmed' : 'already' }
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
