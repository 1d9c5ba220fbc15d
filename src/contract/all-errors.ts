import { ERRORS } from './errors.ts'
import { OFFICE_ERRORS } from './office-errors.ts'

/** Every error of the API; what the server and its reference know. */
export const ALL_ERRORS = { ...ERRORS, ...OFFICE_ERRORS }
