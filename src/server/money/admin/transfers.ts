import type { Kysely } from 'kysely'
import * as calls from '../../../contract/office-transfers.ts'
import { meaningsOf } from '../../../rules/admin-search.ts'
import { referencePrefix } from '../../../rules/brand.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { readableReference } from '../../../rules/typed-numbers.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Schema } from '../../database/schema.ts'
import { pageOf, type Route, route } from '../../http/route.ts'
import { readBrand } from '../../site-texts/site-texts.ts'
import { COMMAND_LINE } from '../../staff-log/staff-log.ts'
import { actingOf } from '../acting.ts'
import { idsOfPeople, PERSON_COLUMNS, presentPerson } from '../find-people.ts'
import type { Payment } from '../payments.ts'
import { confirmManual, type DecidedTransfer, refuseManual } from '../transfers.ts'
import { readLeftAlone, waitingActs } from '../two-people/acts.ts'

export const transferRoutes: Route[] = [
  route(calls.listTransfers, async ({ input: { query }, user, deps }) => {
    const { page = 0, size = PAGE_SIZE, q, state = 'pending' } = query
    const filter = { q, state, page, size, actor: user.actor, at: new Date(deps.now()) }
    const { transfers, total } = await listTransfers(deps.database.kysely, filter)
    return pageOf(transfers, { total, page, size })
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

const presentDecided = ({ reference, status, waits }: DecidedTransfer) => ({
  paymentRef: reference,
  state: status,
  waits,
})

interface TransferFilter {
  readonly q?: string | undefined
  readonly state: Payment['status']
  readonly page: number
  readonly size: number
  /** The reader, as the staff log names them. */
  readonly actor: string
  readonly at: Date
}

async function listTransfers(
  db: Kysely<Schema>,
  { q = '', state, page, size, actor, at }: TransferFilter,
): Promise<{ transfers: calls.Transfer[]; total: number }> {
  let found = db
    .selectFrom('payments')
    .where('payments.provider', '=', 'manual')
    .where('payments.status', '=', state)
  if (q.trim() !== '') {
    const people = await idsOfPeople(db, q)
    const { reference, amount } = meaningsOf(q)
    found = found.where((payment) =>
      payment.or([
        payment('payments.userId', 'in', people),
        ...(reference === null ? [] : [payment('payments.reference', 'like', `${reference}%`)]),
        ...(amount === null ? [] : [payment('payments.amount', '=', amount)]),
      ]),
    )
  }
  const ordered =
    state === 'pending'
      ? found.orderBy('payments.createdAt').orderBy('payments.id')
      : found.orderBy('payments.id', 'desc')
  const rows = await ordered
    .innerJoin('users', 'users.id', 'payments.userId')
    .selectAll('payments')
    .select(PERSON_COLUMNS)
    .select((payment) =>
      payment
        .selectFrom('receiptPhotos')
        .select((photo) => photo.fn.countAll<number>().as('count'))
        .whereRef('receiptPhotos.paymentId', '=', 'payments.id')
        .as('photos'),
    )
    .limit(size)
    .offset(page * size)
    .execute()
  const prefix = referencePrefix(await readBrand(db))
  const left = await readLeftAlone(db, { kind: 'transfer', actor, at })
  const waiting = await waitingActs(db, 'transfer')
  const transfers = rows.map((row) => ({
    paymentRef: row.reference,
    reference: readableReference(row.reference, prefix),
    purpose: row.purpose,
    method: row.method as calls.Transfer['method'],
    state: row.status,
    amount: row.amount,
    orderId: row.orderId,
    payer: presentPerson(row),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
    photos: row.photos ?? 0,
    needsSecond: actor !== COMMAND_LINE && row.status !== 'paid' && row.amount > left,
    waits: waiting.get(row.reference) ?? null,
  }))
  return { transfers, total: await countRows(found) }
}
