import * as calls from '../../contract/carts.ts'
import { presentKept } from '../catalogue/catalogue.ts'
import { fault } from '../http/errors.ts'
import { requireSelf } from '../http/identity.ts'
import { type Route, route, type User } from '../http/route.ts'
import {
  addToCart,
  type CartDocument,
  clearCart,
  type Owner,
  readCart,
  removeFromCart,
} from './carts.ts'

const presentEntry = (row: CartDocument): calls.CartEntry => ({
  document: {
    ...presentKept(row),
    livrePath: row.livrePath,
    ...(row.bundle && { bundle: row.bundle }),
  },
})

/**
 * Carts: those of customers, and those of anonymous visitors, which everyone who knows the session
 * id may read and change. A cart may contain an owned document; a purchase leaves it out.
 */
export const cartRoutes: Route[] = [
  route(calls.getCart, async ({ input, user, deps }) => {
    requireSelf(user, input.params.userId)
    return (await readCart(deps.database.kysely, { userId: user.id })).map(presentEntry)
  }),
  route(calls.getAnonymousCart, async ({ input, deps }) =>
    (await readCart(deps.database.kysely, input.params)).map(presentEntry),
  ),
  route(calls.addToCart, async ({ input, user, deps, limits }) => {
    const owner = ownerOf(input.query, user)
    if ('sessionId' in owner) limits.bound('anonymousCart')
    const { documentId, bundleId } = input.query
    const { cart, isNew } = await addToCart(deps.database, owner, documentId, bundleId)
    if (isNew) deps.visits.add('cart')
    return cart.map(presentEntry)
  }),
  route(calls.removeFromCart, async ({ input, user, deps }) => {
    requireSelf(user, input.query.userId)
    const cart = await removeFromCart(
      deps.database.kysely,
      { userId: user.id },
      input.query.documentId,
    )
    return cart.map(presentEntry)
  }),
  route(calls.clearCart, async ({ input, user, deps }) => {
    requireSelf(user, input.params.userId)
    await clearCart(deps.database.kysely, { userId: user.id })
  }),
  route(calls.clearAnonymousCart, async ({ input, deps }) => {
    await clearCart(deps.database.kysely, input.params)
  }),
]

/** The contract guarantees that one of the two is given. */
function ownerOf(query: { userId?: number; sessionId?: string }, user: User | null): Owner {
  if (query.sessionId !== undefined) return { sessionId: query.sessionId }
  if (!user) throw fault('authentication_required')
  requireSelf(user, query.userId ?? 0)
  return { userId: user.id }
}
