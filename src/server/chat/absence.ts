import { sql } from 'kysely'
import { DEFAULT_LOCALE } from '../../i18n/locales.ts'
import { CHAT_MAIL_AFTER_MS, DAY_MS, MINUTE_MS } from '../../rules/limits.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { absenceMail } from './absence-mail.ts'
import { SHOP_NAME } from './inbox.ts'
import { AUTHOR } from './messages.ts'

type Parts = Pick<Deps, 'config' | 'database' | 'mailer' | 'now'>

interface AwayRow {
  email: string
  name: string
  sender: string
  content: string
}

/** Any number that nothing else of ours locks. */
const TELLING = 7_201_957

/**
 * Tells by mail everybody who has had no live connection for `CHAT_MAIL_AFTER_MS` and has not read
 * a message as old as that: once, whatever comes, until they read again. Of instances that do this
 * at once, one does. Answers how many were told.
 */
export async function tellAbsent(deps: Parts): Promise<number> {
  const away = await transaction(deps.database, (tx) => takeAbsent(tx, deps.now()))
  for (const { email, name, sender, content } of away) {
    const { siteUrl } = deps.config
    deps.mailer.post(async () =>
      absenceMail({ locale: DEFAULT_LOCALE, to: email, name, sender, content, siteUrl }),
    )
  }
  return away.length
}

/** Does that every minute, until the answer is called. */
export function watchAbsence(deps: Parts, report: (error: unknown) => void): () => void {
  let isStopped = false
  const timer = setInterval(() => {
    tellAbsent(deps).catch((error) => {
      if (!isStopped) report(error)
    })
  }, MINUTE_MS)
  timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

/** Who is to be told, noted as told; with the newest message that they have not read. */
async function takeAbsent(tx: Tx, now: number): Promise<AwayRow[]> {
  const since = new Date(now - CHAT_MAIL_AFTER_MS)
  // Nobody is told of what is old: the shop, or these mails, may have been off for long.
  const oldest = new Date(now - DAY_MS)
  const lock = await sql<{ isFree: boolean }>`
    SELECT pg_try_advisory_xact_lock(${TELLING}) AS "isFree"`.execute(tx)
  if (!lock.rows[0]?.isFree) return []
  const { rows } = await sql<AwayRow>`
    WITH pending AS (
      SELECT member.user_id, room.id AS room_id, unread.first_at, unread.newest
      FROM chat_rooms room
      CROSS JOIN LATERAL (VALUES (room.customer_id), (room.administrator_id)) member (user_id)
      LEFT JOIN chat_readers reader
        ON reader.room_id = room.id AND reader.user_id = member.user_id
      CROSS JOIN LATERAL (
        SELECT min(created_at) AS first_at, max(id) AS newest FROM chat_messages message
        WHERE message.room_id = room.id AND message.receiver_id = member.user_id
          AND message.id > greatest(reader.read_up_to, reader.mailed_up_to, 0)
          AND message.created_at > ${oldest}
      ) unread
      WHERE room.last_message_id > greatest(reader.read_up_to, reader.mailed_up_to, 0)
        AND unread.newest IS NOT NULL
    ), absent AS (
      SELECT user_id, max(newest) AS newest FROM pending
      GROUP BY user_id
      HAVING min(first_at) <= ${since}
        AND NOT EXISTS (
          SELECT FROM chat_presence WHERE user_id = pending.user_id AND seen_at > ${since})
        AND NOT EXISTS (
          SELECT FROM chat_readers WHERE user_id = pending.user_id
          HAVING max(mailed_at) >= coalesce(max(read_at), '-infinity'))
    ), told AS (
      INSERT INTO chat_readers AS known (room_id, user_id, mailed_up_to, mailed_at)
      SELECT room_id, user_id, pending.newest, ${new Date(now)}::timestamptz
      FROM pending JOIN absent USING (user_id)
      ON CONFLICT (room_id, user_id) DO UPDATE
      SET mailed_up_to = excluded.mailed_up_to, mailed_at = excluded.mailed_at
    )
    SELECT reader.email, trim(reader.first_name || ' ' || reader.last_name) AS name,
      CASE WHEN sender.role = 'SHOP' THEN coalesce(${AUTHOR}, ${SHOP_NAME})
        WHEN sender.role = 'ADMIN' THEN sender.username
        ELSE trim(sender.first_name || ' ' || sender.last_name) END AS sender,
      message.content
    FROM absent
    JOIN chat_messages message ON message.id = absent.newest
    JOIN users away ON away.id = absent.user_id
    -- What waits in the common inbox waits for every administrator.
    CROSS JOIN LATERAL (
      SELECT away.* WHERE away.role <> 'SHOP'
      UNION ALL
      SELECT * FROM users WHERE away.role = 'SHOP' AND role = 'ADMIN'
    ) reader
    JOIN users sender ON sender.id = message.sender_id
    ORDER BY reader.id`.execute(tx)
  return rows
}
