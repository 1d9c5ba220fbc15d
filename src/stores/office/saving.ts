import { atom, readonlyType } from 'nanostores'
import { logOnly, type Problem, problemOf } from '../shared/problem.ts'
import { forgetKept, keep } from './kept.ts'

/** How far what is shown is saved; `failed` until it is tried again. */
export type SavingState =
  | { phase: 'saved' }
  | { phase: 'changed' }
  | { phase: 'saving' }
  | { phase: 'failed'; problem: Problem }

interface Options<Values> {
  /** The name under which unsaved values are kept in this browser. */
  keepAs: string
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

/**
 * Saves values one after the other, the last ones always; what is not saved yet is kept in this browser
 * and outlives a reload.
 */
export function createSaving<Values>({ keepAs, save, isAutomatic }: Options<Values>) {
  const $state = atom<SavingState>({ phase: 'saved' })
  let latest: Values | undefined
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
      failures++
      if (isPassing(problem)) later(Math.min(RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS))
      else if (latest !== values && latest !== undefined) later(TYPING_PAUSE_MS)
      return
    }
    failures = 0
    if (latest !== values) {
      $state.set({ phase: 'changed' })
      if (latest !== undefined) later(0)
      return
    }
    forgetKept(keepAs)
    $state.set({ phase: 'saved' })
  }

  function later(pause: number): void {
    clearTimeout(timer)
    if (isAutomatic) timer = setTimeout(saveNow, pause)
  }

  return {
    $state: readonlyType($state),
    /** Keeps values, and saves them by and by where they can be saved as they are. */
    change(values: Values, isRight: boolean): void {
      keep(keepAs, values)
      latest = isRight ? values : undefined
      if ($state.get().phase === 'saving') return
      $state.set({ phase: 'changed' })
      if (isRight) later(TYPING_PAUSE_MS)
      else clearTimeout(timer)
    },
    saveNow,
    /** Tries again as soon as the line is back; returns what ends all timers. */
    open(): () => void {
      const retry = () => {
        if (isAutomatic && $state.get().phase === 'failed') void saveNow()
      }
      addEventListener('online', retry)
      return () => {
        clearTimeout(timer)
        removeEventListener('online', retry)
      }
    },
  }
}

export type Saving<Values> = ReturnType<typeof createSaving<Values>>
