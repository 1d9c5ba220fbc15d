import type { ReadableAtom } from 'nanostores'

/** Timers count in 32 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Calls `check` with every token of a store, and again when its session ends. `check` returns that time
 * in ms since 1970, or null without a session. Returns the function that stops it.
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
  // Timers stop while a phone sleeps.
  const page = typeof document === 'undefined' ? null : document
  page?.addEventListener('visibilitychange', follow)
  return () => {
    clearTimeout(timer)
    unsubscribe()
    page?.removeEventListener('visibilitychange', follow)
  }
}
