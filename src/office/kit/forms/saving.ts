import { atom, readonlyType } from 'nanostores'
import { logOnly, type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { forgetKept, keep, kept } from '../kept.ts'

/** Whether the shown values are saved; `failed` until the next attempt. */
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
  /** Saves when the user stops typing; otherwise only `saveNow` saves. */
  isAutomatic: boolean
}

/** The values are saved after a pause in typing of this length (ms). */
const TYPING_PAUSE_MS = 800
/** The delay before the first retry (ms); each further retry doubles it. */
const RETRY_MS = 2000
const LONGEST_RETRY_MS = 60_000

/** Whether a retry may succeed: the connection failed, or the server is busy. */
const isTemporary = ({ status }: Problem) => status === 0 || status === 429 || status >= 500

/** Unsaved values in the browser's storage, with the revision on which they are based. */
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
 * Saves the latest values, one call at a time. Unsaved values are kept in this browser and survive
 * a reload. Tabs share the storage: a new visit restores the values of the tab that the user typed
 * in last, a reloaded tab restores its own values, and no tab deletes unsaved values of another.
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
      if (isTemporary(problem))
        saveAfter(Math.min(RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS))
      else if (latest !== values && latest !== undefined) saveAfter(TYPING_PAUSE_MS)
      return
    }
    failures = 0
    if (latest !== values) {
      // Input typed during the call is based on the revision that the call has just saved.
      if (unsaved) keepValues(unsaved.values)
      $state.set({ phase: 'changed' })
      if (latest !== undefined) saveAfter(0)
      return
    }
    forgetUnsaved()
    $state.set({ phase: 'saved' })
  }

  function forgetUnsaved(): void {
    forgetKept(keepAs, unsaved)
    unsaved = undefined
  }
  function keepValues(values: unknown): void {
    unsaved = { values, revision: revision?.() ?? null }
    keepUnsaved()
  }
  const keepUnsaved = () => {
    if (unsaved) keep(keepAs, unsaved)
  }

  function saveAfter(pause: number): void {
    clearTimeout(timer)
    if (isAutomatic) timer = setTimeout(saveNow, pause)
  }

  return {
    $state: readonlyType($state),
    /** Keeps values and, if they are valid, saves them after a pause. */
    change(values: Values, isValid: boolean): void {
      keepValues(values)
      latest = isValid ? values : undefined
      if ($state.get().phase === 'saving') return
      $state.set({ phase: 'changed' })
      if (isValid) saveAfter(TYPING_PAUSE_MS)
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
    /** Retries as soon as the browser is online again; returns a function that stops all timers. */
    open(): () => void {
      const retry = () => {
        if (isAutomatic && $state.get().phase === 'failed') void saveNow()
      }
      addEventListener('online', retry)
      // Another tab may have replaced the kept values since, but a reload must restore this tab's.
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
