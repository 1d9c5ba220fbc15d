import { MINUTE_MS, SECOND_MS } from '../rules/durations.ts'

interface Fetched {
  status: number
  bytes: Blob | null
  /** After how many seconds the server allows another request; 0 if it does not say. */
  retryAfter: number
}

/**
 * Fetches the picture or the text of a page; `bytes` is null and the status 0 if no answer came.
 * Throws only the caller's own abort.
 */
export async function fetchPicture(address: string, signal: AbortSignal): Promise<Fetched> {
  try {
    const answer = await fetch(address, { credentials: 'omit', signal })
    const retryAfter = Number(answer.headers.get('retry-after')) || 0
    return { status: answer.status, bytes: answer.ok ? await answer.blob() : null, retryAfter }
  } catch {
    signal.throwIfAborted()
    return { status: 0, bytes: null, retryAfter: 0 }
  }
}

/**
 * Milliseconds until a refused picture is requested again: what the server says, at most a minute,
 * or `usual`.
 */
export function waitBefore({ retryAfter }: Fetched, usual: number): number {
  return retryAfter > 0 ? Math.min(retryAfter * SECOND_MS, MINUTE_MS) : usual
}
