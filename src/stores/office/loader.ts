import { createLoaderFor } from '../shared/loader.ts'
import { $officeSession } from './session.ts'

/** A store of something that is loaded for the logged-in staff member; `what` names it in the log. */
export const createLoader = <T>(what: string) =>
  createLoaderFor<T>(() => $officeSession.get()?.userId, what)

/**
 * The same for something chosen among several: shows the last chosen one, in whatever order the answers
 * arrive.
 */
export function createChoiceLoader<T>(what: string) {
  const { $state, load, show } = createLoader<T>(what)
  let latest: Promise<T>
  return {
    $state,
    show,
    load: (read: () => Promise<T>) =>
      load(async () => {
        latest = read()
        await latest.catch(() => undefined)
        return latest // another one, where something else was chosen meanwhile
      }),
  }
}
