import type { PurchasedDocument } from '../../contract/library.ts'
import { $session } from '../account/session.ts'
import { openDocuments } from './documents-cache.ts'
import { dropForeignDocuments } from './phone.ts'
import { canKeep } from './shells.ts'

/** The list of what an account bought, as it last came; `at` in ms since 1970. */
export interface KeptList {
  at: number
  documents: PurchasedDocument[]
}

const ADDRESS = '/kept/list'

/** Keeps the list where the shop's worker is, without which no page shows it. */
export async function keepList(userId: number, documents: PurchasedDocument[]): Promise<void> {
  if (!canKeep() || !navigator.serviceWorker.controller) return
  const list: KeptList = { at: Date.now(), documents }
  const cache = await openDocuments(userId)
  // The session may have ended while the list was on its way; opening the cache has brought it back then.
  if ($session.get()?.userId !== userId) return dropForeignDocuments($session.get()?.userId)
  await cache.put(ADDRESS, Response.json(list))
}

/** The kept list of an account, or null. */
export async function keptList(userId: number): Promise<KeptList | null> {
  if (!canKeep()) return null
  const found = await (await openDocuments(userId)).match(ADDRESS)
  const list: Partial<KeptList> | undefined = await found?.json()
  return Array.isArray(list?.documents) && typeof list.at === 'number' ? (list as KeptList) : null
}
