import type { WishlistEntry } from '../../contract/wishlists.ts'
import { presentKept } from '../catalogue/catalogue.ts'
import type { WishRow } from './wishlists.ts'

/** A wish on the wire. Where the file lies stays on the server: `filePath` is null. */
export function presentWish(row: WishRow): WishlistEntry {
  return {
    createdAt: row.addedAt.toISOString(),
    document: { ...presentKept(row), filePath: null, teacher: { username: row.teacherName } },
  }
}
