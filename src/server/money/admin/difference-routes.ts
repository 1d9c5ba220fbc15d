import * as calls from '../../../contract/office-transfers.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { pageOf } from '../../http/page-of.ts'
import { type Route, route } from '../../http/route.ts'
import { actingOf } from '../acting.ts'
import { askAboutPayment, bookDifference, closeDifference } from '../differences/decide.ts'
import { listDifferences, readDifference } from '../differences/read.ts'

/** The calls about payments on which the gateway and the shop's records differ. */
export const differenceRoutes: Route[] = [
  route(calls.listDifferences, async ({ input: { query }, deps }) => {
    const { page = 0, size = PAGE_SIZE, state = 'open' } = query
    const filter = { isOpen: state === 'open', page, size }
    const { differences, total } = await listDifferences(deps.database.kysely, filter)
    return pageOf(differences, { total, page, size })
  }),

  route(calls.askAboutPayment, ({ input: { params }, deps }) =>
    askAboutPayment(deps, params.paymentRef),
  ),

  route(calls.bookDifference, async ({ input, user, key, deps }) => {
    const acting = actingOf(calls.bookDifference, { user, key, input })
    const id = await bookDifference(deps, input.params.id, acting)
    return readDifference(deps.database.kysely, id)
  }),

  route(calls.closeDifference, async ({ input: { params, body }, user, deps }) => {
    const acting = { actor: user.actor }
    const id = await closeDifference(deps, { ...params, ...body }, acting)
    return readDifference(deps.database.kysely, id)
  }),
]
