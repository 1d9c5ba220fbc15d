import { ERRORS } from './errors.ts'
import { OFFICE_ERRORS } from './office-errors.ts'

/** Every error of the API, for the server and the reference; browsers do not load the sentences. */
export const ALL_ERRORS = { ...ERRORS, ...OFFICE_ERRORS }
