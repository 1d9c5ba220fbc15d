import { computed, onMount, readonlyType } from 'nanostores'
import { isParent, readToken } from '../../rules/token.ts'
import { $clock, serverNow, watchExpiry } from '../shared/server-clock.ts'
import { $token, dropToken } from '../shared/token.ts'
import { noteLogOut } from '../user-data/phone.ts'
import { forgetUserData } from '../user-data/user-data.ts'

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

/** The session of a token, if it is valid now. */
export function readSession(token: string): Session | null {
  const payload = token ? readToken(token, serverNow()) : null
  if (!payload) return null
  const role = isParent(payload) ? 'PARENT' : (payload.authorities[0] ?? '')
  return { userId: payload.userId, role, expiresAt: payload.exp * 1000 }
}
