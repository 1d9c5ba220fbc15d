import type { CartEntry } from '../../contract/carts.ts'
import { inDinars } from '../../rules/money.ts'
import { presentMappingOf } from '../catalogue/catalogue.ts'
import type { CartRow } from './carts.ts'

/** A cart's row on the wire, in dinars. */
export function presentEntry(row: CartRow): CartEntry {
  return {
    document: {
      id: row.id,
      title: row.title,
      price: inDinars(row.price),
      priceDiscount: row.priceDiscount === null ? null : inDinars(row.priceDiscount),
      coverPath: row.coverPath,
      livrePath: row.livrePath,
      coverMapping: presentMappingOf(row),
      matiereCode: row.matiereCode,
    },
  }
}
