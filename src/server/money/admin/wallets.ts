import type { Kysely } from 'kysely'
import type { WalletMovement } from '../../../contract/office-wallets.ts'
import * as calls from '../../../contract/office-wallets.ts'
import type { Millimes } from '../../../rules/money.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import type { Schema } from '../../database/schema.ts'
import { fault } from '../../http/errors.ts'
import { pageOf, type Route, route } from '../../http/route.ts'
import { actorNames, logSight } from '../../staff-log/staff-log.ts'
import { actingOf } from '../acting.ts'
import { PERSON_COLUMNS, presentPerson } from '../find-people.ts'
import { walletHistory } from '../history.ts'
import { walletBalance } from '../ledger.ts'
import { readLeftAlone } from '../two-people/acts.ts'
import { adjust } from './adjustments.ts'

export const customerWalletRoutes: Route[] = [
  route(calls.getCustomerWallet, async ({ input: { params, query }, user, deps }) => {
    const { page = 0, size = PAGE_SIZE } = query
    const { kysely } = deps.database
    const wallet = await readCustomerWallet(kysely, { userId: params.id, page, size })
    if (!wallet) throw fault('user_not_found')
    const { customer, balance, movements, total } = wallet
    const actor = user.actor
    await logSight(deps, actor, customer.id)
    const at = new Date(deps.now())
    const leftAlone = await readLeftAlone(kysely, { kind: 'adjustment', actor, at })
    return { ...pageOf(movements, { total, page, size }), customer, balance, leftAlone }
  }),

  route(calls.adjustWallet, async ({ input, user, key, deps }) => {
    const acting = actingOf(calls.adjustWallet, { user, key, input })
    return { waits: await adjust(deps, input.body, acting) }
  }),
]

interface CustomerWallet {
  readonly customer: ReturnType<typeof presentPerson>
  readonly balance: Millimes
  readonly movements: WalletMovement[]
  readonly total: number
}

async function readCustomerWallet(
  db: Kysely<Schema>,
  { userId, page, size }: { userId: number; page: number; size: number },
): Promise<CustomerWallet | undefined> {
  const person = await db
    .selectFrom('users')
    .select(PERSON_COLUMNS)
    .where('users.id', '=', userId)
    .where('role', '<>', 'SHOP')
    .executeTakeFirst()
  if (!person) return undefined
  const { content, total } = await walletHistory(db, { userId, page, size })
  const notes = await notesOf(
    db,
    content.map(({ id }) => id),
  )
  return {
    customer: presentPerson(person),
    balance: await walletBalance(db, userId),
    movements: content.map((entry) => ({ ...entry, ...(notes.get(entry.id) ?? NO_NOTE) })),
    total,
  }
}

const NO_NOTE = { note: '', by: '' }

/** The ledger's notes on entries, and the staff who made them. */
async function notesOf(
  db: Kysely<Schema>,
  entryIds: readonly number[],
): Promise<Map<number, typeof NO_NOTE>> {
  if (entryIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('ledgerEntries')
    .innerJoin('ledgerTransactions as movement', 'movement.id', 'transactionId')
    .leftJoin('adjustments', 'adjustments.id', 'movement.adjustmentId')
    .select(['ledgerEntries.id', 'movement.note', 'proposer', 'decider'])
    .where('ledgerEntries.id', 'in', entryIds)
    .execute()
  const actors = rows.map(({ proposer, decider }) => [
    ...new Set([proposer, decider].filter((actor) => actor !== null)),
  ])
  const names = await actorNames(db, actors.flat())
  return new Map(
    rows.map(({ id, note }, at) => {
      const by = (actors[at] ?? []).map((actor) => names.get(actor) ?? actor).join(' + ')
      return [id, { note, by }]
    }),
  )
}
