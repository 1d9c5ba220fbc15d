import type { WishlistEntry } from '../../contract/wishlists.ts'
import { inDinars } from '../../rules/money.ts'
import { presentMappingOf } from '../catalogue/catalogue.ts'
import type { WishRow } from './wishlists.ts'

/** A wish on the wire, in dinars. Where the file lies is nobody's business: `filePath` is null. */
export function presentWish(row: WishRow): WishlistEntry {
  return {
    createdAt: row.addedAt.toISOString(),
    document: {
      id: row.id,
      title: row.title,
      price: inDinars(row.price),
      priceDiscount: row.priceDiscount === null ? null : inDinars(row.priceDiscount),
      filePath: null,
      coverPath: row.coverPath,
      coverMapping: presentMappingOf(row),
      teacher: { username: row.teacherName },
      matiereCode: row.matiereCode,
    },
  }
}
