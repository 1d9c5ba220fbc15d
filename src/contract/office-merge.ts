import { array, type Infer, integer, object, type } from 'superstruct'
import { defineCall } from './call.ts'
import { ACCOUNT_REASON_MAX_LENGTH, Person } from './office-people.ts'
import { byId, dinarAmount, id, text } from './values.ts'

/** What a merge moves from one customer's account to another of the same family. */
const Moved = {
  balance: dinarAmount(),
  orders: integer(),
  /** Open payments, whose money would go to the remaining account. */
  openPayments: integer(),
  documents: integer(),
  /**
   * Documents that both have bought: one of them keeps the access, and neither price is refunded.
   */
  duplicates: array(type({ id: id(), title: text(0, 1000), price: dinarAmount() })),
  ratings: integer(),
  /** The number of ratings that are deleted because the remaining account has rated the same. */
  droppedRatings: integer(),
  wishes: integer(),
  cartItems: integer(),
  conversations: integer(),
}

/** What a merge would move now, and both accounts. */
export const MergePreview = type({ from: Person, into: Person, ...Moved })
export type MergePreview = Infer<typeof MergePreview>

const MERGE_ERRORS = ['user_not_found', 'not_two_customers', 'done_before'] as const

export const previewMerge = defineCall('GET /office/admin/people/:id/merge', 'admin', {
  /** The account that remains. */
  params: byId,
  query: object({ from: id() }),
  result: MergePreview,
  errors: MERGE_ERRORS,
})

/**
 * Moves everything from the account `fromId` to the remaining one, and closes `fromId` permanently.
 */
export const mergePeople = defineCall('POST /office/admin/people/:id/merge', 'admin', {
  idempotent: true,
  params: byId,
  body: object({ fromId: id(), reason: text(1, ACCOUNT_REASON_MAX_LENGTH) }),
  result: type(Moved),
  errors: [...MERGE_ERRORS, 'account_merged', 'idempotency_conflict'],
})
