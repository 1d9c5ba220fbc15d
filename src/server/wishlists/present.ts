import type { WishlistEntry } from '../../contract/wishlists.ts'
import { inDinars } from '../../rules/money.ts'
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
      coverMapping:
        row.cover_mapping_id === null
          ? null
          : {
              coverPath: row.mapping_cover_path,
              livrePath: row.mapping_livre_path,
              color: row.mapping_color,
            },
      teacher: { username: row.teacher_name },
      matiereCode: row.matiere_code,
    },
  }
}
