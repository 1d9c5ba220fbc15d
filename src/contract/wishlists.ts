import { array, boolean, type Infer, nullable, object, optional, string, type } from 'superstruct'
import { defineCall } from './call.ts'
import { CoverMapping } from './names.ts'
import { dinarAmount, id, moment, nothing } from './values.ts'

/** A wishlist entry, newest first in the list; prices in dinars. */
export const WishlistEntry = type({
  createdAt: moment(),
  document: type({
    id: id(),
    title: string(),
    price: dinarAmount(),
    /** The fields after the teacher are specific to our backend; others may lack them. */
    priceDiscount: optional(nullable(dinarAmount())),
    filePath: nullable(string()),
    coverPath: optional(nullable(string())),
    coverMapping: nullable(CoverMapping),
    teacher: type({ username: string(), latinName: optional(string()) }),
    matiereCode: optional(nullable(string())),
  }),
})
export type WishlistEntry = Infer<typeof WishlistEntry>

const item = object({ userId: id(), documentId: id() })

/** Puts a document on the wishlist; a document that is already there is not added again. */
export const addToWishlist = defineCall('POST /wishlist/add', 'user', {
  query: item,
  result: nothing(),
  errors: ['forbidden', 'document_not_found', 'wishlist_full'],
})
/** Takes a document off the wishlist; it is not an error if it is not there. */
export const removeFromWishlist = defineCall('DELETE /wishlist/remove', 'user', {
  body: item,
  result: nothing(),
  errors: ['forbidden'],
})
export const getWishlist = defineCall('GET /wishlist/:userId', 'user', {
  params: object({ userId: id() }),
  result: array(WishlistEntry),
  errors: ['forbidden'],
})
export const isInWishlist = defineCall('GET /wishlist/is-in-wishlist', 'user', {
  query: item,
  result: boolean(),
  errors: ['forbidden'],
})
