import { SECOND_MS } from '../../../rules/durations.ts'
import type { CdnPurge } from '../../config/cdn.ts'

const PATIENCE_MS = 10 * SECOND_MS

interface Service {
  /** How many tags one request may contain. */
  atOnce: number
  headers(secret: string): Record<string, string>
  body(tags: readonly string[]): unknown
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

/** The CDNs with a specific interface, by the host of their address. */
const SERVICES: Readonly<Record<string, Service>> = {
  'api.cloudflare.com': { atOnce: 30, headers: bearer, body: (tags) => ({ tags }) },
  'api.fastly.com': {
    atOnce: 256,
    headers: (secret) => ({ 'fastly-key': secret }),
    body: (tags) => ({ surrogate_keys: tags }),
  },
  'api.bunny.net': {
    atOnce: 1,
    headers: (secret) => ({ accesskey: secret }),
    body: ([tag]) => ({ CacheTag: tag }),
  },
}

const WEBHOOK: Service = { atOnce: 500, headers: bearer, body: (tags) => ({ tags }) }

/** Requests the CDN to purge the pages with these tags; throws with the reason if it refuses. */
export async function requestPurge(
  { url, secret }: CdnPurge,
  tags: readonly string[],
): Promise<void> {
  const service = SERVICES[new URL(url).hostname] ?? WEBHOOK
  for (let from = 0; from < tags.length; from += service.atOnce) {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...service.headers(secret),
      },
      body: JSON.stringify(service.body(tags.slice(from, from + service.atOnce))),
      // The secret must not be sent to any other address.
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`it answers ${response.status}`)
  }
}
