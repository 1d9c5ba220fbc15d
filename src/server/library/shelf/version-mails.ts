import { type Kysely, sql } from 'kysely'
import { isolate } from '../../../i18n/format.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { EARLIER_VERSION_DAYS } from '../../../rules/downloads.ts'
import type { Schema } from '../../database/schema.ts'
import { type Tx, transaction, tryLock } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { accountLetter, enqueueMail, type Writers } from '../../mail/mail.ts'

/** How many owners get mails at a time, so that a bestseller's mails do not delay others. */
const MAILS_AT_ONCE = 100

/** Schedules the mails to a document's owners about its new version, once for each version. */
export async function announceVersion(tx: Tx, of: { documentId: number; version: number }) {
  await tx
    .insertInto('versionMailings')
    .values(of)
    .onConflict((row) =>
      row.column('documentId').doUpdateSet({ version: of.version, mailedUpTo: 0 }),
    )
    .execute()
}

/** Queues the next mails; returns their number. One instance does this at a time. */
export function mailVersions({ database, jobs }: Pick<Deps, 'database' | 'jobs'>): Promise<number> {
  return transaction(database, async (tx) => {
    if (!(await tryLock(tx, 'version mails'))) return 0
    const next = await tx
      .selectFrom('versionMailings')
      .selectAll()
      .orderBy('documentId')
      .limit(1)
      .executeTakeFirst()
    if (!next) return 0
    const { documentId, version, mailedUpTo } = next
    const { rows } = await sql<{ userId: number }>`
      SELECT p.user_id FROM purchases p
      JOIN document_versions v ON v.document_id = p.document_id AND v.number = ${version}
      WHERE p.document_id = ${documentId} AND p.purchased_at < v.decided_at
        AND p.user_id > ${mailedUpTo}
      ORDER BY p.user_id LIMIT ${MAILS_AT_ONCE}`.execute(tx)
    for (const { userId } of rows) {
      await enqueueMail(tx, jobs, 'new_version', { userId, documentId, version })
    }
    const isDone = rows.length < MAILS_AT_ONCE
    await (isDone
      ? tx.deleteFrom('versionMailings').where('documentId', '=', documentId).execute()
      : tx
          .updateTable('versionMailings')
          .set({ mailedUpTo: rows.at(-1)?.userId ?? mailedUpTo })
          .where('documentId', '=', documentId)
          .execute())
    return rows.length
  })
}

/** Writes the mail to an owner who has not seen the version yet. */
export function versionMailWriter({
  config: { siteUrl },
  database: { kysely },
}: Pick<Deps, 'config' | 'database'>): Pick<Writers, 'new_version'> {
  return {
    async new_version(of, texts) {
      const owner = await readOwner(kysely, of)
      if (!owner) return null
      const { locale, to, name, title, changes } = owner
      const words = texts[locale].versions.mail
      // A title may have either direction: isolated, it does not reorder the sentence around it.
      const values = {
        title: isolate(title.replace(/\s+/g, ' ')),
        days: EARLIER_VERSION_DAYS,
      }
      return accountLetter({
        ...{ texts, locale, to, name, words, values, siteUrl, page: '/my-documents' },
        facts: changes ? [{ label: words.changes, value: changes }] : [],
      })
    },
  }
}

interface Owner {
  readonly locale: Locale
  readonly to: string | null
  readonly name: string
  readonly title: string
  readonly changes: string
}

async function readOwner(
  db: Kysely<Schema>,
  of: { userId: number; documentId: number; version: number },
): Promise<Owner | undefined> {
  const { rows } = await sql<Owner>`
    SELECT u.locale, u.email AS "to", u.first_name AS name, d.title, v.note AS changes
    FROM purchases p
    JOIN users u ON u.id = p.user_id AND u.blocked_at IS NULL
    JOIN documents d ON d.id = p.document_id
    JOIN document_versions v ON v.document_id = d.id AND v.number = ${of.version}
    LEFT JOIN readings r ON r.document_id = d.id AND r.user_id = u.id
    WHERE p.user_id = ${of.userId} AND p.document_id = ${of.documentId}
      AND coalesce(r.seen_version, 0) < v.number
      AND NOT EXISTS (
        SELECT FROM document_versions WHERE document_id = d.id AND state = 'accepted'
          AND number > v.number)`.execute(db)
  return rows[0]
}
