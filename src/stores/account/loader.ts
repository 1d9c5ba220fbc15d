import { createLoaderFor } from '../shared/loader.ts'
import { $session } from './session.ts'

/** A store of something that is read for the customer who is logged in; `what` names it in the log. */
export const createLoader = <T>(what: string) =>
  createLoaderFor<T>(() => $session.get()?.userId, what)
