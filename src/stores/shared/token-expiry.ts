import type { ReadableAtom } from 'nanostores'
import { $clock, serverNow } from './server-clock.ts'

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
