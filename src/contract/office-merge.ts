import { array, type Infer, integer, object, type } from 'superstruct'
import { defineCall } from './call.ts'
import { ACCOUNT_REASON_MAX_LENGTH, Person } from './office-people.ts'
import { dinarAmount, id, text } from './values.ts'

/** What moves from one customer's account to another of the family. */
const Moved = {
  balance: dinarAmount(),
  orders: integer(),
  /** Payments that may still bring money, which then goes to the staying account. */
  openPayments: integer(),
  documents: integer(),
  /** Documents bought by both: one grant stays, and neither price is refunded. */
  duplicates: array(type({ id: id(), title: text(0, 1000), price: dinarAmount() })),
  ratings: integer(),
  /** Ratings of what the staying account has rated itself: they are dropped. */
  droppedRatings: integer(),
  wishes: integer(),
  cartItems: integer(),
  conversations: integer(),
}

/** What a merge would move now, with both accounts. */
export const MergePreview = type({ from: Person, into: Person, ...Moved })
export type MergePreview = Infer<typeof MergePreview>

const MERGE_ERRORS = ['user_not_found', 'not_two_customers', 'done_before'] as const

export const previewMerge = defineCall({
  method: 'GET',
  path: '/office/admin/people/:id/merge',
  caller: 'admin',
  /** The account that stays. */
  params: object({ id: id() }),
  query: object({ from: id() }),
  result: MergePreview,
  errors: MERGE_ERRORS,
})

/** Moves everything of the account `fromId` to the one that stays, and closes it for good. */
export const mergePeople = defineCall({
  method: 'POST',
  path: '/office/admin/people/:id/merge',
  caller: 'admin',
  idempotent: true,
  params: object({ id: id() }),
  body: object({ fromId: id(), reason: text(1, ACCOUNT_REASON_MAX_LENGTH) }),
  result: type(Moved),
  errors: [...MERGE_ERRORS, 'account_merged', 'idempotency_conflict'],
})
