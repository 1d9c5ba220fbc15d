import type { WishlistEntry } from '../../contract/wishlists.ts'
import { inDinars } from '../../rules/money.ts'
import { presentMappingOf } from '../catalogue/cover-mappings.ts'
import type { WishRow } from './wishlists.ts'

/** A wish on the wire, in dinars. Where the file lies is nobody's business: `filePath` is null. */
export function presentWish(row: WishRow): WishlistEntry {
  return {
    createdAt: row.added_at.toISOString(),
    document: {
      id: row.id,
      title: row.title,
      price: inDinars(row.price),
      priceDiscount: row.price_discount === null ? null : inDinars(row.price_discount),
      filePath: null,
      coverPath: row.cover_path,
      coverMapping: presentMappingOf(row),
      teacher: { username: row.teacher_name },
      matiereCode: row.matiere_code,
    },
  }
}
