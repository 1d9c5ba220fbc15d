import type { Language } from '../../rules/languages.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import { ask } from '../shared/backend.ts'
import { leaveNotice } from '../shared/page-notices.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { dropToken } from '../shared/token.ts'

/** The result of a call about a password: the server's message, which may be '', or the problem. */
type PasswordOutcome = { kind: 'done'; message: string } | { kind: 'refused'; problem: Problem }

/**
 * Requests a mail, in this language, with the link that resets the password; for a phone number, a
 * code, which the next page asks for.
 */
export async function askForResetLink(email: string, locale: Language): Promise<PasswordOutcome> {
  try {
    const { message } = await ask(({ accounts }) => accounts.forgotPassword, {
      body: { email: email.trim(), locale },
    })
    const phone = normalisePhone(email)
    if (phone !== null) leaveNotice({ kind: 'code_sent', phone })
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

/** Sends the code that came to a phone: confirms the number and, with one, sets a new password. */
export async function sendCode(
  { phone, code, newPassword }: Record<'phone' | 'code' | 'newPassword', string>,
  isForPassword: boolean,
): Promise<Problem | null> {
  try {
    await (isForPassword
      ? ask(({ accounts }) => accounts.resetPasswordByPhone, { body: { phone, code, newPassword } })
      : ask(({ accounts }) => accounts.confirmPhone, { body: { phone, code } }))
  } catch (error) {
    return problemOf(error)
  }
  dropToken()
  leaveNotice(isForPassword ? { kind: 'password_set', phone } : { kind: 'phone_confirmed', phone })
  return null
}
