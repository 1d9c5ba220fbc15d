import { type Api, createApi } from './api.ts'
import { officeTransport } from './office-http.ts'

/**
 * Opens the API that the office's stores call; `onTime` hears the server's clock, as `HttpOptions`
 * says. It is imported statically, because every page of the office uses it at once.
 */
export const openApi = (onTime: (said: number) => void): Api =>
  createApi(officeTransport('', { onTime }))
