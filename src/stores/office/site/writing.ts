import { atom, readonlyType } from 'nanostores'
import { problemOf } from '../../shared/problem.ts'
import { readUnsaved } from '../saving.ts'

type Values = Record<string, string>

/** The values that another administrator has saved in the meantime. */
export interface Theirs {
  revision: number
  values: Values
  by: string
  /** ISO 8601. */
  at: string
}

export interface WritingOptions {
  /** The key under which this browser keeps unsaved values. */
  keepAs: string
  revision: number
  /** Saves if `revision` is still current; returns the new revision. */
  save: (revision: number, values: Values) => Promise<number>
  /** Loads the current values. */
  read: () => Promise<Pick<Theirs, 'revision' | 'values'>>
}

/**
 * Saves values with the revision on which they are based. If another administrator has saved since,
 * nothing is overwritten: `$conflict` holds their values until the user chooses.
 */
export function createWriting({ keepAs, save, read, ...first }: WritingOptions) {
  const $conflict = atom<Theirs | null>(null)
  let revision = readUnsaved(keepAs)?.revision ?? first.revision

  return {
    $conflict: readonlyType($conflict),
    revision: () => revision,
    async save(values: Values): Promise<void> {
      try {
        revision = await save(revision, values)
        $conflict.set(null)
      } catch (error) {
        const { code, done } = problemOf(error)
        if (code === 'done_before' && done) $conflict.set({ ...(await read()), ...done })
        throw error
      }
    },
    /** Chooses the values of this tab, which the next attempt saves. */
    keepMine(): void {
      revision = $conflict.get()?.revision ?? revision
      $conflict.set(null)
    },
  }
}
