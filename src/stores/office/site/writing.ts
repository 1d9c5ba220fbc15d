import { atom, readonlyType } from 'nanostores'
import { problemOf } from '../../shared/problem.ts'
import { readUnsaved } from '../saving.ts'

type Values = Record<string, string>

/** What somebody else has saved meanwhile. */
export interface Theirs {
  revision: number
  values: Values
  by: string
  /** ISO 8601. */
  at: string
}

interface Options {
  /** The name under which unsaved values are kept in this browser. */
  keepAs: string
  revision: number
  /** Saves over a revision; the new revision. */
  save: (revision: number, values: Values) => Promise<number>
  /** What is there now. */
  read: () => Promise<Pick<Theirs, 'revision' | 'values'>>
}

/**
 * Saves over the revision that the values were written over. Where another administrator was first,
 * nothing is written over: `$conflict` has theirs until somebody chooses.
 */
export function createWriting({ keepAs, save, read, ...first }: Options) {
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
    /** Lets what is written here stand over theirs; it is saved by the next try. */
    keepMine(): void {
      revision = $conflict.get()?.revision ?? revision
      $conflict.set(null)
    },
  }
}
