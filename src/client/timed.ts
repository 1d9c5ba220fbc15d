import type { ApiRequest, ApiResponse, Transport } from './api.ts'

/** How long an answer may take to begin, and to arrive where it is JSON or text (ms). */
const TIMEOUT_MS = 20_000

export interface HttpOptions {
  timeoutMs?: number
  /** Replaced in tests. */
  fetch?: typeof fetch
}

/** Fetches an address and reads the body of what came, whatever its status; throws where nothing came. */
type Fetching = (url: string, init: Init, send: typeof fetch) => Promise<ApiResponse>

type Init = ReturnType<typeof initOf> & { signal: AbortSignal }

/**
 * Carries requests to `<origin>/api`; without an origin, to the page's own. Nothing is sent twice. No
 * answer (offline, refused, too late) is the status 0; only the caller's own abort throws.
 */
export function timedTransport(
  fetching: Fetching,
  origin = '',
  options: HttpOptions = {},
): Transport {
  return async (request) => {
    request.signal?.throwIfAborted()
    // One signal for both ends: `AbortSignal.any` is missing from phones that are still in use.
    const ending = new AbortController()
    const end = () => ending.abort()
    const timer = setTimeout(end, options.timeoutMs ?? TIMEOUT_MS)
    request.signal?.addEventListener('abort', end)
    const send: typeof fetch = async (...given) => {
      const response = await (options.fetch ?? fetch)(...given)
      // A file may take as long as the line needs, once it has begun.
      if (isFile(response)) clearTimeout(timer)
      return response
    }
    try {
      const init = { ...initOf(request), signal: ending.signal }
      return await fetching(`${origin}/api${request.path}`, init, send)
    } catch {
      request.signal?.throwIfAborted()
      return { status: 0, body: null }
    } finally {
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', end)
    }
  }
}

function initOf({ method, headers, body, bytes }: ApiRequest) {
  return {
    method,
    headers,
    credentials: 'omit',
    // What a visitor has asked for goes on when the page is left: a log-out, a payment. Browsers refuse
    // this to more than 64 KB, as a part of an upload is.
    keepalive: method !== 'GET' && !bytes,
    ...(body !== undefined && { body }),
    ...(bytes && { body: bytes }),
  } as const
}

/** Whether the body of an answer is neither JSON nor text. */
export function isFile({ headers }: Response): boolean {
  return !/^(?:text\/|$)|[/+]json\b/.test(headers.get('content-type') ?? '')
}
