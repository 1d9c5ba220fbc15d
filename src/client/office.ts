import { createApi } from './api.ts'
import { officeTransport } from './office-http.ts'

/** The API that the office's stores call. It is not loaded later: every page of the office calls it at once. */
export const api = createApi(officeTransport())
