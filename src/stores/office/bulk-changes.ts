import { atom, readonlyType } from 'nanostores'
import type {
  BulkChangeForm,
  BulkChangeView,
  ListedBulkChange,
} from '../../contract/office-bulk-changes.ts'
import * as bulk from '../../contract/office-bulk-changes.ts'
import { allDocumentsTable, chosenDocuments, pickNone } from './all-documents.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'

const $view = atom<BulkChangeView | null>(null)
/** The change that the page is about, from its preview on; null: none yet. */
export const $change = readonlyType($view)

/** Works out what a change would do to the documents that are picked. Throws an `ApiError`. */
export async function previewChange(change: BulkChangeForm): Promise<void> {
  const body = { chosen: chosenDocuments(), change }
  $view.set(await ask(bulk.previewBulkChange, { body }))
}

/** Does what was previewed; a repetition does it once. Throws an `ApiError`. */
export async function applyChange({ id }: BulkChangeView, reason: string): Promise<void> {
  $view.set(await ask(bulk.applyBulkChange, { params: { id }, body: { reason } }))
  pickNone()
  refresh()
}

/** Gives documents back what they had before. Throws an `ApiError`. */
export async function undoChange(id: number, reason: string): Promise<void> {
  try {
    $view.set(await ask(bulk.undoBulkChange, { params: { id }, body: { reason } }))
  } finally {
    refresh()
  }
}

/** Forgets a preview, or what was done. */
export const forgetChange = (): void => $view.set(null)

const reading = createLoader<readonly ListedBulkChange[]>('changes of documents')
/** The newest changes that were applied. */
export const $changes = reading.$state
export const loadChanges = (): Promise<void> => reading.load(() => ask(bulk.listBulkChanges, {}))

function refresh(): void {
  allDocumentsTable.refresh()
  void reading.refresh(() => ask(bulk.listBulkChanges, {}))
}
