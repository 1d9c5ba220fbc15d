import type { Registration } from '../../contract/accounts.ts'
import type { Language } from '../../rules/languages.ts'
import { isParent, readToken } from '../../rules/token.ts'
import { normalisePhone } from '../../rules/typed-numbers.ts'
import { isSessionId, shareCart } from '../cart/anonymous-cart.ts'
import { $cart } from '../cart/cart.ts'
import { syncCart } from '../cart/server-cart.ts'
import { loadOwned } from '../library/owned.ts'
import { startSession } from '../session/log-in.ts'
import { ask } from '../shared/backend.ts'
import { markLanguageSent } from '../shared/language.ts'
import { leaveNotice } from '../shared/page-notices.ts'
import { type Problem, problemOf } from '../shared/problem.ts'
import { learnFromToken, serverNow } from '../shared/server-clock.ts'
import { settle } from '../shared/settle.ts'
import { loadBalance } from '../wallet/wallet.ts'
import { loadWishlist } from '../wishlist/wishlist.ts'
import { keepRequest } from './password.ts'

export type LogInOutcome =
  | { kind: 'welcome' }
  /** The token is valid but not a customer's. It is not stored: staff use the office. */
  | { kind: 'staff' }
  | { kind: 'no_token' }
  | { kind: 'invalid_token' }
  | { kind: 'refused'; problem: Problem }

/** Logs in with an e-mail or a phone number, and merges the carts. */
export async function logIn(
  username: string,
  password: string,
  locale?: Language,
): Promise<LogInOutcome> {
  const answer = await ask(({ accounts }) => accounts.logIn, {
    body: { username: username.trim(), password, locale },
  }).catch((error: unknown) => problemOf(error))
  if ('code' in answer) {
    const isEmpty = answer.code === 'bad_answer'
    return isEmpty ? { kind: 'no_token' } : { kind: 'refused', problem: answer }
  }
  const { accessToken } = answer
  if (!accessToken) return { kind: 'no_token' }
  learnFromToken(accessToken)
  const payload = readToken(accessToken, serverNow())
  if (!payload) return { kind: 'invalid_token' }
  if (!isParent(payload)) return { kind: 'staff' }
  markLanguageSent()
  startSession(accessToken)
  await settle([syncCart(), loadBalance(), loadOwned(), loadWishlist()])
  return { kind: 'welcome' }
}

type NewAccount = Omit<Registration, 'role' | 'sessionId'>

/**
 * Registers a customer; the session id, of this browser or from the URL, brings the cart along.
 * Returns the problem, or null on success.
 */
export async function registerAccount(
  account: NewAccount,
  givenSessionId: string | null,
): Promise<Problem | null> {
  const given = isSessionId(givenSessionId) ? givenSessionId : null
  try {
    const sessionId = given ?? (await shareCart($cart.get().items))
    const { request } = await ask(({ accounts }) => accounts.register, {
      body: { ...account, role: ['PARENT'], sessionId },
    })
    const phone = normalisePhone(account.phone)
    if (phone !== null) keepRequest({ phone, purpose: 'register', request: request ?? null })
  } catch (error) {
    return problemOf(error)
  }
  const { email, phone } = account
  leaveNotice(email === '' ? { kind: 'code_sent', phone } : { kind: 'registered', email })
  return null
}
