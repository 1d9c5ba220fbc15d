import { MINUTE_MS, SECOND_MS } from '../rules/durations.ts'

interface Fetched {
  status: number
  bytes: Blob | null
  /** After how many seconds the server wants to be asked again; 0 where it does not say. */
  retryAfter: number
}

/** Fetches the picture of a page, or its text; `null` with status 0 where no answer came. Throws only the caller's own abort. */
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

/** Milliseconds until a refused picture is requested again: as long as the server says, up to a minute, or as usual. */
export function waitBefore({ retryAfter }: Fetched, usual: number): number {
  return retryAfter > 0 ? Math.min(retryAfter * SECOND_MS, MINUTE_MS) : usual
}
