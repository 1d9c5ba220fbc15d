import { array, type Infer, nullable, object, optional, refine, string, type } from 'superstruct'
import { defineCall } from './call.ts'
import { CoverMapping } from './names.ts'
import { dinarAmount, id, nothing, sessionId } from './values.ts'

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
