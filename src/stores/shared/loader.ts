import { atom, readonlyType } from 'nanostores'
import { logOnly, type Problem, problemOf } from './problem.ts'

/** How far the reading of something is, and what it gave; `idle` before anything was read. */
export type Loaded<T> =
  | { phase: 'idle' }
  | { phase: 'loading' }
  | { phase: 'failed'; problem: Problem }
  | { phase: 'ready'; value: T }

const IDLE = { phase: 'idle' } as const

/** What every island renders at first, as the server does: nothing has been read. */
export const notLoaded = (): typeof IDLE => IDLE

/**
 * A store of something that is read from the server for the user who is logged in, whose id
 * `currentUser` gives. Reading does nothing while nobody is, never rejects, and an answer that comes
 * after the user has changed is dropped. `what` names it in the log.
 */
export function createLoaderFor<T>(currentUser: () => number | undefined, what: string) {
  const $state = atom<Loaded<T>>(IDLE)

  async function read(source: (userId: number) => Promise<T>, isQuiet: boolean): Promise<void> {
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
    /** Reads, and shows meanwhile that it is loading. */
    load: (source: (userId: number) => Promise<T>) => read(source, false),
    /** Reads behind what is shown, which stays when the reading fails, unless the session has ended. */
    refresh: (source: (userId: number) => Promise<T>) => read(source, true),
    /** Shows a value that came another way. */
    show: (value: T) => $state.set({ phase: 'ready', value }),
    forget: () => $state.set(IDLE),
  }
}
