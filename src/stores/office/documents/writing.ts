import { atom, readonlyType } from 'nanostores'
import * as officeDocuments from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { problemOf } from '../../shared/problem.ts'
import { ask } from '../backend.ts'
import { readUnsaved } from '../saving.ts'
import { $own, readPage, showDocument } from './own.ts'
import { differences, type TextValues, textOf, valuesOf } from './text.ts'

/**
 * Saves the text of a document over the revision that it was written over. Where another tab or
 * device has saved another text meanwhile, nothing is written over: `$conflict` has the other one
 * until somebody chooses.
 */
export function createWriting(document: OwnDocument) {
  const { id } = document
  const keepAs = `document-${id}`
  const $conflict = atom<OwnDocument | null>(null)
  // Text of an earlier visit was written over the revision of that visit.
  let base = document
  let revision = readUnsaved(keepAs)?.revision ?? document.revision

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
    $conflict.set(null)
  }

  return {
    keepAs,
    $conflict: readonlyType($conflict),
    /** What the text is written over that is being typed. */
    revision(): number {
      followShown()
      return revision
    },
    async save(values: TextValues): Promise<void> {
      followShown()
      try {
        await put(values)
      } catch (error) {
        if (problemOf(error).code !== 'document_changed') throw error
        const { document: theirs } = await readPage(id)
        if (differences(theirs, values).length === 0) {
          // Two tabs with the same text agree.
          accept(theirs)
          return showDocument(theirs)
        }
        if (isTextSame(theirs)) {
          // Only its file, cover or state has changed.
          accept(theirs)
          return put(values)
        }
        $conflict.set(theirs)
        throw error
      }
    },
    /** Lets the text of this tab stand over the other one; it is saved by the next try. */
    keepMine(): void {
      const theirs = $conflict.get()
      if (theirs) accept(theirs)
    },
  }
}

export type Writing = ReturnType<typeof createWriting>
