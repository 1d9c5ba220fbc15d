import { atom, readonlyType } from 'nanostores'
import { logOnly, type Problem, problemOf } from './problem.ts'

/** The state of loading something, and its value; `idle` before the first loading. */
export type Loaded<T> =
  | { phase: 'idle' }
  | { phase: 'loading' }
  | { phase: 'failed'; problem: Problem }
  | { phase: 'ready'; value: T }

const IDLE = { phase: 'idle' } as const

/** Whether it could not be loaded because the backend, which is another one, does not have it. */
export const isLacking = <T>(state: Loaded<T>): boolean =>
  state.phase === 'failed' && state.problem.status === 404

/** The state that the server and every island's first rendering use: nothing is loaded. */
export const notLoaded = (): typeof IDLE => IDLE

/**
 * Creates a store for a value that is loaded for the logged-in user, whose id `currentUser`
 * returns. Loading does nothing while no user is logged in, and never rejects; an answer that
 * arrives after the user has changed is dropped. `what` names it in the log.
 */
export function createLoaderFor<T>(currentUser: () => number | undefined, what: string) {
  const $state = atom<Loaded<T>>(IDLE)

  async function readInto(source: (userId: number) => Promise<T>, isQuiet: boolean): Promise<void> {
    const userId = currentUser()
    if (userId === undefined) return
    if (!isQuiet) $state.set({ phase: 'loading' })
    try {
      const value = await source(userId)
      if (currentUser() === userId) $state.set({ phase: 'ready', value })
    } catch (error) {
      logOnly(what)(error)
      const problem = problemOf(error)
      const isKept = isQuiet && $state.get().phase === 'ready' && problem.status !== 401
      if (!isKept) $state.set({ phase: 'failed', problem })
    }
  }

  return {
    $state: readonlyType($state),
    /** Loads the value; until then the state is `loading`. */
    load: (source: (userId: number) => Promise<T>) => readInto(source, false),
    /**
     * Reloads while the old value stays visible; it also stays on failure, unless the session has
     * ended.
     */
    refresh: (source: (userId: number) => Promise<T>) => readInto(source, true),
    /** Sets a value from elsewhere. */
    show: (value: T) => $state.set({ phase: 'ready', value }),
    forget: () => $state.set(IDLE),
  }
}
