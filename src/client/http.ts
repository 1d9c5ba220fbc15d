import { createFetch } from 'ofetch'
import type { Transport } from './api.ts'
import { type HttpOptions, timedTransport } from './timed.ts'

/** The shop's way over HTTP; see `timedTransport`. */
export function httpTransport(origin?: string, options?: HttpOptions): Transport {
  return timedTransport(
    async (url, init, fetch) => {
      // A payment is never sent again behind the caller's back, and an error has a body to read.
      const { raw } = createFetch({ fetch })
      const { status, _data } = await raw(url, { ...init, retry: false, ignoreResponseError: true })
      return { status, body: _data ?? null }
    },
    origin,
    options,
  )
}
