import type { PurchasedDocument } from '../../contract/library.ts'
import { $session } from '../session/session.ts'
import { dropForeignDocuments } from '../user-data/phone.ts'
import { openDocuments } from './documents-cache.ts'
import { canKeep } from './shells.ts'

/** The last known list of what an account bought; `at` in ms since 1970. */
export interface KeptList {
  at: number
  documents: PurchasedDocument[]
}

const ADDRESS = '/kept/list'

/** Keeps the list if the shop's service worker is active, without which no page could show it. */
export async function keepList(userId: number, documents: PurchasedDocument[]): Promise<void> {
  if (!canKeep() || !navigator.serviceWorker.controller) return
  const list: KeptList = { at: Date.now(), documents }
  const cache = await openDocuments(userId)
  // The session may have ended while the list was being loaded; then opening the cache has
  // recreated it.
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
