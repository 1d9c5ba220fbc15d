import * as s from 'superstruct'
import { defineCall } from './call.ts'
import { CoverMapping } from './references.ts'
import { dinarAmount, id, moment, nothing, sessionId } from './values.ts'

/** A server cart entry; prices in dinars. */
export const CartEntry = s.type({
  document: s.type({
    id: id(),
    title: s.string(),
    price: dinarAmount(),
    priceDiscount: s.nullable(dinarAmount()),
    /** The fields from here on are specific to our backend; others may lack them. */
    coverPath: s.optional(s.nullable(s.string())),
    livrePath: s.optional(s.nullable(s.string())),
    coverMapping: s.optional(s.nullable(CoverMapping)),
    matiereCode: s.optional(s.nullable(s.string())),
  }),
})
export type CartEntry = s.Infer<typeof CartEntry>

const ofUser = s.object({ userId: id() })
const ofSession = s.object({ sessionId: sessionId() })
const item = s.object({ userId: id(), documentId: id() })

export const getCart = defineCall('GET /carts/user/:userId', 'user', {
  params: ofUser,
  result: s.array(CartEntry),
  errors: ['forbidden'],
})
export const getAnonymousCart = defineCall('GET /carts/anonymous/:sessionId', 'anyone', {
  params: ofSession,
  result: s.array(CartEntry),
})

/**
 * Puts a document into a cart; a document that is already there is not added again. With `userId`
 * the caller must be that user. With `sessionId` it goes into that anonymous cart, which no other
 * call fills.
 */
export const addToCart = defineCall('POST /carts/add', 'anyone', {
  query: s.refine(
    s.object({ userId: s.optional(id()), sessionId: s.optional(sessionId()), documentId: id() }),
    'one owner',
    ({ userId, sessionId }) =>
      (userId === undefined) !== (sessionId === undefined) || { path: ['userId'], value: userId },
  ),
  result: s.array(CartEntry),
  errors: ['authentication_required', 'forbidden', 'document_not_found', 'cart_full'],
})
export const removeFromCart = defineCall('DELETE /carts/remove', 'user', {
  query: item,
  result: s.array(CartEntry),
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
export const WishlistEntry = s.type({
  createdAt: moment(),
  document: s.type({
    id: id(),
    title: s.string(),
    price: dinarAmount(),
    /** The fields after the teacher are specific to our backend; others may lack them. */
    priceDiscount: s.optional(s.nullable(dinarAmount())),
    filePath: s.nullable(s.string()),
    coverPath: s.optional(s.nullable(s.string())),
    coverMapping: s.nullable(CoverMapping),
    teacher: s.type({ username: s.string(), latinName: s.optional(s.string()) }),
    matiereCode: s.optional(s.nullable(s.string())),
  }),
})
export type WishlistEntry = s.Infer<typeof WishlistEntry>

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
  params: s.object({ userId: id() }),
  result: s.array(WishlistEntry),
  errors: ['forbidden'],
})
export const isInWishlist = defineCall('GET /wishlist/is-in-wishlist', 'user', {
  query: item,
  result: s.boolean(),
  errors: ['forbidden'],
})
