import { type Kysely, sql } from 'kysely'
import { calledIn, fillText, isolate, priceText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import {
  MAILED_NEWS,
  NEWS_IN_MAIL,
  NEWS_MAIL_EVERY_MS,
  NEWS_TEXT_EVERY_MS,
  NEWS_TEXTS_SHARE,
} from '../../rules/following.ts'
import { startOfDay, tunisianDay } from '../../rules/tunisia-time.ts'
import type { Schema } from '../database/schema.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { accountLetter, enqueueMail, shortMessage, type Writers } from '../mail/mail.ts'
import { type NewsRow, newsSince } from './news.ts'
import { unsubscribeToken } from './unsubscribe.ts'

/** How many accounts are looked at in one transaction. */
const LOOKED_AT_ONCE = 100

type Parts = Pick<Deps, 'database' | 'jobs' | 'now' | 'config' | 'sms'>

/**
 * Looks at the accounts whose week is over, or month where they are told by text messages, and
 * queues a mail to those that have news. Each is looked at by one process, and not again before another
 * week is over; returns how many were.
 */
export function mailNews(parts: Parts): Promise<number> {
  return transaction(parts.database, async (tx) => {
    const at = new Date(parts.now())
    const due = await takeDue(tx, parts, at)
    for (const { id, since } of due) {
      if ((await newsSince(tx, id, { since, kinds: MAILED_NEWS, most: 1 })).length === 0) continue
      await tx.updateTable('users').set({ newsQueuedAt: at }).where('id', '=', id).execute()
      const data = { userId: id, since: since.toISOString(), queuedAt: at.toISOString() }
      await enqueueMail(tx, parts.jobs, 'weekly_news', data)
    }
    return due.length
  })
}

async function takeDue(tx: Tx, { config, sms }: Parts, at: Date) {
  const before = (age: number) => new Date(at.getTime() - age)
  const texts = config.sms?.news && sms ? Math.floor(sms.perDay * NEWS_TEXTS_SHARE) : 0
  const today = startOfDay(tunisianDay(at))
  const { rows } = await sql<{ id: number; since: Date }>`
    WITH mails AS (
      SELECT id FROM users
      WHERE ${MAY_GET} AND email IS NOT NULL AND email_confirmed_at IS NOT NULL
        AND news_mailed_at <= ${before(NEWS_MAIL_EVERY_MS)}
      ORDER BY news_mailed_at LIMIT ${LOOKED_AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED
    ), texts AS (
      SELECT id FROM users
      WHERE ${MAY_GET} AND email IS NULL AND phone_confirmed_at IS NOT NULL
        AND news_mailed_at <= ${before(NEWS_TEXT_EVERY_MS)}
      ORDER BY news_mailed_at
      -- Accounts that are looked at in a day, so that codes find room among the shop's messages.
      LIMIT greatest(0, least(${LOOKED_AT_ONCE}, ${texts} - (SELECT count(*) FROM users
        WHERE email IS NULL AND news_mailed_at >= ${today} AND created_at < ${today})))
      FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE users SET news_mailed_at = ${at}, news_queued_at = NULL
    FROM users AS was
    WHERE was.id = users.id AND users.id IN (SELECT id FROM mails UNION ALL SELECT id FROM texts)
    RETURNING users.id, was.news_mailed_at AS since`.execute(tx)
  return rows
}

const MAY_GET = sql`wants_news AND role = 'PARENT' AND blocked_at IS NULL`

/** Writes the mail, or the text message, about the news of an account that still wants them. */
export function newsMailWriter({
  config: { siteUrl, sms },
  database: { kysely },
  now,
  secret,
}: Pick<Deps, 'config' | 'database' | 'now' | 'secret'>): Pick<Writers, 'weekly_news'> {
  return {
    async weekly_news({ userId, since, queuedAt }, texts) {
      const reader = await readReader(kysely, userId, queuedAt)
      if (!reader) return null
      const news = await newsSince(kysely, userId, {
        since: new Date(since),
        kinds: MAILED_NEWS,
        most: NEWS_IN_MAIL + 1,
      })
      if (news.length === 0) return null
      const { locale, to, phone, name } = reader
      const once = onceFor(kysely, userId, { queuedAt, at: new Date(now()) })
      const page = `${siteUrl}${pathIn(locale, '/news')}`
      if (to === null && phone !== null) {
        if (!sms?.news) return null
        return {
          phone,
          text: shortMessage(texts, locale, 'news', { link: page }),
          isCode: false,
          once,
        }
      }
      const words = texts[locale].following.mail
      const token = unsubscribeToken(secret, userId)
      const stop = `${siteUrl}${pathIn(locale, '/unsubscribe')}?token=${token}`
      return {
        ...accountLetter({
          ...{ texts, locale, to, name, words, siteUrl, page: '/news' },
          facts: news.slice(0, NEWS_IN_MAIL).map((each) => ({
            label: fillText(texts[locale].following.page.kinds[each.kind], valuesOf(locale, each)),
            value: each.title,
          })),
          after: [
            ...(news.length > NEWS_IN_MAIL ? [{ text: words.more }] : []),
            { link: words.stop, href: stop },
          ],
        }),
        headers: {
          'List-Unsubscribe': `<${siteUrl}/api/following/unsubscribe/${locale}/${token}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
        once,
      }
    },
  }
}

const valuesOf = (locale: Locale, { priceBefore, price, ...row }: NewsRow) => ({
  teacher: isolate(calledIn(locale, { name: row.teacherName, latinName: row.teacherLatinName })),
  before: priceText(locale, priceBefore ?? price),
  price: priceText(locale, price),
})

interface Reader {
  readonly locale: Locale
  readonly to: string | null
  readonly phone: string | null
  readonly name: string
}

async function readReader(db: Kysely<Schema>, userId: number, queuedAt: string) {
  const { rows } = await sql<Reader>`
    SELECT locale, CASE WHEN email_confirmed_at IS NOT NULL THEN email END AS "to",
      CASE WHEN phone_confirmed_at IS NOT NULL THEN phone END AS phone, first_name AS name
    FROM users WHERE id = ${userId} AND news_queued_at = ${queuedAt}::timestamptz AND ${MAY_GET}`.execute(
    db,
  )
  return rows[0]
}

/** Notes that a mail is handed over before it is, so that nobody gets it twice. */
const onceFor = (
  db: Kysely<Schema>,
  userId: number,
  { queuedAt, at }: { queuedAt: string; at: Date },
) => ({
  async take() {
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set({ newsQueuedAt: null, newsMailedAt: at })
      .where('id', '=', userId)
      .where('newsQueuedAt', '=', new Date(queuedAt))
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0
  },
  async giveBack() {
    await db
      .updateTable('users')
      .set({ newsQueuedAt: new Date(queuedAt) })
      .where('id', '=', userId)
      .where('newsQueuedAt', 'is', null)
      .where('newsMailedAt', '=', at)
      .execute()
  },
})
