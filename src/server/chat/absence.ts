import { sql } from 'kysely'
import type { Locale } from '../../i18n/locales.ts'
import type { Texts } from '../../i18n/texts.ts'
import { DAY_MS, MINUTE_MS } from '../../rules/durations.ts'
import { previewText } from '../../rules/preview-text.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import { type Tx, transaction, tryLock } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { accountLetter, enqueueMail, type MailData, type WrittenMail } from '../mail/mail.ts'
import { AUTHOR } from './messages.ts'
import { shopName } from './rooms.ts'

/** The age at which an unread message is announced by mail, once per absence. */
export const CHAT_MAIL_AFTER_MS = 10 * MINUTE_MS

type Parts = Pick<Deps, 'database' | 'jobs' | 'now'>

/**
 * Queues a mail to every user who has had no live connection for `CHAT_MAIL_AFTER_MS` and has an
 * unread message at least that old; the next one is queued only after they have read again. Only
 * one instance does this at a time. Returns the number of queued mails.
 */
export function mailAbsent({ database, jobs, now }: Parts): Promise<number> {
  return transaction(database, async (tx) => {
    const away = await takeAbsent(tx, now())
    for (const absence of away) await enqueueMail(tx, jobs, 'absence', absence)
    return away.length
  })
}

export async function writeAbsence(
  { config, database }: Pick<Deps, 'config' | 'database'>,
  { userId, messageId }: MailData['absence'],
  texts: Texts,
): Promise<WrittenMail | null> {
  const { rows } = await sql<Omit<Unread, 'siteUrl' | 'texts'>>`
    SELECT reader.locale, reader.email AS "to",
      ${fullNameIn('reader')} AS name,
      CASE WHEN sender.role = 'SHOP' THEN coalesce(${AUTHOR}, ${await shopName(database.kysely)})
        WHEN sender.role = 'ADMIN' THEN sender.username
        ELSE ${fullNameIn('sender')} END AS sender,
      message.content
    FROM chat_messages message
    JOIN users reader ON reader.id = ${userId}
    JOIN users sender ON sender.id = message.sender_id
    WHERE message.id = ${messageId}`.execute(database.kysely)
  const [unread] = rows
  return unread ? absenceMail({ ...unread, texts, siteUrl: config.siteUrl }) : null
}

/** The users who get a mail, with their newest unread message; marks them as mailed. */
async function takeAbsent(tx: Tx, now: number): Promise<MailData['absence'][]> {
  const since = new Date(now - CHAT_MAIL_AFTER_MS)
  // No mails about older messages: the shop, or these mails, may have been turned off for long.
  const oldest = new Date(now - DAY_MS)
  if (!(await tryLock(tx, 'absence mails'))) return []
  const { rows } = await sql<MailData['absence']>`
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
    ), noted AS (
      INSERT INTO chat_readers AS known (room_id, user_id, mailed_up_to, mailed_at)
      SELECT room_id, user_id, pending.newest, ${new Date(now)}::timestamptz
      FROM pending JOIN absent USING (user_id)
      ON CONFLICT (room_id, user_id) DO UPDATE
      SET mailed_up_to = excluded.mailed_up_to, mailed_at = excluded.mailed_at
    )
    SELECT recipient.id AS "userId", absent.newest AS "messageId"
    FROM absent
    JOIN users away ON away.id = absent.user_id
    -- Conversations of the common inbox wait for every administrator.
    CROSS JOIN LATERAL (
      SELECT away.id WHERE away.role <> 'SHOP'
      UNION ALL
      SELECT id FROM users WHERE away.role = 'SHOP' AND role = 'ADMIN' AND blocked_at IS NULL
    ) recipient
    ORDER BY recipient.id`.execute(tx)
  return rows
}

interface Unread {
  readonly texts: Texts
  readonly locale: Locale
  readonly to: string | null
  readonly name: string
  /** The author of the last message, and its text, of which the mail shows only the beginning. */
  readonly sender: string
  readonly content: string
  readonly siteUrl: string
}

export function absenceMail({
  texts,
  locale,
  to,
  name,
  sender,
  content,
  siteUrl,
}: Unread): WrittenMail {
  const words = texts[locale]['chat-mail']
  // A header must be one line, even if a name contains line breaks.
  const values = { name: sender.replace(/\s+/g, ' ') }
  return accountLetter({
    ...{ texts, locale, to, name, words, values, siteUrl, page: '/chat' },
    facts: [{ label: sender, value: previewText(content.replace(/\s+/g, ' ')) }],
    after: [{ text: words.once }],
  })
}
