import type { ApiRequest, ApiResponse, Transport } from './api.ts'

/** The time limit for an answer to begin and, if it is JSON or text, to arrive completely (ms). */
const TIMEOUT_MS = 20_000

export interface HttpOptions {
  timeoutMs?: number
  /** Replaced in tests. */
  fetch?: typeof fetch
  /** Called with the time of each answer that comes from the server itself, by its clock (ms). */
  onTime?: (said: number) => void
}

/** Fetches a URL and reads the body, whatever the status; throws if there is no answer. */
type Fetching = (url: string, init: Init, send: typeof fetch) => Promise<ApiResponse>

type Init = ReturnType<typeof initOf> & { signal: AbortSignal }

/**
 * Carries requests to `<origin>/api`; without an origin, to the page's own. Nothing is sent twice.
 * A missing answer (offline, refused, too late) has status 0; only the caller's own abort throws.
 */
export function timedTransport(
  fetching: Fetching,
  origin = '',
  options: HttpOptions = {},
): Transport {
  return async (request) => {
    request.signal?.throwIfAborted()
    // One signal for the time limit and the caller: older phones lack `AbortSignal.any`.
    const ending = new AbortController()
    const end = () => ending.abort()
    const timer = setTimeout(end, options.timeoutMs ?? TIMEOUT_MS)
    request.signal?.addEventListener('abort', end)
    const send: typeof fetch = async (...given) => {
      const response = await (options.fetch ?? fetch)(...given)
      const said = timeOf(response)
      if (said !== null) options.onTime?.(said)
      // Once a file has begun to arrive, it may take as long as the connection needs.
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
    // Log-outs and payments must continue when the visitor leaves the page. Browsers refuse
    // `keepalive` for bodies above 64 KB, such as parts of an upload.
    keepalive: method !== 'GET' && !bytes,
    ...(body !== undefined && { body }),
    ...(bytes && { body: bytes }),
  } as const
}

/** When the server made an answer; null where it does not say, or a cache may have kept it. */
function timeOf({ headers }: Response): number | null {
  const said = Date.parse(headers.get('date') ?? '')
  const isKept = !/no-store/.test(headers.get('cache-control') ?? '') || headers.has('age')
  return isKept || Number.isNaN(said) ? null : said
}

/** Whether the body of an answer is neither JSON nor text. */
export function isFile({ headers }: Response): boolean {
  return !/^(?:text\/|$)|[/+]json\b/.test(headers.get('content-type') ?? '')
}
