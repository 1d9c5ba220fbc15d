import { type Kysely, sql } from 'kysely'
import { discountAt, type Goods, goodsAt } from '../../../rules/bulk-change.ts'
import {
  DETAILS,
  type Details,
  detailsOf,
  documentProblems,
} from '../../../rules/document-fields.ts'
import type { ChangedAmounts } from '../../database/document-tables.ts'
import type { Schema } from '../../database/schema.ts'
import type { Tx } from '../../database/transaction.ts'
import { describeChanges, logStaff } from '../../staff-log/staff-log.ts'
import { type Change, noteChange, subjectOf } from '../history.ts'

export interface FoundGoods {
  readonly id: number
  readonly teacherId: number
  readonly revision: number
  readonly goods: Goods
  /** Whether the document has all that its publication requires. */
  readonly isComplete: boolean
  readonly title: string
  /** The code of its category; null where the shop has written that one itself. */
  readonly category: string | null
  readonly details: Details
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
    .leftJoin('categories as c', 'c.id', 'd.categoryId')
    .selectAll('d')
    .select('c.code as category')
    .select(['t.priceDiscount as timedDiscount', 't.startsAt', 't.endsAt', 't.isRunning'])
    .select('t.ownDiscount')
}

type GoodsRow = Awaited<ReturnType<ReturnType<typeof columnsOf>['execute']>>[number]

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
  const { title, category } = row
  const details = detailsOf(row)
  return {
    id,
    teacherId,
    revision,
    goods: goodsAt(goods, now),
    isComplete,
    title,
    category,
    details,
  }
}

interface WrittenGoods {
  readonly id: number
  readonly before: Goods
  readonly after: Goods
}

/**
 * Writes documents that the caller has locked, and records the reason in their histories and in the
 * log.
 */
export async function writeGoods(
  tx: Tx,
  written: readonly WrittenGoods[],
  { actor, reason, now }: { actor: string; reason: string | null; now: number },
): Promise<void> {
  if (written.length === 0) return
  const goods = written.map(({ id, after }) => ({ id, ...goodsAt(after, now) }))
  const ids = goods.map(({ id }) => id)
  await sql`
    UPDATE documents SET price = given.price, price_discount = given.discount, state = given.state,
      is_taken_down = given.is_taken_down, revision = revision + 1, changed_at = ${new Date(now)}
    FROM unnest(
      ${ids}::integer[], ${goods.map(({ price }) => price)}::bigint[],
      ${goods.map((each) => discountAt(each, now))}::bigint[],
      ${goods.map(({ state }) => state)}::text[],
      ${goods.map(({ isTakenDown }) => isTakenDown)}::boolean[]
    ) AS given (id, price, discount, state, is_taken_down)
    WHERE documents.id = given.id`.execute(tx)
  await writeTimes(tx, goods, now)
  const sold = written.filter(({ after }) => !after.details)
  const events = sold.map((one) => ({ ...eventOf(one), actor, reason }))
  if (events.length > 0) await noteChange(tx, ...events)
  await writeDetails(tx, written, actor)
}

/** Writes the details of a change of facts; a document's history has its sale alone, its log both. */
async function writeDetails(tx: Tx, written: readonly WrittenGoods[], actor: string) {
  const changes = written.flatMap(({ id, before, after: { details } }) => {
    if (!details) return []
    const changed = DETAILS.filter((name) => details[name] !== before.details?.[name])
    return [{ id, details: changed.map((name) => [name, details[name]] as const) }]
  })
  if (changes.length === 0) return
  for (const { id, details } of changes) {
    const columns = Object.fromEntries(details) as Partial<Details>
    await tx.updateTable('documents').set(columns).where('id', '=', id).execute()
  }
  const entries = changes.map(({ id, details }) => {
    const subject = subjectOf(id)
    return { actor, action: 'document: change' as const, subject, reason: describeChanges(details) }
  })
  await logStaff(tx, ...entries)
}

/**
 * Writes timed discounts; call it after writing the documents, which ends their running discounts.
 */
async function writeTimes(tx: Tx, goods: readonly (Goods & { id: number })[], now: number) {
  const ids = goods.map(({ id }) => id)
  await tx.deleteFrom('timedDiscounts').where('documentId', 'in', ids).execute()
  const times = goods.flatMap(({ id, priceDiscount, timed }) => {
    if (timed === null) return []
    const isRunning = timed.from <= now
    return [
      {
        documentId: id,
        priceDiscount: timed.priceDiscount,
        startsAt: new Date(timed.from),
        endsAt: new Date(timed.until),
        isRunning,
        ownDiscount: isRunning ? priceDiscount : null,
      },
    ]
  })
  if (times.length > 0) await tx.insertInto('timedDiscounts').values(times).execute()
}

function eventOf({ id, before, after }: WrittenGoods): Omit<Change, 'actor' | 'reason'> {
  if (before.state !== after.state) {
    return { documentId: id, action: after.state === 'published' ? 'publish' : 'unpublish' }
  }
  if (before.price !== after.price) {
    const amounts = { before: before.price, after: after.price }
    return { documentId: id, action: 'change price', amounts }
  }
  const amounts: ChangedAmounts = {
    before: discountOf(before),
    after: discountOf(after),
    ...(after.timed && {
      from: new Date(after.timed.from).toISOString(),
      until: new Date(after.timed.until).toISOString(),
    }),
  }
  return { documentId: id, action: 'change discount', amounts }
}

const discountOf = ({ timed, priceDiscount }: Goods) => timed?.priceDiscount ?? priceDiscount
