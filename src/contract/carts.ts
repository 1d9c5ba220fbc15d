import {
  array,
  boolean,
  type Infer,
  nullable,
  object,
  optional,
  refine,
  string,
  type,
} from 'superstruct'
import { defineCall } from './call.ts'
import { CoverMapping } from './references.ts'
import { dinarAmount, id, moment, nothing, sessionId } from './values.ts'

/** A server cart entry; prices in dinars. */
export const CartEntry = type({
  document: type({
    id: id(),
    title: string(),
    price: dinarAmount(),
    priceDiscount: nullable(dinarAmount()),
    /** The fields from here on are specific to our backend; others may lack them. */
    coverPath: optional(nullable(string())),
    livrePath: optional(nullable(string())),
    coverMapping: optional(nullable(CoverMapping)),
    matiereCode: optional(nullable(string())),
  }),
})
export type CartEntry = Infer<typeof CartEntry>

const ofUser = object({ userId: id() })
const ofSession = object({ sessionId: sessionId() })
const item = object({ userId: id(), documentId: id() })

export const getCart = defineCall('GET /carts/user/:userId', 'user', {
  params: ofUser,
  result: array(CartEntry),
  errors: ['forbidden'],
})
export const getAnonymousCart = defineCall('GET /carts/anonymous/:sessionId', 'anyone', {
  params: ofSession,
  result: array(CartEntry),
})

/**
 * Puts a document into a cart; a document that is already there is not added again. With `userId`
 * the caller must be that user. With `sessionId` it goes into that anonymous cart, which no other
 * call fills.
 */
export const addToCart = defineCall('POST /carts/add', 'anyone', {
  query: refine(
    object({ userId: optional(id()), sessionId: optional(sessionId()), documentId: id() }),
    'one owner',
    ({ userId, sessionId }) =>
      (userId === undefined) !== (sessionId === undefined) || { path: ['userId'], value: userId },
  ),
  result: array(CartEntry),
  errors: ['authentication_required', 'forbidden', 'document_not_found', 'cart_full'],
})
export const removeFromCart = defineCall('DELETE /carts/remove', 'user', {
  query: item,
  result: array(CartEntry),
  errors: ['forbidden'],
})
export const clearCart = defineCall('DELETE /carts/clear/:userId', 'user', {
  params: ofUser,
  result: nothing(),
  errors: ['forbidden'],
})
export const clearAnonymousCart = defineCall('DELETE /carts/clear/anonymous/:sessionId', 'anyone', {
  params: ofSession,
  result: nothing(),
})

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
