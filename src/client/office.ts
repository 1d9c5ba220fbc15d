import { type Api, createApi, type Transport } from './api.ts'
import { type HttpOptions, isFile, timedTransport } from './timed.ts'

/** Opens the API of the office; imported statically, since each of its pages calls at once. */
export const openApi = (onTime: (said: number) => void): Api =>
  createApi(officeTransport('', { onTime }))

/** Like the shop's transport, by the browser's own `fetch`: 4 KB less before the first call. */
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
