import { atom, readonlyType } from 'nanostores'
import type { BulkChangeForm, BulkChangeView } from '../../../contract/office-bulk-changes.ts'
import * as bulk from '../../../contract/office-bulk-changes.ts'
import { ask } from '../../kit/backend.ts'
import { resource } from '../../kit/loader.ts'
import { allDocumentsTable, chosenDocuments, pickNone } from './all-documents.ts'

const $view = atom<BulkChangeView | null>(null)
/** The previewed or applied change that the page shows; null if there is none. */
export const $change = readonlyType($view)

export async function previewChange(change: BulkChangeForm): Promise<void> {
  const body = { chosen: chosenDocuments(), change }
  $view.set(await ask(bulk.previewBulkChange, { body }))
}

/** Applies a previewed change; repeating the call has no effect. Throws an `ApiError`. */
export async function applyChange({ id }: BulkChangeView, reason: string): Promise<void> {
  $view.set(await ask(bulk.applyBulkChange, { params: { id }, body: { reason } }))
  pickNone()
  refresh()
}

export async function undoChange(id: number, reason: string): Promise<void> {
  try {
    $view.set(await ask(bulk.undoBulkChange, { params: { id }, body: { reason } }))
  } finally {
    refresh()
  }
}

export const forgetChange = (): void => $view.set(null)

const changes = resource(bulk.listBulkChanges)
export const { $state: $changes, load: loadChanges } = changes

function refresh(): void {
  allDocumentsTable.refresh()
  void changes.refresh()
}
