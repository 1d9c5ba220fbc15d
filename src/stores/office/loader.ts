import { createLoaderFor } from '../shared/loader.ts'
import { $officeSession } from './session.ts'

/** A store of something that is read for the staff member who is logged in; `what` names it in the log. */
export const createLoader = <T>(what: string) =>
  createLoaderFor<T>(() => $officeSession.get()?.userId, what)
