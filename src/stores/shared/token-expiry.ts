import type { ReadableAtom } from 'nanostores'

/** The longest delay of a timer, which is a signed 32-bit number (ms). */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Calls `check` with every token of a store, and again when its session ends. `check` returns the
 * time of that end in ms since 1970, or null without a session. Returns a function that stops
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
    timer = setTimeout(follow, Math.min(expiresAt - Date.now(), LONGEST_TIMER_MS))
  }
  const unsubscribe = $token.subscribe(follow)
  // Timers stop while a phone sleeps, so check again when the page becomes visible.
  const page = typeof document === 'undefined' ? null : document
  page?.addEventListener('visibilitychange', follow)
  return () => {
    clearTimeout(timer)
    unsubscribe()
    page?.removeEventListener('visibilitychange', follow)
  }
}
