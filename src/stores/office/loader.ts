import { createLoaderFor } from '../shared/loader.ts'
import { $officeSession } from './session.ts'

/** A store for data of the logged-in staff member; `what` names the data in the log. */
export const createLoader = <T>(what: string) =>
  createLoaderFor<T>(() => $officeSession.get()?.userId, what)

/**
 * A loader for one of several choices: shows the one requested last, in whatever order the
 * responses arrive.
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
        return latest // may be a newer request by now
      }),
  }
}

/** The id in the page's URL, `?id=12`; null if there is no valid one. */
export function idInAddress(name = 'id'): number | null {
  const id = Number(new URLSearchParams(location.search).get(name))
  return Number.isSafeInteger(id) && id > 0 && id < 2 ** 31 ? id : null
}
