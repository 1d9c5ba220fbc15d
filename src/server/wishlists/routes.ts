import * as calls from '../../contract/carts.ts'
import { presentKept } from '../catalogue/catalogue.ts'
import { requireSelf } from '../http/identity.ts'
import { type Route, route } from '../http/route.ts'
import { addWish, isWished, readWishlist, removeWish, type WishRow } from './wishlists.ts'

/** `filePath` is null, since the place of the file must not leave the server. */
const presentWish = (row: WishRow): calls.WishlistEntry => ({
  createdAt: row.addedAt.toISOString(),
  document: {
    ...presentKept(row),
    filePath: null,
    teacher: {
      username: row.teacherName,
      ...(row.teacherLatinName && { latinName: row.teacherLatinName }),
    },
  },
})

export const wishlistRoutes: Route[] = [
  route(calls.addToWishlist, async ({ input, user, deps }) => {
    requireSelf(user, input.query.userId)
    await addWish(deps.database, user.id, input.query.documentId)
  }),
  route(calls.removeFromWishlist, async ({ input, user, deps }) => {
    requireSelf(user, input.body.userId)
    await removeWish(deps.database.kysely, user.id, input.body.documentId)
  }),
  route(calls.getWishlist, async ({ input, user, deps }) => {
    requireSelf(user, input.params.userId)
    return (await readWishlist(deps.database.kysely, user.id)).map(presentWish)
  }),
  route(calls.isInWishlist, async ({ input, user, deps }) => {
    requireSelf(user, input.query.userId)
    return isWished(deps.database.kysely, user.id, input.query.documentId)
  }),
]
