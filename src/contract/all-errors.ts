import { ERRORS } from './errors.ts'
import { OFFICE_ERRORS } from './office-errors.ts'

/**
 * All errors of the API, for the server and the reference; browsers do not load their sentences.
 */
export const ALL_ERRORS = { ...ERRORS, ...OFFICE_ERRORS }
