import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Difference } from '../../../contract/office-transfers.ts'
import type { Schema } from '../../database/schema.ts'
import { actorNames } from '../../staff-log/staff-log.ts'
import { PERSON_COLUMNS, type PersonRow, presentPerson } from '../find-people.ts'

type Row = PersonRow &
  Omit<Difference, 'payer' | 'notedAt' | 'decidedAt'> & {
    readonly notedAt: Date
    readonly decidedAt: Date | null
  }

/** A page of the open differences, oldest first, or the settled ones, newest first; with their total. */
export async function listDifferences(
  db: Kysely<Schema>,
  { isOpen, page, size }: { isOpen: boolean; page: number; size: number },
): Promise<{ differences: Difference[]; total: number }> {
  const where = sql`WHERE outcome IS ${isOpen ? sql`NULL` : sql`NOT NULL`}`
  const order = isOpen ? sql`id` : sql`id DESC`
  const listed = sql`(SELECT * FROM payment_differences ${where}
    ORDER BY ${order} LIMIT ${size} OFFSET ${page * size})`
  const counted = await sql<{ total: number }>`
    SELECT count(*)::integer AS total FROM payment_differences ${where}`.execute(db)
  const differences = await readRows(db, listed)
  return {
    differences: isOpen ? differences : differences.reverse(),
    total: counted.rows[0]?.total ?? 0,
  }
}

/** One difference, which the caller knows to exist. */
export async function readDifference(db: Kysely<Schema>, id: number): Promise<Difference> {
  const [found] = await readRows(db, sql`(SELECT * FROM payment_differences WHERE id = ${id})`)
  if (!found) throw new Error(`difference ${id} is gone`)
  return found
}

async function readRows(
  db: Kysely<Schema>,
  differences: RawBuilder<unknown>,
): Promise<Difference[]> {
  const { rows } = await sql<Row>`
    SELECT d.id, p.reference AS payment_ref, p.order_id, d.kind, d.expected_amount AS expected,
      p.status AS state, d.reported_amount AS reported, d.reported_state, d.gateway_reference,
      d.noted_at, d.outcome, d.decider, d.decided_at, d.reason, ${PERSON_COLUMNS}
    FROM ${differences} AS d
    JOIN payments p ON p.id = d.payment_id
    JOIN users u ON u.id = p.user_id
    ORDER BY d.id`.execute(db)
  const deciders = rows.flatMap(({ decider }) => (decider === null ? [] : [decider]))
  const names = await actorNames(db, deciders)
  return rows.map(({ userId, firstName, lastName, email, phone, ...row }) => ({
    ...row,
    payer: presentPerson({ userId, firstName, lastName, email, phone }),
    notedAt: row.notedAt.toISOString(),
    decider: row.decider === null ? null : (names.get(row.decider) ?? row.decider),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  }))
}
