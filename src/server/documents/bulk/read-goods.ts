import { type Kysely, sql } from 'kysely'
import { type Goods, goodsAt } from '../../../rules/bulk-change.ts'
import { documentProblems } from '../../../rules/document-fields.ts'
import type { Schema } from '../../database/schema.ts'
import type { Tx } from '../../database/transaction.ts'

/** A document before a bulk change. */
export interface FoundGoods {
  readonly id: number
  readonly teacherId: number
  readonly revision: number
  readonly goods: Goods
  /** Whether the document has all that its publication requires. */
  readonly isComplete: boolean
}

/** Documents as they are at a moment, in the order of ids; deleted ones are left out. */
export async function readGoods(
  db: Kysely<Schema>,
  ids: readonly number[],
  now: number,
): Promise<FoundGoods[]> {
  const rows = await columnsOf(db)
    .where(sql<boolean>`d.id = ANY (${[...ids]}::integer[])`)
    .orderBy('d.id')
    .execute()
  return rows.map((row) => found(row, now))
}

function columnsOf(db: Kysely<Schema>) {
  return db
    .selectFrom('documents as d')
    .leftJoin('timedDiscounts as t', 't.documentId', 'd.id')
    .selectAll('d')
    .select(['t.priceDiscount as timedDiscount', 't.startsAt', 't.endsAt', 't.isRunning'])
    .select('t.ownDiscount')
}

type GoodsRow = Awaited<ReturnType<ReturnType<typeof columnsOf>['execute']>>[number]

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

function found(row: GoodsRow, now: number): FoundGoods {
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
  const isComplete = documentProblems({ ...row, priceDiscount: goods.priceDiscount }).length === 0
  return { id, teacherId, revision, goods: goodsAt(goods, now), isComplete }
}
