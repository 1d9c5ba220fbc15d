import type { Transport } from './api.ts'
import { type HttpOptions, isFile, timedTransport } from './timed.ts'

/**
 * The office's HTTP transport. Like the shop's, but with the browser's own `fetch`, which saves 4
 * KB before the first call. See `timedTransport`.
 */
export function officeTransport(origin?: string, options?: HttpOptions): Transport {
  return timedTransport(
    async (url, init, send) => {
      const response = await send(url, init)
      return { status: response.status, body: await bodyOf(response) }
    },
    origin,
    options,
  )
}

async function bodyOf(response: Response): Promise<unknown> {
  if (isFile(response)) return response.blob()
  const text = await response.text()
  if (response.headers.get('content-type')?.startsWith('text/')) return text
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}
