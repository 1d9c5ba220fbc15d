import { sql } from 'kysely'
import { roomId } from '../../rules/room.ts'
import type { Tx } from '../database/transaction.ts'

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
