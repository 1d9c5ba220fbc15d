import type { ReadableAtom } from 'nanostores'

/** Timers count in 32 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Calls `check` with every token of a store, and again with the one that is there when its session
 * ends. `check` returns when that is, in ms since 1970, or null where there is no session. Returns
 * what stops it.
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
  // Timers stand still while a phone sleeps.
  const page = typeof document === 'undefined' ? null : document
  page?.addEventListener('visibilitychange', follow)
  return () => {
    clearTimeout(timer)
    unsubscribe()
    page?.removeEventListener('visibilitychange', follow)
  }
}
