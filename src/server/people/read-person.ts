import { type Kysely, sql } from 'kysely'
import type { PersonView } from '../../contract/office-people.ts'
import type { DocumentState } from '../../rules/document-life.ts'
import { nameOrContact } from '../../rules/full-name.ts'
import type { Millimes } from '../../rules/money.ts'
import type { OrderStatus } from '../../rules/payment-states.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { readBalance, walletBalance } from '../money/money.ts'
import { readLeaving } from '../own-data/own-data.ts'
import { findPerson, type PersonRow, presentPerson } from './find-people.ts'
import { logOf } from './log.ts'

/** How many of a customer's newest orders, documents and ratings are shown. */
const SHOWN = 10

/** How many lines of the log are shown. */
const LOG_SHOWN = 20

/** Everything about an account, for one page. Throws `user_not_found`. */
export async function readPerson(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  id: number,
): Promise<PersonView> {
  const { kysely } = database
  const row = await findPerson(kysely, { id })
  if (!row) throw fault('user_not_found')
  const isStaff = row.role !== 'PARENT'
  return {
    person: presentPerson(row),
    language: row.locale,
    blockedAt: row.blockedAt?.toISOString() ?? null,
    blockedReason: row.blockedReason,
    ...(await readMerged(kysely, row)),
    ...(await readAccess(kysely, row, now())),
    customer: isStaff ? null : await readCustomer(kysely, id),
    teacher: row.role === 'TEACHER' ? await readTeacher(kysely, id, now()) : null,
    ...(await readLeaving({ database, now }, id)),
    log: await logOf(kysely, id, { limit: LOG_SHOWN, isStaff }),
  }
}

async function readMerged(db: Kysely<Schema>, { id, mergedInto }: PersonRow) {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'firstName', 'lastName', 'email', 'phone'])
    .where((row) => row.or([row('mergedInto', '=', id), row('id', '=', mergedInto)]))
    .orderBy('id')
    .execute()
  const named = rows.map((row) => ({
    id: row.id,
    name: nameOrContact(row),
  }))
  return {
    mergedInto: named.find((one) => one.id === mergedInto) ?? null,
    merged: named.filter((one) => one.id !== mergedInto),
  }
}

async function readAccess(db: Kysely<Schema>, { id }: PersonRow, now: number) {
  const factor = await db
    .selectFrom('secondFactors')
    .select('userId')
    .where('userId', '=', id)
    .executeTakeFirst()
  const invitation = await db
    .selectFrom('staffInvitations')
    .select('expiresAt')
    .where('userId', '=', id)
    .where('expiresAt', '>', new Date(now))
    .orderBy('expiresAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    hasSecondFactor: factor !== undefined,
    invitedUntil: invitation?.expiresAt.toISOString() ?? null,
  }
}

async function readCustomer(
  db: Kysely<Schema>,
  id: number,
): Promise<NonNullable<PersonView['customer']>> {
  const { rows: counts } = await sql<Record<`${string}Count`, number>>`
    SELECT
      (SELECT count(*)::integer FROM orders WHERE buyer_id = ${id}) AS order_count,
      (SELECT count(*)::integer FROM purchases WHERE user_id = ${id}) AS document_count,
      (SELECT count(*)::integer FROM ratings
        WHERE user_id = ${id} AND withdrawn_at IS NULL) AS rating_count,
      (SELECT count(*)::integer FROM chat_rooms
        WHERE customer_id = ${id} AND last_message_id IS NOT NULL) AS conversation_count`.execute(
    db,
  )
  const {
    orderCount = 0,
    documentCount = 0,
    ratingCount = 0,
    conversationCount = 0,
  } = counts[0] ?? {}
  const { rows: orders } = await sql<OrderRow>`
    SELECT o.id, o.status, o.total, o.created_at, coalesce((
      SELECT array_agg(d.title ORDER BY d.id)
      FROM order_items i JOIN documents d ON d.id = i.document_id WHERE i.order_id = o.id
    ), '{}') AS titles
    FROM orders o WHERE o.buyer_id = ${id}
    ORDER BY o.created_at DESC, o.id DESC LIMIT ${SHOWN}`.execute(db)
  const { rows: documents } = await sql<DocumentRow>`
    SELECT d.id, d.title, p.price, p.purchased_at
    FROM purchases p JOIN documents d ON d.id = p.document_id
    WHERE p.user_id = ${id} ORDER BY p.purchased_at DESC, p.id DESC LIMIT ${SHOWN}`.execute(db)
  const { rows: ratings } = await sql<RatingRow>`
    SELECT r.id, coalesce(d.title, ${fullNameIn('t')}) AS of, r.stars,
      r.comment, r.created_at, r.hidden_at IS NOT NULL AS is_hidden
    FROM ratings r
    LEFT JOIN documents d ON d.id = r.document_id LEFT JOIN teachers t ON t.id = r.teacher_id
    WHERE r.user_id = ${id} AND r.withdrawn_at IS NULL
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${SHOWN}`.execute(db)
  return {
    balance: await walletBalance(db, id),
    orderCount,
    orders: orders.map(({ createdAt, ...order }) => ({
      ...order,
      createdAt: createdAt.toISOString(),
    })),
    documentCount,
    documents: documents.map(({ purchasedAt, ...document }) => ({
      ...document,
      purchasedAt: purchasedAt.toISOString(),
    })),
    ratingCount,
    ratings: ratings.map(({ createdAt, ...rating }) => ({
      ...rating,
      ratedAt: createdAt.toISOString(),
    })),
    conversationCount,
  }
}

interface OrderRow {
  id: number
  status: OrderStatus
  total: Millimes
  createdAt: Date
  titles: string[]
}

interface DocumentRow {
  id: number
  title: string
  price: Millimes
  purchasedAt: Date
}

interface RatingRow {
  id: number
  of: string
  stars: number
  comment: string
  createdAt: Date
  isHidden: boolean
}

async function readTeacher(
  db: Kysely<Schema>,
  userId: number,
  at: number,
): Promise<PersonView['teacher']> {
  const teacher = await db
    .selectFrom('teachers')
    .select('id')
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!teacher) return null
  const { rows } = await sql<{ state: DocumentState; count: number; sales: number }>`
    SELECT state, count(*)::integer AS count, sum(sales_count)::integer AS sales FROM documents
    WHERE teacher_id = ${teacher.id} GROUP BY state ORDER BY state`.execute(db)
  const { balance, available, paidOut } = await readBalance(db, { teacherId: teacher.id, at })
  return {
    id: teacher.id,
    salesCount: rows.reduce((sum, { sales }) => sum + sales, 0),
    documents: rows.map(({ state, count }) => ({ state, count })),
    owed: balance,
    available,
    paidOut,
  }
}
