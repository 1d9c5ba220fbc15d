import type { Language } from '../../rules/languages.ts'
import type { RequestPurpose } from '../../rules/sms.ts'
import { CODE_REQUEST_KEY } from '../../rules/storage-keys.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import { ask } from '../shared/backend.ts'
import { leaveNotice } from '../shared/page-notices.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { dropToken } from '../shared/token.ts'

/** The result of a call about a password: the server's message, which may be '', or the problem. */
type PasswordOutcome = { kind: 'done'; message: string } | { kind: 'refused'; problem: Problem }

/**
 * Requests a mail, in this language, with the link that resets the password; for a phone number, a
 * code, which the next page asks for; of a `registration`, its code once more.
 */
export async function askForResetLink(
  email: string,
  locale: Language,
  registration: string | null = null,
): Promise<PasswordOutcome> {
  try {
    const { message, request } = await ask(({ accounts }) => accounts.forgotPassword, {
      body: { email: email.trim(), locale, ...(registration && { request: registration }) },
    })
    const phone = normalisePhone(email)
    if (phone !== null) {
      const purpose = registration ? 'register' : 'reset'
      keepRequest({ phone, purpose, request: request ?? null })
      leaveNotice({ kind: 'code_sent', phone })
    }
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

interface KeptRequest {
  readonly phone: string
  readonly purpose: RequestPurpose
  readonly request: string
}

/** Keeps the request for a code, which another page of this browser sends with it. */
export function keepRequest({
  request,
  ...kept
}: Omit<KeptRequest, 'request'> & { request: string | null }): void {
  if (request === null) return
  try {
    localStorage.setItem(CODE_REQUEST_KEY, JSON.stringify({ ...kept, request }))
  } catch {}
}

function dropRequest(): void {
  try {
    localStorage.removeItem(CODE_REQUEST_KEY)
  } catch {}
}

/** The request for the code of a number that this browser made last; null: none, or of another kind. */
export function keptRequest(phone: string, purpose: RequestPurpose): string | null {
  try {
    const kept: KeptRequest | null = JSON.parse(localStorage.getItem(CODE_REQUEST_KEY) ?? 'null')
    const isIt = kept?.phone === normalisePhone(phone) && kept.purpose === purpose
    return isIt && typeof kept.request === 'string' ? kept.request : null
  } catch {
    return null
  }
}

/**
 * Where the number of an account is confirmed that has just tried to log in: with the code of the
 * registration in this browser, or else with a new password by a new code. Null: no code can be sent.
 */
export async function askToConfirm(
  phone: string,
  locale: Language,
): Promise<'/confirm-phone' | '/new-password' | null> {
  if (keptRequest(phone, 'register') !== null) {
    leaveNotice({ kind: 'code_sent', phone })
    return '/confirm-phone'
  }
  const asked = await askForResetLink(phone, locale)
  return asked.kind === 'done' ? '/new-password' : null
}

/** Sends the code that came to a phone: confirms the number and, with one, sets a new password. */
export async function sendCode(
  { phone, code, newPassword }: Record<'phone' | 'code' | 'newPassword', string>,
  isForPassword: boolean,
): Promise<Problem | null> {
  try {
    const request = keptRequest(phone, isForPassword ? 'reset' : 'register')
    await (isForPassword
      ? ask(({ accounts }) => accounts.resetPasswordByPhone, {
          body: { phone, code, newPassword, request },
        })
      : ask(({ accounts }) => accounts.confirmPhone, { body: { phone, code, request } }))
    dropRequest()
  } catch (error) {
    return problemOf(error)
  }
  dropToken()
  leaveNotice(isForPassword ? { kind: 'password_set', phone } : { kind: 'phone_confirmed', phone })
  return null
}
