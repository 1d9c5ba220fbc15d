import { type Kysely, type RawBuilder, sql } from 'kysely'
import * as calls from '../../../contract/office-transfers.ts'
import { meaningsOf } from '../../../rules/admin-search.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import type { TransferMethod } from '../../../rules/payment-methods.ts'
import type { Schema } from '../../database/schema.ts'
import { pageOf } from '../../http/page-of.ts'
import { type Route, route } from '../../http/route.ts'
import { foldPeople } from '../../people-search/people-search.ts'
import { actingOf } from '../acting.ts'
import { idsOfPeople, PERSON_COLUMNS, type PersonRow, presentPerson } from '../find-people.ts'
import type { Payment } from '../payments.ts'
import { confirmManual, type DecidedTransfer, refuseManual } from '../transfers.ts'

/** The transfers that administrators confirm and refuse. */
export const transferRoutes: Route[] = [
  route(calls.listTransfers, async ({ input: { query }, deps }) => {
    const { page = 0, size = PAGE_SIZE, q, state = 'pending' } = query
    const filter = { q, state, page, size }
    const { transfers, total } = await listTransfers(deps.database.kysely, filter)
    return pageOf(transfers.map(presentTransfer), { total, page, size })
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

function presentTransfer(row: TransferRow): calls.Transfer {
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

type TransferRow = PersonRow &
  Pick<
    Payment,
    | 'reference'
    | 'purpose'
    | 'status'
    | 'amount'
    | 'orderId'
    | 'createdAt'
    | 'expiresAt'
    | 'settledAt'
  > & { readonly method: TransferMethod }

interface TransferFilter {
  readonly q?: string | undefined
  readonly state: Payment['status']
  readonly page: number
  readonly size: number
}

/** Bank transfers and D17 payments in one state: a page of them, and how many there are in all. */
async function listTransfers(
  db: Kysely<Schema>,
  { q = '', state, page, size }: TransferFilter,
): Promise<{ transfers: TransferRow[]; total: number }> {
  if (q.trim() !== '') await foldPeople({ kysely: db })
  const found = sql`payments p
    WHERE p.provider = 'manual' AND p.status = ${state} ${q.trim() === '' ? sql`` : matching(q)}`
  const order = state === 'pending' ? sql`created_at, id` : sql`id DESC`
  const { rows } = await sql<TransferRow>`
    SELECT p.reference, p.purpose, p.method, p.status, p.amount, p.order_id, p.created_at,
      p.expires_at, p.settled_at, ${PERSON_COLUMNS}
    FROM (SELECT * FROM ${found} ORDER BY ${order} LIMIT ${size} OFFSET ${page * size}) AS p
    JOIN users u ON u.id = p.user_id
    ORDER BY ${state === 'pending' ? sql`p.created_at, p.id` : sql`p.id DESC`}`.execute(db)
  const counted = await sql<{ total: number }>`
    SELECT count(*)::integer AS total FROM ${found}`.execute(db)
  return { transfers: rows, total: counted.rows[0]?.total ?? 0 }
}

function matching(q: string): RawBuilder<unknown> {
  const { reference, amount } = meaningsOf(q)
  const ways = [sql`p.user_id IN (${idsOfPeople(q)})`]
  if (reference !== null) ways.push(sql`p.reference LIKE ${`${reference}%`}`)
  if (amount !== null) ways.push(sql`p.amount = ${amount}`)
  return sql`AND (${sql.join(ways, sql` OR `)})`
}
