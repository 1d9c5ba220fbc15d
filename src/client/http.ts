import type { ApiRequest, ApiResponse, Transport } from './api.ts'

/** How long an answer may take to begin, and to arrive where it is JSON or text (ms). */
const TIMEOUT_MS = 20_000

export interface HttpOptions {
  timeoutMs?: number
  /** Replaced in tests. */
  fetch?: typeof fetch
}

/**
 * Carries requests over HTTP to `<origin>/api`; without an origin, to the page's own. Plain `fetch`:
 * `ofetch` (1.5.1, tried) sets no time limit on a body that stalls, nor on a request that can be
 * aborted, and a payment is never to be sent again behind the caller's back.
 * No answer (offline, refused, too late) is the status 0; only the caller's own abort throws.
 */
export function httpTransport(origin = '', options: HttpOptions = {}): Transport {
  return async (request) => {
    const control = new AbortController()
    const timer = setTimeout(() => control.abort(), options.timeoutMs ?? TIMEOUT_MS)
    const abort = () => control.abort()
    request.signal?.throwIfAborted()
    request.signal?.addEventListener('abort', abort)
    try {
      const send = options.fetch ?? fetch
      const response = await send(`${origin}/api${request.path}`, initOf(request, control.signal))
      // A file may take as long as the line needs, once it has begun.
      if (isFile(response)) clearTimeout(timer)
      return { status: response.status, body: await bodyOf(response) }
    } catch {
      request.signal?.throwIfAborted()
      return { status: 0, body: null } satisfies ApiResponse
    } finally {
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', abort)
    }
  }
}

function initOf({ method, headers, body }: ApiRequest, signal: AbortSignal): RequestInit {
  return {
    method,
    headers,
    signal,
    credentials: 'omit',
    // What a visitor has asked for goes on when the page is left: a log-out, a payment.
    keepalive: method !== 'GET',
    ...(body !== undefined && { body }),
  }
}

const typeOf = (response: Response) => response.headers.get('content-type') ?? ''
const isJson = (response: Response) => /[/+]json\b/.test(typeOf(response))
const isFile = (response: Response) => !isJson(response) && !/^(text\/|$)/.test(typeOf(response))

async function bodyOf(response: Response): Promise<unknown> {
  if (isFile(response)) return response.blob()
  const text = await response.text()
  return isJson(response) ? parse(text) : text
}

// A proxy between us and the shop may call its error page JSON.
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
