import { ALL_ERRORS } from '../contract/all-errors.ts'
import { createApi } from './api.ts'
import { httpTransport } from './http.ts'

/** What the office's stores load when they first need the backend: the API and the calls they make. */
export const api = createApi(httpTransport(), ALL_ERRORS)

export * as accounts from '../contract/accounts.ts'
export * as catalogue from '../contract/catalogue.ts'
export * as earnings from '../contract/earnings.ts'
export * as officeAccess from '../contract/office-access.ts'
export * as officeDocuments from '../contract/office-documents.ts'
export * as payouts from '../contract/payouts.ts'
export * as uploads from '../contract/uploads.ts'
