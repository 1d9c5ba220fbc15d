import { atom, readonlyType } from 'nanostores'
import type { Values } from '../../../stores/shared/form.ts'
import { problemOf } from '../../../stores/shared/problem.ts'
import { readUnsaved } from './saving.ts'

/** The values that the server has, with the revision that each save replaces. */
export interface Version<F extends string> {
  revision: number
  values: Values<F>
}

/** The values that somebody has saved in the meantime. */
interface Theirs<F extends string> extends Version<F> {
  /** The other administrator; undefined if the values are the user's own, of another tab. */
  by?: string
  /** ISO 8601. */
  at?: string
}

export interface WritingOptions<F extends string> {
  /** The key under which this browser keeps unsaved values. */
  keepAs: string
  /** The version that the page has loaded. */
  loaded: Version<F>
  /** Saves if `revision` is still current; returns the new revision. */
  save: (revision: number, values: Values<F>) => Promise<number>
  /** Loads the current version. */
  read: () => Promise<Version<F>>
  /** Whether a field would be saved with the same value; by default, whether its text is the same. */
  isSame?: (field: F, one: string, other: string) => boolean
  /** The version shown beside the form, if calls of the page other than `save` raise its revision. */
  shown?: () => Version<F> | null
}

/** The codes by which the server refuses values that are based on an earlier revision. */
const CONFLICTS: ReadonlySet<string> = new Set([
  'document_changed',
  'done_before',
  'profile_changed',
])

/**
 * Saves values with the revision on which they are based. If somebody has saved other values since,
 * nothing is overwritten: `$conflict` holds theirs until the user chooses.
 */
export function createWriting<F extends string>(options: WritingOptions<F>) {
  const { loaded, save, read, isSame = isSameText, shown } = options
  const $conflict = atom<Theirs<F> | null>(null)
  const differences = (one: Values<F>, other: Values<F>) =>
    (Object.keys(one) as F[]).filter((field) => !isSame(field, one[field], other[field]))

  let base = loaded
  let revision = revisionBefore(options)

  /** Whether a later version differs only in what the form does not contain, such as a picture. */
  const hasSameValues = (version: Version<F>) =>
    revision === base.revision && differences(base.values, version.values).length === 0

  function accept(version: Version<F>): void {
    base = version
    revision = version.revision
    $conflict.set(null)
  }

  function followShown(): void {
    const version = shown?.()
    if (version && version.revision > revision && hasSameValues(version)) accept(version)
  }

  async function put(values: Values<F>): Promise<void> {
    accept({ revision: await save(revision, values), values })
  }

  return {
    $conflict: readonlyType($conflict),
    /** The fields whose values differ. */
    differences,
    /** The revision on which the current values are based. */
    revision(): number {
      followShown()
      return revision
    },
    async save(values: Values<F>): Promise<void> {
      followShown()
      try {
        await put(values)
      } catch (error) {
        const { code, done } = problemOf(error)
        if (!CONFLICTS.has(code)) throw error
        const theirs = await read()
        // Somebody has saved the same values, so there is no conflict.
        if (differences(values, theirs.values).length === 0) return accept(theirs)
        if (hasSameValues(theirs)) {
          accept(theirs)
          return put(values)
        }
        $conflict.set({ ...theirs, ...done })
        throw error
      }
    },
    /** Chooses the values of this tab, which the next attempt saves. */
    keepMine(): void {
      const theirs = $conflict.get()
      if (theirs) accept(theirs)
    },
  }
}

/**
 * Unsaved values of an earlier visit are based on the revision of that visit, unless the server has them: then
 * they were saved, and that visit ended before it heard so.
 */
function revisionBefore<F extends string>({
  keepAs,
  loaded,
  isSame = isSameText,
}: WritingOptions<F>): number {
  const unsaved = readUnsaved(keepAs)
  const isSaved = Object.entries(unsaved?.values ?? {}).every(
    ([field, value]) =>
      field in loaded.values && isSame(field as F, String(value), loaded.values[field as F]),
  )
  return isSaved ? loaded.revision : (unsaved?.revision ?? loaded.revision)
}

const isSameText = (_: string, one = '', other = '') => one.trim() === other.trim()
