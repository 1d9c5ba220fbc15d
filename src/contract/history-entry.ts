import * as s from 'superstruct'
import { dinarAmount, id, moment, signedDinars } from './values.ts'

/** The kinds of movements of a wallet. */
const HISTORY_KINDS = ['top_up', 'purchase', 'refund', 'adjustment', 'merge', 'return'] as const

/** A movement in the wallet's history; `amount` is in dinars, negative if money left the wallet. */
export const HistoryEntry = s.type({
  id: id(),
  createdAt: moment(),
  kind: s.enums(HISTORY_KINDS),
  amount: signedDinars(),
  balanceAfter: dinarAmount(),
  orderId: s.nullable(id()),
  /** The documents that were bought or refunded. */
  documents: s.array(s.type({ id: id(), title: s.string() })),
})
export type HistoryEntry = s.Infer<typeof HistoryEntry>
