import { type Kysely, sql } from 'kysely'
import type { Administrator } from '../../contract/chat.ts'
import { otherMember, roomId } from '../../rules/room.ts'
import type { AccountRole, Schema } from '../database/schema.ts'
import { fault } from '../http/errors.ts'
import type { User } from '../http/route.ts'
import { shopAccount, shopName } from './inbox.ts'
import { AUTHOR, type MessageRow } from './messages.ts'

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
export interface SummaryRow extends Omit<MessageRow, 'id'> {
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
        ELSE trim(other.first_name || ' ' || other.last_name) END AS other_name,
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
  const people = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('role', '=', 'ADMIN')
    .where('passwordHash', 'is not', null)
    .where('blockedAt', 'is', null)
    .orderBy('id')
    .execute()
  return [shop, ...people]
}
