import * as contract from '../../contract/office-ratings.ts'
import { fault } from '../http/errors.ts'
import { pageOf } from '../http/page-of.ts'
import { type Route, route } from '../http/route.ts'
import { findRatings, presentShopRating } from './find-ratings.ts'
import { setHidden } from './moderation.ts'
import type { RatingRow } from './read-ratings.ts'

/** The ratings of the whole shop, for administrators. */
export const moderationRoutes: Route[] = [
  route(contract.listAllRatings, async ({ input: { query }, deps }) => {
    const { rows, ...at } = await findRatings(deps.database, query)
    return pageOf(rows.map(presentShopRating), at)
  }),
  route(contract.hideRating, async ({ input: { params, body }, user, deps }) => {
    const by = { actor: user.actor, reason: body.reason }
    return shown(await setHidden(deps, params.id, by))
  }),
  route(contract.showRating, async ({ input: { params }, user, deps }) =>
    shown(await setHidden(deps, params.id, { actor: user.actor, reason: null })),
  ),
]

function shown(row: RatingRow | null): contract.ShopRating {
  if (!row) throw fault('not_found')
  return presentShopRating(row)
}
