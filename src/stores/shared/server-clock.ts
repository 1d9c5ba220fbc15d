import type { ReadableAtom } from 'nanostores'
import { SECOND_MS } from '../../rules/durations.ts'
import { CLOCK_KEY } from '../../rules/storage-keys.ts'
import { issuedAt, serverTime } from '../../rules/token.ts'
import { persistedText } from './persistence.ts'

/** Smaller differences are not kept: the server says whole seconds, and answers take time. */
const UNNOTICED_MS = 30 * SECOND_MS

/** The saved difference between the server's clock and this device's. */
export const $clock = persistedText(CLOCK_KEY)

/** The time by the server's clock, as far as this browser knows it, in ms since 1970. */
export const serverNow = (): number => serverTime(Date.now(), $clock.get())

/** Learns the difference from the time (ms) that the server has just said. */
export function learnServerTime(said: number): void {
  const ahead = said - Date.now()
  if (Math.abs(said - serverNow()) < UNNOTICED_MS) return
  $clock.set(Math.abs(ahead) < UNNOTICED_MS ? '' : String(ahead))
}

/** The same from a token that the server has just issued. */
export function learnFromToken(token: string): void {
  const said = issuedAt(token)
  if (said !== null) learnServerTime(said)
}

/** The longest delay of a timer, which is a signed 32-bit number (ms). */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Calls `check` with every token of a store, and again when its session ends or the server's clock
 * was learnt. `check` returns the time of that end by that clock in ms since 1970, or null without a
 * session. Returns a function that stops
 * watching.
 */
export function watchExpiry(
  $token: ReadableAtom<string>,
  check: (token: string) => number | null,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const follow = () => {
    clearTimeout(timer)
    const expiresAt = check($token.get())
    if (expiresAt === null) return
    timer = setTimeout(follow, Math.min(expiresAt - serverNow(), LONGEST_TIMER_MS))
  }
  const unsubscribe = [$token.subscribe(follow), $clock.listen(follow)]
  // Timers stop while a phone sleeps, so check again when the page becomes visible.
  const page = typeof document === 'undefined' ? null : document
  page?.addEventListener('visibilitychange', follow)
  return () => {
    clearTimeout(timer)
    for (const each of unsubscribe) each()
    page?.removeEventListener('visibilitychange', follow)
  }
}
