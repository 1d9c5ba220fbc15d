import { array, enums, type Infer, nullable, string, type } from 'superstruct'
import { dinarAmount, id, moment, signedDinars } from './values.ts'

/** The kinds of movements of a wallet. */
const HISTORY_KINDS = ['top_up', 'purchase', 'refund', 'adjustment', 'merge'] as const

/** A movement in the wallet's history; `amount` is in dinars, negative if money left the wallet. */
export const HistoryEntry = type({
  id: id(),
  createdAt: moment(),
  kind: enums(HISTORY_KINDS),
  amount: signedDinars(),
  balanceAfter: dinarAmount(),
  orderId: nullable(id()),
  /** The documents that were bought or refunded. */
  documents: array(type({ id: id(), title: string() })),
})
export type HistoryEntry = Infer<typeof HistoryEntry>
