import { atom, readonlyType } from 'nanostores'
import { logOnly, type Problem, problemOf } from '../shared/problem.ts'
import { forgetKept, keep, kept } from './kept.ts'

/** How far what is shown is saved; `failed` until it is tried again. */
export type SavingState =
  | { phase: 'saved' }
  | { phase: 'changed' }
  | { phase: 'saving' }
  | { phase: 'failed'; problem: Problem }

interface Options<Values> {
  /** The name under which unsaved values are kept in this browser. */
  keepAs: string
  /** The revision over which values are written now, to be kept with them. */
  revision?: () => number
  save: (values: Values) => Promise<unknown>
  /** Saves by itself, once the typing pauses; else only when `saveNow` says so. */
  isAutomatic: boolean
}

/** Typing has paused for so long (ms) when what was typed is saved. */
const TYPING_PAUSE_MS = 800
/** How long after a failure of the line the saving is tried again (ms); doubled each time. */
const RETRY_MS = 2000
const LONGEST_RETRY_MS = 60_000

/** Whether the same values may be saved in a moment: the line, or a shop that is busy. */
const isPassing = ({ status }: Problem) => status === 0 || status === 429 || status >= 500

/** Unsaved values as they are kept, with the revision that they were written over. */
interface Unsaved {
  values: unknown
  revision: number | null
}

/** What an earlier visit, or another tab, has kept under this name and not saved; null: nothing. */
export function readUnsaved(keepAs: string): Unsaved | null {
  const found = kept(keepAs)
  if (typeof found !== 'object' || found === null || !('values' in found)) return null
  const { values, revision } = found as Record<string, unknown>
  return { values, revision: typeof revision === 'number' ? revision : null }
}

/**
 * Saves values one after the other, the last ones always; what is not saved yet is kept in this browser
 * and outlives a reload. Tabs share what is kept: the last one that was written in is found by the
 * next visit, each finds its own after a reload, and none forgets what another has not saved.
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
      // What was typed meanwhile is written over what has just been saved.
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
    /** Keeps values, and saves them by and by where they can be saved as they are. */
    change(values: Values, isRight: boolean): void {
      note(values)
      latest = isRight ? values : undefined
      if ($state.get().phase === 'saving') return
      $state.set({ phase: 'changed' })
      if (isRight) later(TYPING_PAUSE_MS)
      else clearTimeout(timer)
    },
    saveNow,
    /** Forgets what is not saved: the page is to be loaded again. */
    discard(): void {
      clearTimeout(timer)
      latest = undefined
      unsaved = undefined
      forgetKept(keepAs)
    },
    /** Tries again as soon as the line is back; returns what ends all timers. */
    open(): () => void {
      const retry = () => {
        if (isAutomatic && $state.get().phase === 'failed') void saveNow()
      }
      addEventListener('online', retry)
      // Another tab may have been written in since.
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
