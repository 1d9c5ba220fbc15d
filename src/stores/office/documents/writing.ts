import { atom, readonlyType } from 'nanostores'
import * as officeDocuments from '../../../contract/office-documents.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { problemOf } from '../../shared/problem.ts'
import { ask } from '../backend.ts'
import { readUnsaved } from '../saving.ts'
import { $own, readPage, showDocument } from './own.ts'
import { differences, type TextValues, textOf, valuesOf } from './text.ts'

/**
 * Saves the text of a document with the revision on which it is based. If another tab or device has
 * saved a different text since, nothing is overwritten: `$conflict` holds that text until the user
 * chooses one.
 */
export function createWriting(document: OwnDocument) {
  const { id } = document
  const keepAs = `document-${id}`
  const $conflict = atom<OwnDocument | null>(null)
  // Unsaved text of an earlier visit is based on the revision of that visit.
  let base = document
  let revision = readUnsaved(keepAs)?.revision ?? document.revision

  /** Whether a document still has the text on which this page's text is based. */
  const isTextSame = (other: OwnDocument) =>
    revision === base.revision && differences(other, valuesOf(base, '.')).length === 0

  /**
   * Adopts the revision of the shown document if only its file, cover or state has changed.
   */
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
    /** The revision on which the current text is based. */
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
          // The other tab has saved the same text, so there is no conflict.
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
    /** Chooses the text of this tab, which the next attempt saves. */
    keepMine(): void {
      const theirs = $conflict.get()
      if (theirs) accept(theirs)
    },
  }
}
