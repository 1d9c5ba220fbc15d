import { computed, readonlyType } from 'nanostores'
import type { PurchasedDocument } from '../../contract/library.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { logOnly } from '../shared/problem.ts'
import { $ownedIds } from '../user-data/user-data.ts'

/** As the server last returned them; empty when logged out or unknown. */
export const $owned = readonlyType(computed($ownedIds, (ids) => new Set(ids)))

/** Newest first; remembers their ids. */
export async function readPurchased(): Promise<PurchasedDocument[]> {
  const userId = $session.get()?.userId
  const documents = await ask(({ library }) => library.listPurchased, {})
  if (userId !== undefined && $session.get()?.userId === userId) {
    $ownedIds.set(documents.map(({ documentId }) => documentId))
  }
  return documents
}

/** Remembers what the server has just said; loads all if none are known. */
export function rememberOwned(
  documents: readonly { readonly id: number; readonly isOwned: boolean }[],
): void {
  const known = $ownedIds.get()
  if (known === null) return void loadOwned()
  const owned = new Set(known)
  for (const { id, isOwned } of documents) owned[isOwned ? 'add' : 'delete'](id)
  $ownedIds.set([...owned])
}

/** Updates `$owned`; a failure is only logged. */
export async function loadOwned(): Promise<void> {
  if ($session.get()) await readPurchased().catch(logOnly('owned documents'))
}

export async function loadOwnedOnce(): Promise<void> {
  if ($ownedIds.get() === null) await loadOwned()
}
