import { atom, readonlyType } from 'nanostores'
import { logOnly, type Problem, problemOf } from '../shared/problem.ts'
import { forgetKept, keep, kept } from './kept.ts'

/** Whether the shown values are saved; `failed` until the next try. */
export type SavingState =
  | { phase: 'saved' }
  | { phase: 'changed' }
  | { phase: 'saving' }
  | { phase: 'failed'; problem: Problem }

interface Options<Values> {
  /** The key under which this browser keeps unsaved values. */
  keepAs: string
  /** The revision on which the values are based, kept with them. */
  revision?: () => number
  save: (values: Values) => Promise<unknown>
  /** Saves automatically once the user pauses; otherwise only `saveNow` saves. */
  isAutomatic: boolean
}

/** How long a pause in typing is before the values are saved (ms). */
const TYPING_PAUSE_MS = 800
/** The wait before the first retry after a failed connection (ms); doubled each time. */
const RETRY_MS = 2000
const LONGEST_RETRY_MS = 60_000

/** Whether a retry may succeed: the connection failed, or the server is busy. */
const isPassing = ({ status }: Problem) => status === 0 || status === 429 || status >= 500

/** Unsaved values as they are stored, with the revision on which they are based. */
interface Unsaved {
  values: unknown
  revision: number | null
}

/** The unsaved values that an earlier visit or another tab left under this name, or null. */
export function readUnsaved(keepAs: string): Unsaved | null {
  const found = kept(keepAs)
  if (typeof found !== 'object' || found === null || !('values' in found)) return null
  const { values, revision } = found as Record<string, unknown>
  return { values, revision: typeof revision === 'number' ? revision : null }
}

/**
 * Saves values one call at a time, and always the last ones; unsaved values are kept in this browser and
 * survive a reload. Tabs share this storage: the next visit finds the values of the tab that was last
 * typed in, each tab finds its own after a reload, and none deletes what another has not saved.
 */
export function createSaving<Values>({ keepAs, revision, save, isAutomatic }: Options<Values>) {
  const $state = atom<SavingState>({ phase: 'saved' })
  let latest: Values | undefined
  let unsaved: Unsaved | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  async function saveNow(): Promise<void> {
    clearTimeout(timer)
    if (latest === undefined || $state.get().phase === 'saving') return
    const values = latest
    $state.set({ phase: 'saving' })
    try {
      await save(values)
    } catch (error) {
      logOnly(keepAs)(error)
      const problem = problemOf(error)
      $state.set({ phase: 'failed', problem })
      keepUnsaved()
      failures++
      if (isPassing(problem)) later(Math.min(RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS))
      else if (latest !== values && latest !== undefined) later(TYPING_PAUSE_MS)
      return
    }
    failures = 0
    if (latest !== values) {
      // What was typed in the meantime is based on what has just been saved.
      if (unsaved) note(unsaved.values)
      $state.set({ phase: 'changed' })
      if (latest !== undefined) later(0)
      return
    }
    forget()
    $state.set({ phase: 'saved' })
  }

  function forget(): void {
    forgetKept(keepAs, unsaved)
    unsaved = undefined
  }
  function note(values: unknown): void {
    unsaved = { values, revision: revision?.() ?? null }
    keepUnsaved()
  }
  const keepUnsaved = () => {
    if (unsaved) keep(keepAs, unsaved)
  }

  function later(pause: number): void {
    clearTimeout(timer)
    if (isAutomatic) timer = setTimeout(saveNow, pause)
  }

  return {
    $state: readonlyType($state),
    /** Keeps values and, if they have no mistakes, saves them after a pause. */
    change(values: Values, isRight: boolean): void {
      note(values)
      latest = isRight ? values : undefined
      if ($state.get().phase === 'saving') return
      $state.set({ phase: 'changed' })
      if (isRight) later(TYPING_PAUSE_MS)
      else clearTimeout(timer)
    },
    saveNow,
    /** Deletes the unsaved values, before the page is reloaded. */
    discard(): void {
      clearTimeout(timer)
      latest = undefined
      unsaved = undefined
      forgetKept(keepAs)
    },
    /** Retries as soon as the browser is online again; returns the function that stops all timers. */
    open(): () => void {
      const retry = () => {
        if (isAutomatic && $state.get().phase === 'failed') void saveNow()
      }
      addEventListener('online', retry)
      // The user may have typed in another tab since.
      addEventListener('pagehide', keepUnsaved)
      return () => {
        clearTimeout(timer)
        removeEventListener('online', retry)
        removeEventListener('pagehide', keepUnsaved)
      }
    },
  }
}

export type Saving<Values> = ReturnType<typeof createSaving<Values>>
