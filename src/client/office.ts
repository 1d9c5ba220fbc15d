import { createApi } from './api.ts'
import { officeTransport } from './office-http.ts'

/** What the office's stores call the backend through; each of its pages makes calls as soon as it is there. */
export const api = createApi(officeTransport())
