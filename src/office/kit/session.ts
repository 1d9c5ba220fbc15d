import { computed, onMount, readonlyType } from 'nanostores'
import { type StaffRole, staffRole } from '../../rules/roles.ts'
import { OFFICE_TOKEN_KEY } from '../../rules/storage-keys.ts'
import { readToken } from '../../rules/token.ts'
import { persistedText } from '../../stores/shared/persistence.ts'
import { $clock, learnFromToken, serverNow, watchExpiry } from '../../stores/shared/server-clock.ts'

interface OfficeSession {
  userId: number
  role: StaffRole
  /** By the server's clock, in ms since 1970. */
  expiresAt: number
}

const $token = persistedText(OFFICE_TOKEN_KEY)
const $current = computed([$token, $clock], readSession)

/** The session that all tabs share; null without a log-in or once its token has expired. */
export const $officeSession = readonlyType($current)

onMount($current, () =>
  watchExpiry($token, (token) => {
    const session = readSession(token)
    if (token && !session) dropOfficeToken(token)
    return session?.expiresAt ?? null
  }),
)

/** Starts a session with a new token; returns false if it does not belong to a staff member. */
export function startOfficeSession(token: string): boolean {
  learnFromToken(token)
  if (!readSession(token)) return false
  $token.set(token)
  return true
}

/** The token for calls of the office; '' without a valid one. */
export function officeToken(): string {
  const token = $token.get()
  return readSession(token) ? token : ''
}

/** Ends the session in every tab; if `token` is given, only if it has not been replaced since. */
export function dropOfficeToken(token?: string): void {
  if (token === undefined || token === $token.get()) $token.set('')
}

function readSession(token: string): OfficeSession | null {
  const payload = token ? readToken(token, serverNow()) : null
  const role = payload && staffRole(payload)
  return role ? { userId: payload.userId, role, expiresAt: payload.exp * 1000 } : null
}
