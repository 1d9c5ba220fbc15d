import { atom, readonlyType } from 'nanostores'
import * as officeDocuments from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { problemOf } from '../../shared/problem.ts'
import { ask } from '../backend.ts'
import { forgetKept, keep, kept } from '../kept.ts'
import { $own, readPage, showDocument } from './own.ts'
import { differences, type TextValues, textOf, valuesOf } from './text.ts'

/** The name under which the unsaved text of a document is kept in this browser. */
export const keptTextOf = (id: number) => `document-${id}`

/**
 * Saves the text of a document over the revision that it was written over. Where another tab or
 * device has saved another text meanwhile, nothing is written over: `$conflict` has the other one
 * until somebody chooses.
 */
export function createWriting(document: OwnDocument) {
  const { id } = document
  const keepAs = keptTextOf(id)
  const revisionAs = `${keepAs}-revision`
  const $conflict = atom<OwnDocument | null>(null)
  // Text of an earlier visit was written over the revision of that visit.
  const earlier = kept(keepAs) === undefined ? undefined : kept(revisionAs)
  let base = document
  let revision = typeof earlier === 'number' ? earlier : document.revision

  /** Whether the text, before anything was typed here, is that of another revision too. */
  const isTextSame = (other: OwnDocument) =>
    revision === base.revision && differences(other, valuesOf(base, '.')).length === 0

  /** Follows what this page shows, where only its file, cover or state has changed. */
  function followShown(): void {
    const shown = $own.get()
    if (shown.phase !== 'ready') return
    const next = shown.value.document
    if (next.id === id && next.revision > revision && isTextSame(next)) accept(next)
  }

  async function put(values: TextValues): Promise<void> {
    const input = { params: { id }, body: { revision, ...textOf(values) } }
    const saved = await ask(officeDocuments.saveOwnDocument, input)
    accept(saved)
    showDocument(saved)
  }

  function accept(next: OwnDocument): void {
    base = next
    revision = next.revision
    forgetKept(revisionAs)
    $conflict.set(null)
  }

  return {
    keepAs,
    $conflict: readonlyType($conflict),
    /** Notes what the text that is being typed is written over. */
    noteChange(): void {
      followShown()
      keep(revisionAs, revision)
    },
    async save(values: TextValues): Promise<void> {
      followShown()
      try {
        await put(values)
      } catch (error) {
        if (problemOf(error).code !== 'document_changed') throw error
        const { document: theirs } = await readPage(id)
        if (isTextSame(theirs)) {
          // Only its file, cover or state has changed.
          accept(theirs)
          return put(values)
        }
        // The other tab may have forgotten what this one had kept.
        keep(keepAs, values)
        keep(revisionAs, revision)
        $conflict.set(theirs)
        throw error
      }
    },
    /** Lets the text of this tab stand over the other one; it is saved by the next try. */
    keepMine(): void {
      const theirs = $conflict.get()
      if (theirs) accept(theirs)
    },
    /** Forgets the text of this tab: the page is to be loaded again. */
    takeTheirs(): void {
      forgetKept(keepAs)
      forgetKept(revisionAs)
    },
  }
}

export type Writing = ReturnType<typeof createWriting>
