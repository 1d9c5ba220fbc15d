import { createFetch } from 'ofetch'
import type { Transport } from './api.ts'
import { type HttpOptions, timedTransport } from './timed.ts'

/** The shop's HTTP transport; see `timedTransport`. */
export function httpTransport(origin?: string, options?: HttpOptions): Transport {
  return timedTransport(
    async (url, init, fetch) => {
      // No hidden retries: payments must not repeat; and the body of an error must be readable.
      const { raw } = createFetch({ fetch })
      const { status, _data } = await raw(url, { ...init, retry: false, ignoreResponseError: true })
      return { status, body: _data ?? null }
    },
    origin,
    options,
  )
}
