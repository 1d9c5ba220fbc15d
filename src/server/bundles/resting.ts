import { sql } from 'kysely'
import { isolate, priceText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { sumOf } from '../../rules/bundles.ts'
import type { Millimes } from '../../rules/money.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { accountLetter, enqueueMail, type Writers } from '../mail/mail.ts'
import { readShared } from './shared.ts'

/** How many teachers are told in one transaction. */
const TOLD_AT_ONCE = 100

/**
 * Whether bundle `b` has a document that is not for sale, is free or, of several teachers, costs something else
 * than they agreed to; or one of them does not agree any more.
 */
const RESTS = sql`(EXISTS (
    SELECT FROM bundle_documents l JOIN documents d ON d.id = l.document_id
    WHERE l.bundle_id = b.id
      AND (NOT d.is_published OR price_now(d) = 0 OR price_now(d) <> coalesce(l.price, price_now(d))))
  OR EXISTS (SELECT FROM bundle_agreements WHERE bundle_id = b.id AND answer = 'refused'))`

/** Whether bundle `b` has not ended: of several teachers, it also stops until they agree. */
const GOES_ON = sql`(b.ended_at IS NULL AND (b.stopped_at IS NULL OR b.teacher_id IS NULL))`

/** The accounts of the teachers of bundle `b` who do not know that it rests, since they did not refuse it. */
const USERS = sql`ARRAY(
  SELECT t.user_id FROM teachers t
  LEFT JOIN bundle_agreements a ON a.bundle_id = b.id AND a.teacher_id = t.id
  WHERE t.user_id IS NOT NULL
    AND (t.id = b.teacher_id OR (a.teacher_id IS NOT NULL AND a.answer IS DISTINCT FROM 'refused')))`

/**
 * Tells teachers, once, of each of their bundles that stopped selling since a document is not for sale any more,
 * free or at another price, or another teacher does not agree, however that came; one that sells again is told of
 * anew. Noted in the transaction that queues the mail.
 */
export async function tellOfBundles({
  database,
  jobs,
  now,
}: Pick<Deps, 'database' | 'jobs' | 'now'>): Promise<void> {
  await transaction(database, async (tx) => {
    const { rows } = await sql<{ id: number; userIds: number[]; rests: boolean }>`
      UPDATE bundles SET told_at = CASE WHEN due.rests THEN ${new Date(now())}::timestamptz END
      FROM (
        SELECT b.id, ${USERS} AS user_ids, ${RESTS} AS rests
        FROM bundles b WHERE ${GOES_ON} AND (b.told_at IS NULL) = ${RESTS}
        ORDER BY b.id LIMIT ${TOLD_AT_ONCE} FOR NO KEY UPDATE OF b SKIP LOCKED
      ) AS due
      WHERE bundles.id = due.id
      RETURNING bundles.id, due.user_ids, due.rests`.execute(tx)
    for (const { id: bundleId, userIds, rests } of rows) {
      for (const userId of rests ? userIds : []) {
        await enqueueMail(tx, jobs, 'bundle_rests', { userId, bundleId })
      }
    }
  })
}

interface Told {
  readonly to: string | null
  readonly locale: Locale
  readonly name: string
  readonly isShared: boolean
  readonly titles: string[]
}

/** Writes the mails about bundles: one that rests, unless it sells again or ended meanwhile; one that is offered. */
export function bundleMailWriters({
  config: { siteUrl },
  database: { kysely },
}: Pick<Deps, 'config' | 'database'>): Pick<Writers, 'bundle_rests' | 'bundle_asks'> {
  return {
    async bundle_rests({ userId, bundleId }, texts) {
      const { rows } = await sql<Told>`
        SELECT u.email AS "to", u.locale, u.first_name AS name, b.teacher_id IS NULL AS is_shared,
          (SELECT array_agg(d.title ORDER BY d.id) FROM bundle_documents l
            JOIN documents d ON d.id = l.document_id WHERE l.bundle_id = b.id) AS titles
        FROM users u JOIN bundles b ON b.id = ${bundleId} AND ${GOES_ON}
        WHERE u.id = ${userId} AND u.blocked_at IS NULL AND ${RESTS}`.execute(kysely)
      const [told] = rows
      if (!told) return null
      const { bundle, sharedBundle } = texts[told.locale].mail
      return accountLetter({
        texts,
        ...told,
        words: told.isShared ? sharedBundle.rests : bundle,
        values: { titles: told.titles.map(titleIn).join(' · ') },
        siteUrl,
        page: told.isShared ? '/office/bundles' : '/office/documents',
      })
    },

    async bundle_asks({ userId, bundleId, revision }, texts) {
      const user = await kysely
        .selectFrom('users')
        .innerJoin('teachers', 'teachers.userId', 'users.id')
        .select(['users.email', 'users.locale', 'users.firstName', 'teachers.id as teacherId'])
        .where('users.id', '=', userId)
        .where('users.blockedAt', 'is', null)
        .executeTakeFirst()
      if (!user) return null
      const { teacherId, locale, email: to, firstName: name } = user
      const [bundle] = (await readShared(kysely, { id: bundleId, teacherId })).bundles
      // Answered, ended or changed meanwhile, of which another mail tells those whom it asks.
      if (bundle?.revision !== revision || bundle.answer !== null) return null
      const amount = (millimes: Millimes) => priceText(locale, millimes)
      const own = bundle.documents.filter(({ isOwn }) => isOwn)
      return accountLetter({
        texts,
        to,
        locale,
        name,
        words: texts[locale].mail.sharedBundle.asks,
        values: {
          price: amount(bundle.price),
          share: amount(sumOf(own.map(({ share }) => share))),
        },
        facts: bundle.documents.map(({ title, share }) => ({ label: title, value: amount(share) })),
        siteUrl,
        page: '/office/bundles',
      })
    },
  }
}

// A title may have either direction: isolated, it does not reorder the sentence around it.
const titleIn = (title: string) => isolate(title.replace(/\s+/g, ' '))
