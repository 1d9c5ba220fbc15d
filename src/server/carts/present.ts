import type { CartEntry } from '../../contract/carts.ts'
import { type KeptDocument, presentKept } from '../catalogue/catalogue.ts'

/** A cart's row on the wire. */
export function presentEntry(row: KeptDocument): CartEntry {
  return { document: { ...presentKept(row), livrePath: row.livrePath } }
}
