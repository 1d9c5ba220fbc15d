import { createFetch } from 'ofetch'
import type { Transport } from './api.ts'
import { type HttpOptions, timedTransport } from './timed.ts'

export function httpTransport(origin?: string, options?: HttpOptions): Transport {
  return timedTransport(
    async (url, init, fetch) => {
      // `raw`: no hidden retries, since payments must not repeat, and error bodies stay readable.
      const { raw } = createFetch({ fetch })
      const { status, _data } = await raw(url, { ...init, retry: false, ignoreResponseError: true })
      return { status, body: _data ?? null }
    },
    origin,
    options,
  )
}
