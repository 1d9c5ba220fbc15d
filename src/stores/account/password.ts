import type { Language } from '../../rules/languages.ts'
import { ask } from '../shared/backend.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { dropToken } from './token.ts'

/** What came of a call about a password: what the server said, '' for nothing, or the problem. */
export type PasswordOutcome =
  | { kind: 'done'; message: string }
  | { kind: 'refused'; problem: Problem }

/** Asks for a link that resets the password, in a mail of this language. */
export async function askForResetLink(email: string, locale: Language): Promise<PasswordOutcome> {
  try {
    const { message } = await ask(({ accounts }) => accounts.forgotPassword, {
      body: { email: email.trim(), locale },
    })
    return { kind: 'done', message: message ?? '' }
  } catch (error) {
    return { kind: 'refused', problem: problemOf(error) }
  }
}

/** Sets a new password; every earlier token is ended by that, so this browser forgets its own too. */
export async function resetPassword(token: string, newPassword: string): Promise<PasswordOutcome> {
  try {
    const { message } = await ask(({ accounts }) => accounts.resetPassword, {
      body: { token, newPassword },
    })
    dropToken()
    return { kind: 'done', message: message ?? '' }
  } catch (error) {
    return { kind: 'refused', problem: problemOf(error) }
  }
}
