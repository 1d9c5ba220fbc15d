import { type Kysely, sql } from 'kysely'
import { CHAT_PAGE_SIZE } from '../../contract/chat.ts'
import type { Schema } from '../database/schema.ts'
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

/** A message; undefined if there is none with this id. */
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

/** A message before it is stored. */
export interface Draft {
  readonly roomId: string
  readonly senderId: number
  readonly receiverId: number
  /** The administrator who writes it for the shop; by default the sender is the author. */
  readonly authorId?: number
  /** Trimmed. */
  readonly content: string
  readonly clientId: string | null
}
