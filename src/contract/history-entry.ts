import { array, enums, type Infer, nullable, string, type } from 'superstruct'
import { dinarAmount, id, moment, signedDinars } from './values.ts'

/** What moved a wallet's money. */
const HISTORY_KINDS = ['top_up', 'purchase', 'refund', 'adjustment', 'merge'] as const

/** One line of the wallet's history: `amount` is what it gained, in dinars; negative where it gave. */
export const HistoryEntry = type({
  id: id(),
  createdAt: moment(),
  kind: enums(HISTORY_KINDS),
  amount: signedDinars(),
  balanceAfter: dinarAmount(),
  orderId: nullable(id()),
  /** What was bought or refunded. */
  documents: array(type({ id: id(), title: string() })),
})
export type HistoryEntry = Infer<typeof HistoryEntry>
