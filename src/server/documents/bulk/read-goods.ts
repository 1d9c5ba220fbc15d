import { type Kysely, sql } from 'kysely'
import { type Goods, goodsAt } from '../../../rules/bulk-change.ts'
import { documentProblems } from '../../../rules/document-life.ts'
import type { Millimes } from '../../../rules/money.ts'
import type { Schema } from '../../database/schema.ts'
import type { Tx } from '../../database/transaction.ts'
import type { LockedDocument, SaleColumns } from '../locked.ts'

/** A document before a bulk change. */
export interface FoundGoods {
  readonly id: number
  readonly teacherId: number
  readonly revision: number
  readonly goods: Goods
  /** Whether the document has all that its publication requires. */
  readonly isComplete: boolean
}

type Row = Pick<LockedDocument, 'id' | 'teacherId' | 'revision' | 'state' | 'isTakenDown'> &
  SaleColumns & {
    timedDiscount: Millimes | null
    startsAt: Date | null
    endsAt: Date | null
    isRunning: boolean | null
    ownDiscount: Millimes | null
  }

/** Documents as they are at a moment, in the order of ids; deleted ones are left out. */
export async function readGoods(
  db: Kysely<Schema>,
  ids: readonly number[],
  now: number,
): Promise<FoundGoods[]> {
  const { rows } = await sql<Row>`
    SELECT d.id, d.teacher_id, d.revision, d.title, d.price, d.price_discount, d.matiere_id,
      d.niveau_id, d.category_id, d.audience, d.file_id, d.state, d.is_taken_down,
      t.price_discount AS timed_discount, t.starts_at, t.ends_at, t.is_running, t.own_discount
    FROM documents d LEFT JOIN timed_discounts t ON t.document_id = d.id
    WHERE d.id = ANY (${[...ids]}::integer[]) ORDER BY d.id`.execute(db)
  return rows.map((row) => found(row, now))
}

/** Reads and locks these documents. */
export async function lockGoods(
  tx: Tx,
  ids: readonly number[],
  now: number,
): Promise<FoundGoods[]> {
  await sql`
    SELECT FROM documents WHERE id = ANY (${[...ids]}::integer[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx)
  return readGoods(tx, ids, now)
}

function found(row: Row, now: number): FoundGoods {
  const { id, teacherId, revision, price, state, isTakenDown } = row
  const { timedDiscount, startsAt, endsAt, isRunning } = row
  const goods: Goods = {
    price,
    // While a timed discount runs, the document's column holds that one.
    priceDiscount: isRunning ? row.ownDiscount : row.priceDiscount,
    timed:
      timedDiscount !== null && startsAt && endsAt
        ? { priceDiscount: timedDiscount, from: startsAt.getTime(), until: endsAt.getTime() }
        : null,
    state,
    isTakenDown,
  }
  const facts = { ...row, priceDiscount: goods.priceDiscount, hasFile: row.fileId !== null }
  const isComplete = documentProblems(facts).length === 0
  return { id, teacherId, revision, goods: goodsAt(goods, now), isComplete }
}
