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

/** Milliseconds until the next request: what the server says, at most a minute, or `usual`. */
export function waitBefore({ retryAfter }: Fetched, usual: number): number {
  return retryAfter > 0 ? Math.min(retryAfter * SECOND_MS, MINUTE_MS) : usual
}

/** Whether two pictures are the same to the byte; false if one of them cannot be read. */
export async function isSamePicture(one: string, other: string): Promise<boolean> {
  const [left, right] = await Promise.all([bytesOf(one), bytesOf(other)])
  if (!left || !right || left.length !== right.length) return false
  return left.every((byte, at) => byte === right[at])
}

async function bytesOf(address: string): Promise<Uint8Array | null> {
  const answer = await fetch(address).catch(() => null)
  return answer?.ok ? new Uint8Array(await answer.arrayBuffer()) : null
}
