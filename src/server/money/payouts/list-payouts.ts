import type { Kysely } from 'kysely'
import type { Millimes } from '../../../rules/money.ts'
import type { Schema } from '../../database/schema.ts'
import { readBalance } from '../earnings/balance.ts'
import type { Payout } from './payouts.ts'

/** A payout with its teacher. */
export interface ListedPayout extends Payout {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  /** The teacher's balance after this payout; null unless it waits. */
  readonly left: Millimes | null
}

interface PayoutFilter {
  /** null: payouts in any state. */
  readonly state: Payout['status'] | null
  readonly page: number
  readonly size: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** A page of the payouts that wait, oldest first, or of others, newest first; with their total. */
export async function listPayouts(
  db: Kysely<Schema>,
  { state, page, size, at }: PayoutFilter,
): Promise<{ payouts: ListedPayout[]; total: number }> {
  let query = selectPayouts(db)
  if (state) query = query.where('status', '=', state)
  const rows = await query
    .orderBy('payouts.id', state === 'requested' ? 'asc' : 'desc')
    .limit(size)
    .offset(page * size)
    .execute()
  const { total } = await query
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const payouts: ListedPayout[] = []
  for (const row of rows) payouts.push({ ...row, left: await leftAfter(db, row, at) })
  return { payouts, total: Number(total) }
}

/** One payout, which the caller knows to exist. */
export async function findPayout(
  db: Kysely<Schema>,
  { id, at }: { id: number; at: number },
): Promise<ListedPayout> {
  const row = await selectPayouts(db).where('payouts.id', '=', id).executeTakeFirstOrThrow()
  return { ...row, left: await leftAfter(db, row, at) }
}

function selectPayouts(db: Kysely<Schema>) {
  return db
    .selectFrom('payouts')
    .innerJoin('teachers', 'teachers.id', 'payouts.teacherId')
    .selectAll('payouts')
    .select(['teachers.firstName', 'teachers.lastName', 'teachers.email'])
}

async function leftAfter(db: Kysely<Schema>, { teacherId, status, amount }: Payout, at: number) {
  if (status !== 'requested') return null
  const { balance } = await readBalance(db, { teacherId, at })
  return balance - amount
}
