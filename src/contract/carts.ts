import * as s from 'superstruct'
import { BundlePart } from './bundle-part.ts'
import { defineCall } from './call.ts'
import { CoverMapping } from './references.ts'
import {
  dinarAmount,
  extra,
  fromOther,
  id,
  nothing,
  ours,
  oursOrNull,
  saidMoment,
  sessionId,
  textOrNone,
} from './values.ts'

/** A price in a cart has 2 decimals; what is no price is 0. */
const readPrice = (value: unknown) =>
  typeof value === 'number' ? Math.round(value * 100) / 100 : value

/** A document as a cart keeps it. */
export const KeptInCart = s.type({
  id: id(),
  title: textOrNone(),
  price: ours(dinarAmount(), 0, readPrice),
  priceDiscount: ours(s.nullable(dinarAmount()), null),
  coverPath: extra(s.nullable(s.string())),
  livrePath: extra(s.nullable(s.string())),
  coverMapping: extra(s.nullable(CoverMapping)),
  matiereCode: extra(s.nullable(s.string())),
  /** The bundle with which it was put there, while that is for sale. */
  bundle: extra(BundlePart),
})

/** A server cart entry; prices in dinars. */
export const CartEntry = s.type({ document: KeptInCart })
export type CartEntry = s.Infer<typeof CartEntry>

const ofUser = s.object({ userId: id() })
const ofSession = s.object({ sessionId: sessionId() })
const item = s.object({ userId: id(), documentId: id() })
/** The cart after a change; null from a backend that does not answer with it. */
const changedCart = oursOrNull(s.array(CartEntry))

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
 * call fills. `bundleId`: the bundle of which it is bought; one that does not have it is ignored.
 */
export const addToCart = defineCall('POST /carts/add', 'anyone', {
  query: s.refine(
    s.object({
      userId: s.optional(id()),
      sessionId: s.optional(sessionId()),
      documentId: id(),
      bundleId: s.optional(id()),
    }),
    'one owner',
    ({ userId, sessionId }) =>
      (userId === undefined) !== (sessionId === undefined) || { path: ['userId'], value: userId },
  ),
  result: changedCart,
  errors: ['authentication_required', 'forbidden', 'document_not_found', 'cart_full'],
})
export const removeFromCart = defineCall('DELETE /carts/remove', 'user', {
  query: item,
  result: changedCart,
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

const Wish = s.type({
  createdAt: saidMoment(),
  document: s.type({
    id: id(),
    title: textOrNone(),
    price: dinarAmount(),
    priceDiscount: extra(s.nullable(dinarAmount())),
    filePath: ours(s.nullable(s.string()), null),
    coverPath: extra(s.nullable(s.string())),
    coverMapping: ours(s.nullable(CoverMapping), null),
    teacher: ours(s.type({ username: textOrNone(), latinName: extra(s.string()) }), {
      username: '',
    }),
    matiereCode: extra(s.nullable(s.string())),
  }),
})

/** A wishlist entry, newest first in the list; prices in dinars. */
export const WishlistEntry = fromOther(Wish, (value) =>
  // Other backends may list the documents themselves.
  'document' in Object(value) ? value : { document: value },
)
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
