import { sql } from 'kysely'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import type { Allowance } from '../http/attempt-counter.ts'
import { type ApiFault, fault } from '../http/errors.ts'
import { actorNames, doneBefore, logStaff, userActor } from '../staff-log/staff-log.ts'
import { findSent, type MessageRow } from './messages.ts'
import { storeMessage } from './send.ts'

/** A conversation, the member of staff who acts on it, and how the log names both. */
export interface Handling {
  readonly roomId: string
  /** The administrator. */
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

/** The name of a customer's conversations in the log. */
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

/** The fault for an administrator when another one has taken the conversation first. */
async function takenBefore(tx: Tx, { takenBy, takenAt }: Room): Promise<ApiFault> {
  const who = userActor(takenBy ?? 0)
  const by = (await actorNames(tx, [who])).get(who) ?? who
  return fault('done_before', { done: { by, at: (takenAt ?? new Date(0)).toISOString() } })
}
