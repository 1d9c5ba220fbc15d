import { createApi } from './api.ts'
import { officeTransport } from './office-http.ts'

/**
 * The API that the office's stores call. It is imported statically, because every page of the
 * office uses it at once.
 */
export const api = createApi(officeTransport())
