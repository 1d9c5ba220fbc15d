import * as contract from '../../contract/office-shared-bundles.ts'
import { PAGE_SIZE } from '../../rules/pager.ts'
import { pageOf, type Route, route } from '../http/route.ts'
import { answer, end, offer, presentAsked, readShared } from './shared.ts'

/** Bundles of several teachers: administrators offer them, and each teacher answers. */
export const sharedBundleRoutes: Route[] = [
  route(contract.listSharedBundles, async ({ input, deps }) => {
    const { page = 0, size = PAGE_SIZE } = input.query
    const { bundles, total } = await readShared(deps.database.kysely, { page, size })
    return pageOf(bundles, { total, page, size })
  }),
  route(contract.offerBundle, ({ input: { body }, user, deps }) => offer(deps, user.actor, body)),
  route(contract.changeSharedBundle, ({ input: { params, body }, user, deps }) => {
    const { revision, ...offered } = body
    return offer(deps, user.actor, offered, { id: params.id, revision })
  }),
  route(contract.stopSharedBundle, ({ input: { params }, user, deps }) =>
    end(deps, user.actor, params.id),
  ),
  route(contract.listAskedBundles, async ({ input, user: { teacherId }, deps }) => {
    const { page = 0, size = PAGE_SIZE } = input.query
    const asked = await readShared(deps.database.kysely, { teacherId, page, size })
    const { bundles, total, awaiting } = asked
    return { ...pageOf(bundles.map(presentAsked), { total, page, size }), awaiting }
  }),
  route(contract.answerBundle, ({ input: { params, body }, user, deps, limits }) => {
    limits.bound('bundle', user.teacherId)
    return answer(deps, { ...params, ...body, teacherId: user.teacherId, actor: user.actor })
  }),
]
