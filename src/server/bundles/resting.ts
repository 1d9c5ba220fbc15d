import { sql } from 'kysely'
import { isolate } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { accountLetter, enqueueMail, type Writers } from '../mail/mail.ts'

/** How many teachers are told in one transaction. */
const TOLD_AT_ONCE = 100

/** Whether bundle `b` has a document that is not for sale, or free. */
export const LACKS_DOCUMENT = sql`EXISTS (
  SELECT FROM bundle_documents l JOIN documents d ON d.id = l.document_id
  WHERE l.bundle_id = b.id AND (NOT d.is_published OR price_now(d) = 0))`

/**
 * Tells teachers, once, of each of their bundles that stopped selling since a document is not for sale any more
 * or free, however that came; one that sells again is told of anew. Noted in the transaction that queues the mail.
 */
export async function tellOfBundles({
  database,
  jobs,
  now,
}: Pick<Deps, 'database' | 'jobs' | 'now'>): Promise<void> {
  await transaction(database, async (tx) => {
    const { rows } = await sql<{ id: number; userId: number | null; lacks: boolean }>`
      UPDATE bundles SET told_at = CASE WHEN due.lacks THEN ${new Date(now())}::timestamptz END
      FROM (
        SELECT b.id, t.user_id, ${LACKS_DOCUMENT} AS lacks
        FROM bundles b JOIN teachers t ON t.id = b.teacher_id
        WHERE b.stopped_at IS NULL AND (b.told_at IS NULL) = ${LACKS_DOCUMENT}
        ORDER BY b.id LIMIT ${TOLD_AT_ONCE} FOR NO KEY UPDATE OF b SKIP LOCKED
      ) AS due
      WHERE bundles.id = due.id
      RETURNING bundles.id, due.user_id, due.lacks`.execute(tx)
    for (const { id: bundleId, userId, lacks } of rows) {
      // A teacher without an account has nobody to tell.
      if (lacks && userId !== null)
        await enqueueMail(tx, jobs, 'bundle_rests', { userId, bundleId })
    }
  })
}

interface Told {
  readonly to: string | null
  readonly locale: Locale
  readonly name: string
  readonly titles: string[]
}

/** Writes the mail about a bundle that stopped selling, unless it sells again, or ended, meanwhile. */
export function bundleMailWriters({
  config: { siteUrl },
  database: { kysely },
}: Pick<Deps, 'config' | 'database'>): Pick<Writers, 'bundle_rests'> {
  return {
    async bundle_rests({ userId, bundleId }, texts) {
      const { rows } = await sql<Told>`
        SELECT u.email AS "to", u.locale, u.first_name AS name,
          (SELECT array_agg(d.title ORDER BY d.id) FROM bundle_documents l
            JOIN documents d ON d.id = l.document_id WHERE l.bundle_id = b.id) AS titles
        FROM users u JOIN bundles b ON b.id = ${bundleId} AND b.stopped_at IS NULL
        WHERE u.id = ${userId} AND u.blocked_at IS NULL AND ${LACKS_DOCUMENT}`.execute(kysely)
      const [told] = rows
      if (!told) return null
      // A title may have either direction: isolated, it does not reorder the sentence around it.
      const titles = told.titles.map((title) => isolate(title.replace(/\s+/g, ' '))).join(' · ')
      return accountLetter({
        texts,
        ...told,
        words: texts[told.locale].mail.bundle,
        values: { titles },
        siteUrl,
        page: '/office/documents',
      })
    },
  }
}
