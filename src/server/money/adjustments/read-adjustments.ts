import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Adjustment } from '../../../contract/office-wallets.ts'
import type { AdjustmentState } from '../../../rules/ledger.ts'
import type { Millimes } from '../../../rules/money.ts'
import type { Schema } from '../../database/schema.ts'
import { actorNames } from '../../staff-log/staff-log.ts'
import { PERSON_COLUMNS, type PersonRow, presentPerson } from '../find-people.ts'

interface Row extends PersonRow {
  readonly id: number
  readonly amount: Millimes
  readonly reason: string
  readonly needsSecond: boolean
  readonly state: AdjustmentState
  readonly proposer: string
  readonly proposedAt: Date
  readonly decider: string | null
  readonly decidedAt: Date | null
  readonly refusal: string | null
}

interface AdjustmentFilter {
  readonly state?: AdjustmentState | undefined
  readonly userId?: number | undefined
  readonly page: number
  readonly size: number
  /** The reader of the adjustments, as the staff log names them. */
  readonly actor: string
}

/** Adjustments, newest first: a page of them, and how many there are in all. */
export async function listAdjustments(
  db: Kysely<Schema>,
  { state, userId, page, size, actor }: AdjustmentFilter,
): Promise<{ adjustments: Adjustment[]; total: number }> {
  const where = sql`WHERE ${state === undefined ? sql`true` : sql`state = ${state}`}
    AND ${userId === undefined ? sql`true` : sql`user_id = ${userId}`}`
  const listed = sql`(SELECT * FROM adjustments ${where}
    ORDER BY id DESC LIMIT ${size} OFFSET ${page * size})`
  const counted = await sql<{ total: number }>`
    SELECT count(*)::integer AS total FROM adjustments ${where}`.execute(db)
  const adjustments = await readRows(db, listed, actor)
  return { adjustments, total: counted.rows[0]?.total ?? 0 }
}

/** One adjustment, which the caller knows to exist. */
export async function readAdjustment(
  db: Kysely<Schema>,
  { id, actor }: { id: number; actor: string },
): Promise<Adjustment> {
  const [found] = await readRows(db, sql`(SELECT * FROM adjustments WHERE id = ${id})`, actor)
  if (!found) throw new Error(`adjustment ${id} is gone`)
  return found
}

async function readRows(
  db: Kysely<Schema>,
  adjustments: RawBuilder<unknown>,
  actor: string,
): Promise<Adjustment[]> {
  const { rows } = await sql<Row>`
    SELECT a.id, a.amount, a.reason, a.needs_second, a.state, a.proposer, a.proposed_at,
      a.decider, a.decided_at, a.refusal, ${PERSON_COLUMNS}
    FROM ${adjustments} AS a JOIN users u ON u.id = a.user_id
    ORDER BY a.id DESC`.execute(db)
  const names = await actorNames(
    db,
    rows.flatMap(({ proposer, decider }) => (decider === null ? [proposer] : [proposer, decider])),
  )
  const nameOf = (subject: string) => names.get(subject) ?? subject
  return rows.map((row) => ({
    id: row.id,
    customer: presentPerson(row),
    amount: row.amount,
    reason: row.reason,
    needsSecond: row.needsSecond,
    state: row.state,
    proposer: nameOf(row.proposer),
    isYours: row.proposer === actor,
    proposedAt: row.proposedAt.toISOString(),
    decider: row.decider === null ? null : nameOf(row.decider),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    refusal: row.refusal,
  }))
}
