import { type Kysely, sql } from 'kysely'
import type { Administrator, RoomSummary } from '../../contract/chat.ts'
import { LOCALES } from '../../i18n/locales.ts'
import { otherMember, roomId } from '../../rules/room.ts'
import type { AccountRole, Schema } from '../database/schema.ts'
import { administratorsIn, fullNameIn } from '../database/sql-parts.ts'
import type { Tx } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'
import type { User } from '../http/route.ts'
import { readBrand } from '../site-texts/site-texts.ts'
import { AUTHOR, type MessageRow, presentMessage } from './messages.ts'

/** The most conversations in a list: those with the newest messages. */
const CHAT_ROOMS_MAX = 500

/**
 * Returns the room as this member sees it. Every reading, sending, subscription and publication
 * passes this check. `lastMessageId` is 0 if the room has no messages. Throws `forbidden` for a
 * room of others, `room_not_found` before it is opened.
 */
export async function requireMember(db: Kysely<Schema>, id: string, userId: number) {
  const otherId = otherMember(id, userId)
  if (otherId === null) throw fault('forbidden')
  const room = await db
    .selectFrom('chatRooms')
    .select(['lastMessageId', 'customerId', 'administratorId'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!room) throw fault('room_not_found')
  if (room.customerId !== userId && room.administratorId !== userId) throw fault('forbidden')
  return { roomId: id, otherId, lastMessageId: room.lastMessageId ?? 0 }
}

/**
 * Like `requireMember`, for live subscriptions: the members of a room may follow it and, with a
 * token of the office, every administrator if the room belongs to the common inbox.
 */
export async function requireFollower(
  db: Kysely<Schema>,
  id: string,
  user: Pick<User, 'id' | 'role' | 'factors'>,
) {
  if (user.role === 'ADMIN' && user.factors !== null) {
    const shared = await db
      .selectFrom('chatRooms as room')
      .innerJoin('users as office', 'office.id', 'room.administratorId')
      .select(['room.lastMessageId', 'room.customerId'])
      .where('room.id', '=', id)
      .where('office.role', '=', 'SHOP')
      .executeTakeFirst()
    if (shared) {
      const { lastMessageId, customerId } = shared
      return { roomId: id, otherId: customerId, lastMessageId: lastMessageId ?? 0 }
    }
  }
  return requireMember(db, id, user.id)
}

/**
 * Creates or finds the room of a customer and an administrator, or the shop's common inbox. Throws
 * `user_not_found`, and `forbidden` for any other pair.
 */
export async function ensureRoom(db: Kysely<Schema>, a: number, b: number): Promise<string> {
  const users = await db
    .selectFrom('users')
    .select(['id', 'role'])
    .where('id', 'in', [a, b])
    .execute()
  if (users.length < new Set([a, b]).size) throw fault('user_not_found')
  const withRole = (role: AccountRole) => users.find((user) => user.role === role)?.id
  const customer = withRole('PARENT')
  const administrator = withRole('ADMIN') ?? withRole('SHOP')
  if (customer === undefined || administrator === undefined) throw fault('forbidden')

  const id = roomId(a, b)
  await db
    .insertInto('chatRooms')
    .values({ id, customerId: customer, administratorId: administrator })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return id
}

/** The time of the last activity in a room: its newest message, or its opening. */
const LAST_ACTIVITY = sql`coalesce(message.created_at, room.created_at) DESC, room.id`

/** The ids of a user's rooms, the most recently active first; `CHAT_ROOMS_MAX` at most. */
export async function readRooms(db: Kysely<Schema>, userId: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT room.id FROM chat_rooms room
    LEFT JOIN chat_messages message ON message.id = room.last_message_id
    WHERE room.customer_id = ${userId} OR room.administrator_id = ${userId}
    ORDER BY ${LAST_ACTIVITY}
    LIMIT ${CHAT_ROOMS_MAX}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * A room with everything that its list shows; the columns of the last message are null if there is
 * none.
 */
interface SummaryRow extends Omit<MessageRow, 'id'> {
  summaryId: string
  otherId: number
  otherName: string
  otherRole: AccountRole
  unread: number
  id: number | null
}

/** The rooms of `readRooms`, in the same order, with everything that their list shows. */
export async function readSummaries(db: Kysely<Schema>, userId: number): Promise<SummaryRow[]> {
  const { rows } = await sql<SummaryRow>`
    SELECT room.id AS summary_id, other.id AS other_id, other.role AS other_role,
      message.*, ${AUTHOR} AS author,
      CASE WHEN other.role = 'ADMIN' THEN other.username
        ELSE ${fullNameIn('other')} END AS other_name,
      (SELECT count(*) FROM chat_messages unread
        WHERE unread.room_id = room.id AND unread.id > coalesce(reader.read_up_to, 0)
          AND unread.receiver_id = ${userId}) AS unread
    FROM chat_rooms room
    JOIN users other ON other.id =
      CASE WHEN room.customer_id = ${userId} THEN room.administrator_id ELSE room.customer_id END
    LEFT JOIN chat_messages message ON message.id = room.last_message_id
    LEFT JOIN chat_readers reader ON reader.room_id = room.id AND reader.user_id = ${userId}
    WHERE room.customer_id = ${userId} OR room.administrator_id = ${userId}
    ORDER BY ${LAST_ACTIVITY}
    LIMIT ${CHAT_ROOMS_MAX}`.execute(db)
  return rows
}

/**
 * The recipients of customers: the shop's common inbox, then the administrators who can log in, by
 * id.
 */
export async function readAdministrators(db: Kysely<Schema>): Promise<Administrator[]> {
  const shop = { id: await shopAccount(db), username: await shopName(db), isShop: true }
  const people = await administratorsIn(db).select(['id', 'username']).execute()
  return [shop, ...people]
}

/** A room of the list in the form of the API; `shop` is the name of the shop. */
export function presentSummary({ id, ...row }: SummaryRow, shop: string): RoomSummary {
  return {
    roomId: row.summaryId,
    other: { id: row.otherId, name: row.otherRole === 'SHOP' ? shop : row.otherName },
    lastMessage: id === null ? null : presentMessage({ ...row, id }),
    unreadCount: row.unread,
  }
}

/** The name of the shop in conversations: its names in all languages. */
export async function shopName(db: Kysely<Schema>): Promise<string> {
  const { name } = await readBrand(db)
  return [...new Set(LOCALES.map((locale) => name[locale]))].join(' · ')
}

/**
 * The account that represents the common inbox in conversations with customers (docs/shop.md,
 * Conversations). It is created when the first customer looks for a recipient, so that an empty
 * shop stays empty.
 */
export async function shopAccount(db: Kysely<Schema>): Promise<number> {
  const found = db.selectFrom('users').select('id').where('role', '=', 'SHOP')
  const known = await found.executeTakeFirst()
  if (known) return known.id
  await db
    .insertInto('users')
    .values({
      // Not a real address: nobody can register it, and no mail is sent to it.
      email: 'shop',
      username: 'shop',
      firstName: '',
      lastName: '',
      role: 'SHOP',
      passwordHash: '',
    })
    // Another instance may create it at the same moment.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await found.executeTakeFirstOrThrow()).id
}

/**
 * Moves a customer's conversations into those of another customer with the same administrator or
 * the shop; the messages are ordered by time. Messages that either side had not read stay unread.
 */
export async function mergeRooms(
  tx: Tx,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<void> {
  const rooms = await tx
    .selectFrom('chatRooms')
    .select(['id', 'administratorId', 'createdAt', 'unansweredSince', 'takenBy', 'takenAt'])
    .where('customerId', '=', fromId)
    .orderBy('administratorId')
    .forUpdate()
    .execute()
  for (const { id, administratorId, createdAt, unansweredSince, takenBy, takenAt } of rooms) {
    const target = roomId(intoId, administratorId)
    await tx
      .insertInto('chatRooms')
      .values({ id: target, customerId: intoId, administratorId, createdAt })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await sql`SELECT FROM chat_rooms WHERE id = ${target} FOR UPDATE`.execute(tx)
    await mergeReaders(tx, { fromId, intoId, administratorId, from: id, target })
    // Browsers choose the ids of messages, unique for each sender; the closed account sends no
    // more.
    await sql`
      UPDATE chat_messages SET room_id = ${target}, client_id = NULL,
        sender_id = CASE sender_id WHEN ${fromId} THEN ${intoId} ELSE sender_id END,
        receiver_id = CASE receiver_id WHEN ${fromId} THEN ${intoId} ELSE receiver_id END
      WHERE room_id = ${id}`.execute(tx)
    await sql`
      UPDATE chat_rooms SET
        last_message_id = (SELECT max(id) FROM chat_messages WHERE room_id = ${target}),
        created_at = least(created_at, ${createdAt}),
        unanswered_since = least(unanswered_since, ${unansweredSince}::timestamptz),
        taken_by = coalesce(taken_by, ${takenBy}::integer),
        taken_at = coalesce(taken_at, ${takenAt}::timestamptz)
      WHERE id = ${target}`.execute(tx)
    await tx.deleteFrom('chatReaders').where('roomId', '=', id).execute()
    await tx.deleteFrom('chatRooms').where('id', '=', id).execute()
  }
}

interface Rooms {
  fromId: number
  intoId: number
  administratorId: number
  from: string
  target: string
}

/**
 * Marks the merged room as read up to the first message that was unread in one of the two rooms.
 */
async function mergeReaders(
  tx: Tx,
  { fromId, intoId, administratorId, from, target }: Rooms,
): Promise<void> {
  const sides = [
    { before: fromId, after: intoId },
    { before: administratorId, after: administratorId },
  ]
  for (const { before, after } of sides) {
    await sql`
      INSERT INTO chat_readers (room_id, user_id, read_up_to, read_at, mailed_up_to, mailed_at)
      SELECT ${target}, ${after},
        coalesce(
          (SELECT min(m.id) - 1 FROM chat_messages m
            LEFT JOIN chat_readers r ON r.room_id = m.room_id
              AND r.user_id = CASE m.room_id WHEN ${from} THEN ${before}::integer
                ELSE ${after}::integer END
            WHERE m.room_id IN (${from}, ${target}) AND m.id > coalesce(r.read_up_to, 0)
              AND m.receiver_id IN (${before}, ${after})),
          (SELECT max(id) FROM chat_messages WHERE room_id IN (${from}, ${target})), 0),
        max(known.read_at), coalesce(max(known.mailed_up_to), 0), max(known.mailed_at)
      FROM (SELECT 1) AS always
      LEFT JOIN chat_readers known ON (known.room_id = ${from} AND known.user_id = ${before})
        OR (known.room_id = ${target} AND known.user_id = ${after})
      ON CONFLICT (room_id, user_id) DO UPDATE SET read_up_to = excluded.read_up_to,
        read_at = excluded.read_at, mailed_up_to = excluded.mailed_up_to,
        mailed_at = excluded.mailed_at`.execute(tx)
  }
}
