import { ask } from '../shared/backend.ts'
import { type ProblemCode, problemOf } from '../shared/problem.ts'

/** What came of a link of a mail that confirms an address; `already`: it was confirmed before. */
export type ConfirmationOutcome =
  | { kind: 'confirmed' }
  | { kind: 'already' }
  | { kind: 'refused'; code: ProblemCode }

/** Confirms the e-mail address that this token was mailed to. */
export async function confirmAddress(token: string): Promise<ConfirmationOutcome> {
  try {
    const { status } = await ask(({ accounts }) => accounts.confirmEmail, { body: { token } })
    return { kind: status === 'CONFIRMED' ? 'confirmed' : 'already' }
  } catch (error) {
    return { kind: 'refused', code: problemOf(error).code }
  }
}

export type LinkOutcome = 'sent' | 'already' | 'tooMany' | 'failed'

/** Has the link that confirms the address mailed to the user. */
export async function askForConfirmationLink(): Promise<LinkOutcome> {
  try {
    const { status } = await ask(({ accounts }) => accounts.sendConfirmationLink, {})
    return status === 'SENT' ? 'sent' : 'already'
  } catch (error) {
    return problemOf(error).code === 'too_many_requests' ? 'tooMany' : 'failed'
  }
}
