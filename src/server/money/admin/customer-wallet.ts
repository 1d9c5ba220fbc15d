import { type Kysely, sql } from 'kysely'
import type { WalletMovement } from '../../../contract/office-wallets.ts'
import type { Millimes } from '../../../rules/money.ts'
import type { Schema } from '../../database/schema.ts'
import { actorNames } from '../../staff-log/staff-log.ts'
import { PERSON_COLUMNS, type PersonRow, presentPerson } from '../find-people.ts'
import { walletHistory } from '../history.ts'
import { walletBalance } from '../ledger.ts'

interface CustomerWallet {
  readonly customer: ReturnType<typeof presentPerson>
  readonly balance: Millimes
  readonly movements: WalletMovement[]
  readonly total: number
}

/** A customer's wallet with a page of its movements, newest first; undefined for an unknown user. */
export async function readCustomerWallet(
  db: Kysely<Schema>,
  { userId, page, size }: { userId: number; page: number; size: number },
): Promise<CustomerWallet | undefined> {
  const { rows } = await sql<PersonRow>`
    SELECT ${PERSON_COLUMNS} FROM users u WHERE u.id = ${userId} AND u.role <> 'SHOP'`.execute(db)
  const [person] = rows
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
  const { rows } = await sql<{
    id: number
    note: string
    proposer: string | null
    decider: string | null
  }>`
    SELECT e.id, t.note, a.proposer, a.decider
    FROM ledger_entries e
    JOIN ledger_transactions t ON t.id = e.transaction_id
    LEFT JOIN adjustments a ON a.id = t.adjustment_id
    WHERE e.id = ANY (${[...entryIds]}::bigint[])`.execute(db)
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
