import { createApi } from './api.ts'
import { httpTransport } from './http.ts'

/** What the office's stores load when they first need the backend: the API and the calls they make. */
export const api = createApi(httpTransport())

export * as accounts from '../contract/accounts.ts'
