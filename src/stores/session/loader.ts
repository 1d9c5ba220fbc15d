import { createLoaderFor } from '../shared/loader.ts'
import { $session } from './session.ts'

/**
 * Creates a store for a value that is loaded for the logged-in customer; `what` names it in the
 * log.
 */
export const createLoader = <T>(what: string) =>
  createLoaderFor<T>(() => $session.get()?.userId, what)
