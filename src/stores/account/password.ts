import type { Language } from '../../rules/languages.ts'
import { ask } from '../shared/backend.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { dropToken } from '../shared/token.ts'

/** The result of a call about a password: the server's message, which may be '', or the problem. */
type PasswordOutcome = { kind: 'done'; message: string } | { kind: 'refused'; problem: Problem }

/** Requests a mail, in this language, with the link that resets the password. */
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

/** Sets a new password; that ends every session, so this browser forgets its token. */
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
