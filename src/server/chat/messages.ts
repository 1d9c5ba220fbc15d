import { type Kysely, sql } from 'kysely'
import { CHAT_PAGE_SIZE, type Message } from '../../contract/chat.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import type { Allowance } from '../http/attempt-counter.ts'
import { fault } from '../http/errors.ts'

export interface MessageRow {
  id: number
  roomId: string
  senderId: number
  receiverId: number
  /** The name of the administrator who wrote it for the shop; null for all other messages. */
  author: string | null
  content: string
  clientId: string | null
  createdAt: Date
}

/** The `author` of a row of `chat_messages` with the alias `message`. */
export const AUTHOR = sql<
  string | null
>`(SELECT username FROM users WHERE users.id = message.author_id)`

const COLUMNS = [
  'message.id',
  'message.roomId',
  'message.senderId',
  'message.receiverId',
  AUTHOR.as('author'),
  'message.content',
  'message.clientId',
  'message.createdAt',
] as const

/**
 * Messages of a room, oldest first: the newest, the newest below the id `before`, or the oldest
 * above `after`.
 */
export async function readMessages(
  db: Kysely<Schema>,
  room: string,
  span: { before?: number; after?: number; limit?: number },
): Promise<MessageRow[]> {
  const { before, after, limit = CHAT_PAGE_SIZE } = span
  let query = db.selectFrom('chatMessages as message').select(COLUMNS).where('roomId', '=', room)
  if (before !== undefined) query = query.where('message.id', '<', before)
  if (after !== undefined) query = query.where('message.id', '>', after)
  const order = after === undefined ? 'desc' : 'asc'
  const rows = await query.orderBy('message.id', order).limit(limit).execute()
  return order === 'desc' ? rows.reverse() : rows
}

export function readMessage(db: Kysely<Schema>, id: number): Promise<MessageRow | undefined> {
  return db
    .selectFrom('chatMessages as message')
    .select(COLUMNS)
    .where('message.id', '=', id)
    .executeTakeFirst()
}

/** Marks a room as read up to a message, at most up to the last one, and never backwards. */
export async function noteRead(
  db: Kysely<Schema>,
  { roomId, lastMessageId }: { roomId: string; lastMessageId: number },
  reader: { userId: number; upTo: number; now: number },
): Promise<void> {
  const reached = Math.min(reader.upTo, lastMessageId)
  await sql`
    INSERT INTO chat_readers AS known (room_id, user_id, read_up_to, read_at)
    VALUES (${roomId}, ${reader.userId}, ${reached}, ${new Date(reader.now)})
    ON CONFLICT (room_id, user_id) DO UPDATE
    SET read_up_to = greatest(known.read_up_to, excluded.read_up_to),
      read_at = excluded.read_at`.execute(db)
}

/** The message that a sender has stored under this `clientId`. Throws `idempotency_conflict`. */
export async function findSent(
  db: Kysely<Schema>,
  { roomId, senderId, content, clientId }: Draft,
): Promise<MessageRow | undefined> {
  if (clientId === null) return undefined
  const stored = await db
    .selectFrom('chatMessages as message')
    .select(COLUMNS)
    .where('senderId', '=', senderId)
    .where('clientId', '=', clientId)
    .executeTakeFirst()
  if (stored && (stored.roomId !== roomId || stored.content !== content)) {
    throw fault('idempotency_conflict')
  }
  return stored
}

interface Draft {
  readonly roomId: string
  readonly senderId: number
  readonly receiverId: number
  /** The administrator who writes it for the shop; by default the sender is the author. */
  readonly authorId?: number
  /** Trimmed. */
  readonly content: string
  readonly clientId: string | null
}

export function presentMessage(row: MessageRow): Message {
  return {
    id: row.id,
    senderId: row.senderId,
    receiverId: row.receiverId,
    roomId: row.roomId,
    author: row.author,
    content: row.content,
    timestamp: row.createdAt.toISOString(),
    clientId: row.clientId,
  }
}

/** The channel of announcements by `pg_notify`: `<message id> <room id>`. */
export const CHAT_CHANNEL = 'chat'

/** `now` in milliseconds since 1970. */
interface SendLimits {
  readonly allowance: Allowance
  readonly now: number
  /** Counts a message that is not a repetition; throws where there are too many. */
  readonly count?: () => void
}

/**
 * Stores a message and announces it to every instance; a repetition with the same `clientId`
 * returns the stored one. Throws `idempotency_conflict`, `too_many_requests`.
 */
export async function storeMessage(
  { kysely }: Pick<Database, 'kysely'>,
  draft: Draft,
  limits: SendLimits,
): Promise<MessageRow> {
  const sent = await findSent(kysely, draft)
  if (sent) return sent
  limits.count?.()
  const stored = await insertMessage(kysely, draft, limits)
  if (stored) return stored
  // The same message was sent twice at the same time, or the writer has sent too many.
  const meanwhile = await findSent(kysely, draft)
  if (meanwhile) return meanwhile
  throw fault('too_many_requests', { retryAfter: await waitOf(kysely, writerOf(draft), limits) })
}

/**
 * A single statement, so that the locks last one round trip. It locks the room's row before it
 * takes an id, so that the ids of a room increase in the order of commits. The writer's row counts
 * messages across all instances, rooms and connections.
 */
async function insertMessage(
  db: Kysely<Schema>,
  draft: Draft,
  { allowance, now }: SendLimits,
): Promise<MessageRow | undefined> {
  const { roomId, senderId, receiverId, authorId = null, content, clientId } = draft
  const moment = new Date(now)
  const end = new Date(now + allowance.windowMs)
  const { rows } = await sql<MessageRow>`
    WITH room AS MATERIALIZED (
      SELECT id FROM chat_rooms WHERE id = ${roomId} FOR NO KEY UPDATE
    ), counted AS (
      INSERT INTO chat_senders AS sender (user_id, window_ends_at, sent)
      SELECT ${writerOf(draft)}::integer, ${end}::timestamptz, 1 FROM room
      ON CONFLICT (user_id) DO UPDATE SET
        sent = CASE WHEN sender.window_ends_at <= ${moment} THEN 1 ELSE sender.sent + 1 END,
        window_ends_at = CASE WHEN sender.window_ends_at <= ${moment}
          THEN excluded.window_ends_at ELSE sender.window_ends_at END
      WHERE sender.window_ends_at <= ${moment} OR sender.sent < ${allowance.max}
      RETURNING user_id
    ), stored AS (
      INSERT INTO chat_messages (room_id, sender_id, receiver_id, author_id, content, client_id)
      SELECT room.id, ${senderId}::integer, ${receiverId}::integer, ${authorId}::integer,
        ${content}, ${clientId}
      FROM room, counted
      ON CONFLICT (sender_id, client_id) DO NOTHING
      RETURNING *
    ), touched AS (
      UPDATE chat_rooms SET last_message_id = stored.id,
        unanswered_since = CASE WHEN stored.sender_id = chat_rooms.customer_id
          THEN coalesce(chat_rooms.unanswered_since, stored.created_at) END
      FROM stored WHERE chat_rooms.id = stored.room_id
    ), read AS (
      INSERT INTO chat_readers AS reader (room_id, user_id, read_up_to, read_at)
      SELECT room_id, sender_id, id, ${moment}::timestamptz FROM stored
      ON CONFLICT (room_id, user_id) DO UPDATE
      SET read_up_to = greatest(reader.read_up_to, excluded.read_up_to),
        read_at = excluded.read_at
    )
    SELECT message.*, ${AUTHOR} AS author,
      pg_notify(${CHAT_CHANNEL}, message.id || ' ' || message.room_id)
    FROM stored message`.execute(db)
  return rows[0]
}

/** The user whose allowance the message counts against. */
function writerOf({ senderId, authorId = senderId }: Draft): number {
  return authorId
}

async function waitOf(
  db: Kysely<Schema>,
  userId: number,
  { allowance, now }: SendLimits,
): Promise<number> {
  const row = await db
    .selectFrom('chatSenders')
    .select('windowEndsAt')
    .where('userId', '=', userId)
    .executeTakeFirst()
  const left = row ? Number(new Date(row.windowEndsAt)) - now : allowance.windowMs
  return Math.max(1, Math.ceil(left / 1000))
}
