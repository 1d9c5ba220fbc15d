import { computed, onMount, readonlyType } from 'nanostores'
import { isParent, readToken } from '../../rules/token.ts'
import { connect } from '../shared/backend.ts'
import { $clock, serverNow } from '../shared/server-clock.ts'
import { $token, dropToken, keepToken } from '../shared/token.ts'
import { watchExpiry } from '../shared/token-expiry.ts'
import { forgetKeptCart } from '../user-data/kept-cart.ts'
import { noteLogIn, noteLogOut } from '../user-data/phone.ts'
import { forgetChat } from '../user-data/unsent-texts.ts'
import { downloadsDropped, forgetUserData } from '../user-data/user-data.ts'

/** The session of the current user. */
export interface Session {
  userId: number
  role: string
  /** When the session ends by the server's clock, in ms since 1970. */
  expiresAt: number
}

const $current = computed([$token, $clock], readSession)

/** The current user, or null. A token past expiry, or unreadable, is removed and counts as none. */
export const $session = readonlyType($current)

type LogOutListener = (userId: number) => void
const listeners = new Set<LogOutListener>()

/**
 * Calls the listener with the user's id when a session ends: by log-out, by expiry, because the
 * server refused the token, or in another tab. Returns the function that unsubscribes it.
 */
export function onLogOut(listener: LogOutListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

onMount($current, () => {
  let previous: Session | null = null
  return watchExpiry($token, (token) => {
    const session = readSession(token)
    const ended = previous
    previous = session
    const hasEnded = ended !== null && session?.userId !== ended.userId
    if (hasEnded || !session) forgetUserData()
    if (hasEnded) {
      noteLogOut(ended.userId, ended.expiresAt <= serverNow())
      for (const listener of listeners) listener(ended.userId)
    }
    if (token && !session) dropToken(token)
    return session?.expiresAt ?? null
  })
})

/** Starts a session with a customer's token, after deleting all data of an earlier user. */
export function startSession(token: string): void {
  forgetUserData()
  const userId = readSession(token)?.userId
  forgetChat(userId)
  noteLogIn(userId)
  keepToken(token)
}

let isLeaving = false

/**
 * Whether the user has logged out on this page, which then goes to the home page, not to the
 * log-in.
 */
export const hasLoggedOut = () => isLeaving

/**
 * Ends the session in every tab and notifies the server. Resolves once that call was sent or has
 * failed; nothing waits for its answer.
 */
export async function logOut(): Promise<void> {
  const token = $token.get()
  if (!token) return
  isLeaving = true
  const isSent = connect().then(({ api, accounts }) => {
    api(accounts.logOut, {}, { token }).catch(() => undefined) // the token expires by itself
  })
  $current.get() // mounts the session, so that its end is noticed
  dropToken()
  forgetChat()
  forgetKeptCart()
  await Promise.allSettled([isSent, downloadsDropped()])
}

/** The session of a token, if it is valid now. */
export function readSession(token: string): Session | null {
  const payload = token ? readToken(token, serverNow()) : null
  if (!payload) return null
  const role = isParent(payload) ? 'PARENT' : (payload.authorities[0] ?? '')
  return { userId: payload.userId, role, expiresAt: payload.exp * 1000 }
}
