import * as calls from '../../../contract/office-transfers.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { pageOf } from '../../http/page-of.ts'
import { type Route, route } from '../../http/route.ts'
import { actingOf } from '../acting.ts'
import { presentPerson } from '../find-people.ts'
import { confirmManual, type DecidedTransfer, refuseManual } from '../transfers.ts'
import { listTransfers, type TransferRow } from './list-transfers.ts'

/** The transfers that administrators confirm and refuse. */
export const transferRoutes: Route[] = [
  route(calls.listTransfers, async ({ input: { query }, deps }) => {
    const { page = 0, size = PAGE_SIZE, q, state = 'pending' } = query
    const filter = { q, state, page, size }
    const { transfers, total } = await listTransfers(deps.database.kysely, filter)
    return pageOf(transfers.map(present), { total, page, size })
  }),

  route(calls.confirmTransfer, async ({ input, user, key, deps }) => {
    const decision = { ...actingOf(calls.confirmTransfer, { user, key, input }), ...input.body }
    return presentDecided(await confirmManual(deps, input.params.paymentRef, decision))
  }),

  route(calls.refuseTransfer, async ({ input, user, key, deps }) => {
    const decision = { ...actingOf(calls.refuseTransfer, { user, key, input }), ...input.body }
    return presentDecided(await refuseManual(deps, input.params.paymentRef, decision))
  }),
]

const presentDecided = ({ reference, status }: DecidedTransfer) => ({
  paymentRef: reference,
  state: status,
})

function present(row: TransferRow): calls.Transfer {
  return {
    paymentRef: row.reference,
    purpose: row.purpose,
    method: row.method,
    state: row.status,
    amount: row.amount,
    orderId: row.orderId,
    payer: presentPerson(row),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
  }
}
