import { array, type Infer, integer, object, type } from 'superstruct'
import { defineCall } from './call.ts'
import { ACCOUNT_REASON_MAX_LENGTH, Person } from './office-people.ts'
import { dinarAmount, id, text } from './values.ts'

/** What moves from one customer's account to another one of the family. */
const Moved = {
  balance: dinarAmount(),
  orders: integer(),
  /** Payments that may still bring money; it will be the account's that stays. */
  openPayments: integer(),
  documents: integer(),
  /** Bought by both: one grant stays, and the lower price is not given back by itself. */
  duplicates: array(type({ id: id(), title: text(0, 1000), price: dinarAmount() })),
  ratings: integer(),
  /** Of what the account that stays has rated itself: they go. */
  droppedRatings: integer(),
  wishes: integer(),
  cartItems: integer(),
  conversations: integer(),
}

/** What a merge would move now, and the accounts as they are. */
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

/** Gives everything of the account `fromId` to the one that stays, and closes it for good. */
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
