import { ALL_ERRORS } from '../contract/all-errors.ts'
import { createApi } from './api.ts'
import { httpTransport } from './http.ts'

/** What the office's stores load when they first need the backend. */
export const api = createApi(httpTransport(), ALL_ERRORS)
