import { type Kysely, sql } from 'kysely'
import * as contract from '../../contract/corrections.ts'
import { isolate } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { CORRECTION_WAITS_MAX } from '../../rules/corrections.ts'
import { PAPERS } from '../../rules/document-fields.ts'
import type { PageAddress } from '../../rules/pages.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import { lock, type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import { accountLetter, enqueueMail, shortMessage, type Writers } from '../mail/mail.ts'

/** How many mails are queued at a time, so that they do not delay others. */
const MAILS_AT_ONCE = 100

/** Whether document `d` lacks a correction that somebody could wait for. */
export const LACKS_CORRECTION = sql`(d.is_published AND NOT d.has_correction
  AND d.correction_page IS NULL AND d.correction_of IS NULL
  AND EXISTS (SELECT FROM categories c WHERE c.id = d.category_id
    AND c.code = ANY (${[...PAPERS]}::text[])))`

const waitsOf = (db: Kysely<Schema>, userId: number) =>
  db.selectFrom('correctionWaits').where('userId', '=', userId)

async function isWaiting(db: Kysely<Schema>, userId: number, documentId: number) {
  const waits = waitsOf(db, userId).select('documentId').where('documentId', '=', documentId)
  return (await waits.executeTakeFirst()) !== undefined
}

export async function countWaits(db: Kysely<Schema>, documentId: number): Promise<number> {
  const { count } = await db
    .selectFrom('correctionWaits')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('documentId', '=', documentId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Throws `document_not_found`, `correction_exists`, `waits_full`. */
function wait(database: Database, userId: number, documentId: number): Promise<void> {
  return transaction(database, async (tx) => {
    const { rows } = await sql<{ lacks: boolean }>`
      SELECT ${LACKS_CORRECTION} AS lacks FROM documents d
      WHERE d.id = ${documentId} AND d.is_published`.execute(tx)
    if (!rows[0]) throw fault('document_not_found')
    if (!rows[0].lacks) throw fault('correction_exists')
    // Without the lock, two simultaneous requests would both find room.
    await lock(tx, `correction waits ${userId}`)
    if (await isWaiting(tx, userId, documentId)) return
    const { count } = await waitsOf(tx, userId)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= CORRECTION_WAITS_MAX) throw fault('waits_full')
    await tx.insertInto('correctionWaits').values({ userId, documentId }).execute()
  })
}

interface WaitRow {
  readonly id: number
  readonly title: string
  readonly name: string
  readonly latinName: string
  readonly addedAt: Date
  readonly isForSale: boolean
}

export const correctionWaitRoutes: Route[] = [
  route(contract.listWaits, async ({ user, deps }) => {
    // After a merge of accounts they may be more than one account may add.
    const { rows } = await sql<WaitRow>`
      SELECT d.id, d.title, ${fullNameIn('t')} AS name, t.latin_name, w.added_at,
        d.is_published AS is_for_sale
      FROM correction_waits w JOIN documents d ON d.id = w.document_id
      JOIN teachers t ON t.id = d.teacher_id
      WHERE w.user_id = ${user.id}
      ORDER BY w.added_at DESC, d.id LIMIT ${2 * CORRECTION_WAITS_MAX}`.execute(
      deps.database.kysely,
    )
    return rows.map(({ name, latinName, addedAt, ...row }) => ({
      ...row,
      teacher: { name, ...(latinName && { latinName }) },
      addedAt: addedAt.toISOString(),
    }))
  }),
  route(contract.isWaiting, ({ input, user, deps }) =>
    isWaiting(deps.database.kysely, user.id, input.params.id),
  ),
  route(contract.waitForCorrection, ({ input, user, deps }) =>
    wait(deps.database, user.id, input.params.id),
  ),
  route(contract.stopWaiting, async ({ input, user, deps }) => {
    await deps.database.kysely
      .deleteFrom('correctionWaits')
      .where('userId', '=', user.id)
      .where('documentId', '=', input.params.id)
      .execute()
  }),
]

/** All of them move, even if they are more than one account may add. */
export async function mergeWaits(
  tx: Tx,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<void> {
  await sql`
    WITH gone AS (DELETE FROM correction_waits WHERE user_id = ${fromId} RETURNING *)
    INSERT INTO correction_waits (user_id, document_id, added_at)
    SELECT ${intoId}, document_id, added_at FROM gone ON CONFLICT DO NOTHING`.execute(tx)
}

/**
 * Ends the waits for papers that have a correction by now, however they got it, and tells those who
 * waited, by mail and in their news; tells the teacher of a paper of another teacher's correction, once. Each is told in the
 * transaction that notes it, so that two processes tell nobody twice.
 */
export async function tellOfCorrections({
  database,
  jobs,
}: Pick<Deps, 'database' | 'jobs'>): Promise<void> {
  await transaction(database, async (tx) => {
    const { rows } = await sql<{ userId: number; documentId: number }>`
      DELETE FROM correction_waits w USING (
        SELECT w.user_id, w.document_id FROM correction_waits w
        JOIN documents d ON d.id = w.document_id
        WHERE d.is_published AND (d.has_correction OR d.correction_page IS NOT NULL)
        ORDER BY w.added_at LIMIT ${MAILS_AT_ONCE} FOR UPDATE OF w SKIP LOCKED
      ) AS over
      WHERE w.user_id = over.user_id AND w.document_id = over.document_id
      RETURNING w.user_id, w.document_id`.execute(tx)
    for (const row of rows) await enqueueMail(tx, jobs, 'correction_waited', row)
    if (rows.length > 0) {
      await tx
        .insertInto('toldCorrections')
        .values(rows)
        .onConflict((told) =>
          told
            .columns(['userId', 'documentId'])
            .doUpdateSet({ toldAt: sql<Date>`clock_timestamp()` }),
        )
        .execute()
    }
  })
  await transaction(database, async (tx) => {
    const { rows } = await sql<{ userId: number | null; documentId: number }>`
      UPDATE documents d SET told_paper = d.correction_of
      FROM documents paper JOIN teachers t ON t.id = paper.teacher_id
      WHERE paper.id = d.correction_of AND paper.teacher_id <> d.teacher_id
        AND d.id IN (
          SELECT id FROM documents WHERE is_published AND correction_of IS NOT NULL
            AND told_paper IS DISTINCT FROM correction_of
          ORDER BY id LIMIT ${MAILS_AT_ONCE} FOR UPDATE SKIP LOCKED)
      RETURNING t.user_id, d.id AS document_id`.execute(tx)
    for (const { userId, documentId } of rows) {
      // A teacher without an account has nobody to tell.
      if (userId !== null) await enqueueMail(tx, jobs, 'paper_corrected', { userId, documentId })
    }
  })
}

interface Told {
  readonly to: string | null
  readonly phone: string | null
  readonly locale: Locale
  readonly name: string
  /** The paper's title. */
  readonly title: string
  readonly by: string
}

const READER = sql`u.email AS "to", CASE WHEN u.phone_confirmed_at IS NOT NULL THEN u.phone END
  AS phone, u.locale, u.first_name AS name`

/** Writes the mails about a new correction, unless it has been withdrawn meanwhile. */
export function correctionMailWriters({
  config: { siteUrl },
  database: { kysely },
}: Pick<Deps, 'config' | 'database'>): Pick<Writers, 'correction_waited' | 'paper_corrected'> {
  const write = (
    { to, locale, name, title, by }: Told,
    texts: Parameters<Writers['correction_waited']>[1],
    kind: 'waited' | 'corrected',
    page: PageAddress,
  ) => {
    const words = texts[locale].mail.corrections[kind]
    // A title may have either direction: isolated, it does not reorder the sentence around it.
    const values = { title: isolate(title.replace(/\s+/g, ' ')), teacher: isolate(by) }
    return accountLetter({ texts, locale, to, name, words, values, siteUrl, page })
  }
  return {
    async correction_waited({ userId, documentId }, texts) {
      const { rows } = await sql<Told>`
        SELECT ${READER}, d.title, '' AS by
        FROM users u JOIN documents d ON d.id = ${documentId} AND d.is_published
          AND (d.has_correction OR d.correction_page IS NOT NULL)
        WHERE u.id = ${userId} AND u.blocked_at IS NULL`.execute(kysely)
      const [told] = rows
      if (!told) return null
      const { to, phone, locale } = told
      if (to === null && phone !== null) {
        return { phone, text: shortMessage(texts, locale, 'correction'), isCode: false }
      }
      return write(told, texts, 'waited', `/shop-details/${documentId}`)
    },
    async paper_corrected({ userId, documentId }, texts) {
      const { rows } = await sql<Told>`
        SELECT ${READER}, paper.title, trim(t.first_name || ' ' || t.last_name) AS by
        FROM users u JOIN documents d ON d.id = ${documentId} AND d.is_published
        JOIN documents paper ON paper.id = d.correction_of
        JOIN teachers t ON t.id = d.teacher_id
        WHERE u.id = ${userId} AND u.blocked_at IS NULL`.execute(kysely)
      return rows[0] ? write(rows[0], texts, 'corrected', `/shop-details/${documentId}`) : null
    },
  }
}
