import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Input } from '../../contract/call.ts'
import type { Conversation, listConversations } from '../../contract/office-conversations.ts'
import type { Language } from '../../rules/languages.ts'
import { PAGE_SIZE } from '../../rules/pager.ts'
import { previewText } from '../../rules/preview-text.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { nameOrContactIn } from '../database/sql-parts.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import type { Allowance } from '../http/attempt-counter.ts'
import { type ApiFault, fault } from '../http/errors.ts'
import { foldPeople, isMeantBy } from '../people-search/people-search.ts'
import { actorNames, doneBefore, logStaff, userActor } from '../staff-log/staff-log.ts'
import { AUTHOR, findSent, type MessageRow, storeMessage } from './messages.ts'

/** How many characters of its last message the list shows for a conversation. */
const TEXT_SHOWN = 120

type Filters = Input<typeof listConversations>['query']

interface Row {
  roomId: string
  customerId: number
  administratorId: number
  name: string
  firstName: string
  language: Language
  isBlocked: boolean
  isClosed: boolean
  isShared: boolean
  takenBy: number | null
  takenName: string | null
  takenAt: Date | null
  unansweredSince: Date | null
  unread: number
  lastId: number
  content: string
  at: Date
  senderId: number
  author: string | null
}

/** The rooms of the common inbox, and those of this administrator, that have messages. */
const openTo = (
  userId: number,
) => sql`room.last_message_id IS NOT NULL AND room.administrator_id IN (
  SELECT id FROM users WHERE role = 'SHOP' UNION ALL SELECT ${userId}::integer)`

export async function findConversations(
  database: Pick<Database, 'kysely'>,
  userId: number,
  { q = '', show, customer, page = 0, size = PAGE_SIZE }: Filters,
): Promise<{ conversations: Conversation[]; total: number; page: number; size: number }> {
  const conditions = [openTo(userId)]
  if (show === 'waiting') conditions.push(sql`room.unanswered_since IS NOT NULL`)
  if (show === 'mine')
    conditions.push(sql`${userId}::integer IN (room.taken_by, room.administrator_id)`)
  if (show === 'taken') conditions.push(sql`room.taken_by IS NOT NULL`)
  if (customer) conditions.push(sql`room.customer_id = ${customer}`)
  if (q.trim() !== '') {
    await foldPeople(database)
    conditions.push(
      sql`EXISTS (SELECT FROM users WHERE users.id = room.customer_id AND ${isMeantBy(q)})`,
    )
  }
  const where = sql.join(conditions, sql` AND `)
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::integer AS total FROM chat_rooms room WHERE ${where}`.execute(database.kysely)
  const rows = await readRows(
    database.kysely,
    sql`SELECT * FROM chat_rooms room WHERE ${where}
      ORDER BY room.unanswered_since, room.last_message_id DESC LIMIT ${size} OFFSET ${page * size}`,
  )
  return { conversations: rows.map(presentConversation), total: counted[0]?.total ?? 0, page, size }
}

/**
 * One of these conversations. Throws `forbidden` for another administrator's, `room_not_found` if
 * there is none or it has no messages.
 */
export async function readConversation(
  db: Kysely<Schema>,
  roomId: string,
  userId: number,
): Promise<Conversation> {
  const [row] = await readRows(
    db,
    sql`SELECT * FROM chat_rooms room WHERE room.id = ${roomId} AND last_message_id IS NOT NULL`,
  )
  if (!row) throw fault('room_not_found')
  if (!row.isShared && row.administratorId !== userId) throw fault('forbidden')
  return presentConversation(row)
}

async function readRows(db: Kysely<Schema>, rooms: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT room.id AS room_id, room.customer_id, room.administrator_id,
      ${nameOrContactIn('customer')} AS name, customer.first_name, customer.locale AS language,
      customer.blocked_at IS NOT NULL AS is_blocked, customer.merged_into IS NOT NULL AS is_closed,
      office.role = 'SHOP' AS is_shared,
      room.taken_by, ${nameOrContactIn('taker')} AS taken_name, room.taken_at, room.unanswered_since,
      (SELECT count(*)::integer FROM chat_messages unread
        WHERE unread.room_id = room.id AND unread.receiver_id = room.administrator_id
          AND unread.id > coalesce(reader.read_up_to, 0)) AS unread,
      message.id AS last_id, left(message.content, ${TEXT_SHOWN * 2}) AS content,
      message.created_at AS at, message.sender_id, ${AUTHOR} AS author
    FROM (${rooms}) room
    JOIN users customer ON customer.id = room.customer_id
    JOIN users office ON office.id = room.administrator_id
    LEFT JOIN users taker ON taker.id = room.taken_by
    JOIN chat_messages message ON message.id = room.last_message_id
    LEFT JOIN chat_readers reader
      ON reader.room_id = room.id AND reader.user_id = room.administrator_id
    ORDER BY room.unanswered_since, room.last_message_id DESC`.execute(db)
  return rows
}

function presentConversation(row: Row): Conversation {
  const { takenBy, takenName, takenAt } = row
  return {
    roomId: row.roomId,
    customer: {
      id: row.customerId,
      name: row.name,
      firstName: row.firstName,
      language: row.language,
      state: row.isClosed ? 'closed' : row.isBlocked ? 'blocked' : 'active',
    },
    officeId: row.administratorId,
    isShared: row.isShared,
    takenBy:
      takenBy === null || takenAt === null
        ? null
        : { id: takenBy, name: takenName ?? '', since: takenAt.toISOString() },
    waitingSince: row.unansweredSince?.toISOString() ?? null,
    unread: row.unread,
    last: {
      id: row.lastId,
      text: previewText(row.content.replace(/\s+/g, ' '), TEXT_SHOWN),
      at: row.at.toISOString(),
      isCustomers: row.senderId === row.customerId,
      author: row.author,
    },
  }
}

/** A conversation, the member of staff who acts on it, and how the log names both. */
export interface Handling {
  readonly roomId: string
  readonly userId: number
  readonly actor: string
  /** An addition to the log entry. */
  readonly reason?: string
}

interface Room {
  id: string
  customerId: number
  administratorId: number
  isShared: boolean
  takenBy: number | null
  takenAt: Date | null
  unansweredSince: Date | null
  lastMessageId: number | null
}

type Parts = Pick<Deps, 'database' | 'now'>

const conversationSubject = (id: number) => ({ kind: 'conversation', id })

/**
 * Takes a conversation of the common inbox: a free one, or the one that `from` held when it was
 * read. Throws `done_before` if somebody else holds it now.
 */
export function takeConversation(
  { database, now }: Parts,
  handling: Handling,
  from: number | null,
): Promise<void> {
  return transaction(database, async (tx) => {
    const room = await lockRoom(tx, handling)
    if (!room.isShared) throw fault('forbidden')
    if (room.takenBy === handling.userId) return
    if (room.takenBy !== null && room.takenBy !== from) throw await takenBefore(tx, room)
    await hold(tx, room, { handling, now: now() })
  })
}

/** Returns a conversation to the inbox. Throws `done_before` if somebody else holds it now. */
export function handBackConversation({ database }: Parts, handling: Handling): Promise<void> {
  return transaction(database, async (tx) => {
    const room = await lockRoom(tx, handling)
    if (room.takenBy === null) return
    if (room.takenBy !== handling.userId) throw await takenBefore(tx, room)
    await tx
      .updateTable('chatRooms')
      .set({ takenBy: null, takenAt: null })
      .where('id', '=', room.id)
      .execute()
    await note(tx, room, handling, 'hand back conversation')
  })
}

/**
 * Marks a conversation as not waiting, without an answer. Throws `conversation_went_on` if its
 * customer has written after `upTo`, `done_before` if somebody else has taken, answered or closed
 * it.
 */
export function closeConversation(
  { database }: Parts,
  handling: Handling,
  upTo: number,
): Promise<void> {
  return transaction(database, async (tx) => {
    const room = await lockRoom(tx, handling)
    if (isOthers(room, handling)) throw await takenBefore(tx, room)
    if (room.unansweredSince === null) {
      const actions = ['close conversation', 'answer message'] as const
      const subject = conversationSubject(room.customerId)
      throw (await doneBefore(tx, { subject, actions })) ?? fault('conversation_went_on')
    }
    if ((room.lastMessageId ?? 0) > upTo) throw fault('conversation_went_on')
    await tx
      .updateTable('chatRooms')
      .set({ unansweredSince: null })
      .where('id', '=', room.id)
      .execute()
    await note(tx, room, handling, 'close conversation')
  })
}

interface Answer extends Handling {
  /** Trimmed. */
  readonly content: string
  readonly clientId: string | null
}

/**
 * Answers for the shop or, in an administrator's own conversation, as that administrator, who
 * thereby takes it; a repetition with the same `clientId` returns the stored message. Throws
 * `done_before`, `idempotency_conflict`, `too_many_requests`.
 */
export function answerConversation(
  { database, now }: Parts,
  { content, clientId, ...handling }: Answer,
  allowance: Allowance,
): Promise<MessageRow> {
  return transaction(database, async (tx) => {
    const room = await lockRoom(tx, handling)
    const draft = {
      roomId: room.id,
      senderId: room.administratorId,
      receiverId: room.customerId,
      ...(room.isShared && { authorId: handling.userId }),
      content,
      clientId,
    }
    const sent = await findSent(tx, draft)
    if (sent) return sent
    if (isOthers(room, handling)) throw await takenBefore(tx, room)
    if (room.isShared && room.takenBy !== handling.userId) {
      await hold(tx, room, { handling, now: now() })
    }
    const stored = await storeMessage({ kysely: tx }, draft, { allowance, now: now() })
    await note(tx, room, handling, 'answer message')
    return stored
  })
}

/** The room, locked until the transaction ends. Throws `forbidden`, `room_not_found`. */
async function lockRoom(tx: Tx, { roomId, userId }: Handling): Promise<Room> {
  const { rows } = await sql<Room>`
    SELECT room.*, office.role = 'SHOP' AS is_shared
    FROM chat_rooms room JOIN users office ON office.id = room.administrator_id
    WHERE room.id = ${roomId} FOR NO KEY UPDATE OF room`.execute(tx)
  const [room] = rows
  if (!room) throw fault('room_not_found')
  if (!room.isShared && room.administratorId !== userId) throw fault('forbidden')
  return room
}

const isOthers = ({ takenBy }: Room, { userId }: Handling) => takenBy !== null && takenBy !== userId

async function hold(
  tx: Tx,
  room: Room,
  { handling, now }: { handling: Handling; now: number },
): Promise<void> {
  await tx
    .updateTable('chatRooms')
    .set({ takenBy: handling.userId, takenAt: new Date(now) })
    .where('id', '=', room.id)
    .execute()
  const action = room.takenBy === null ? 'take conversation' : 'take over conversation'
  await note(tx, room, handling, action)
}

function note(
  tx: Tx,
  { customerId }: Room,
  { actor, reason = null }: Pick<Handling, 'actor'> & { reason?: string | null },
  action: Parameters<typeof logStaff>[1]['action'],
): Promise<void> {
  return logStaff(tx, { actor, action, subject: conversationSubject(customerId), reason })
}

async function takenBefore(tx: Tx, { takenBy, takenAt }: Room): Promise<ApiFault> {
  const who = userActor(takenBy ?? 0)
  const by = (await actorNames(tx, [who])).get(who) ?? who
  return fault('done_before', { done: { by, at: (takenAt ?? new Date(0)).toISOString() } })
}
