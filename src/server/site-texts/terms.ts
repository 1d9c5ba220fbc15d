import { type Kysely, sql } from 'kysely'
import type { Language } from '../../rules/languages.ts'
import { sitePageTag } from '../../rules/page-tags.ts'
import type { Schema } from '../database/schema.ts'
import { lock, type Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { changePages } from '../publishing/publishing.ts'
import { logStaff } from '../staff-log/staff-log.ts'
import { latestVersions } from '../versions/versions.ts'

const PAGE = 'page terms'

/** The text that buyers read before they pay: delivered at once, hence no withdrawal. */
const NOTICE_KEY = 'purchase:notice.text'

/** The terms in force; null while none were made binding. */
export async function currentTerms(db: Kysely<Schema>) {
  const terms = await db
    .selectFrom('termsVersions')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return terms ?? null
}

/**
 * Makes the page of the terms binding as it is now: everybody who registers or buys from now on
 * accepts it. Throws `done_before` where the page is not the one `seen`, or is binding already.
 */
export async function publishTerms(
  deps: Deps,
  { revision, actor }: { revision: number; actor: string },
): Promise<void> {
  await changePages(deps, async (tx, markStale) => {
    await lock(tx, PAGE)
    const latest = (await latestVersions(tx, [PAGE])).get(PAGE)
    const current = await currentTerms(tx)
    if (revision !== (latest?.revision ?? 0) || current?.revision === revision) {
      throw fault('done_before')
    }
    const { number } = await tx
      .insertInto('termsVersions')
      .values({ revision, publishedAt: new Date(deps.now()), actor })
      .returning('number')
      .executeTakeFirstOrThrow()
    const reason = `terms ${number}, version ${revision} of the page`
    await logStaff(tx, { actor, action: 'publish terms', subject: { kind: PAGE }, reason })
    markStale([sitePageTag('terms')])
  })
}

/** Records that an account accepts these terms; others than those in force are not recorded. */
export async function acceptTerms(
  tx: Tx,
  { userId, terms, at }: { userId: number; terms: number; at: Date },
): Promise<void> {
  await sql`
    INSERT INTO terms_acceptances (user_id, version, accepted_at)
    SELECT ${userId}, number, ${at} FROM terms_versions
    WHERE number = ${terms} AND number = (SELECT max(number) FROM terms_versions)
    ON CONFLICT DO NOTHING`.execute(tx)
}

/** What a buyer agrees to with a purchase. */
export interface Consent {
  /** The terms that the buyer accepts with it. */
  readonly acceptedTerms?: number | undefined
  /** The language in which the buyer read that nothing can be given back. */
  readonly notice?: Language | undefined
}

/**
 * Records what a buyer agrees to in the transaction of the purchase, and returns what the order
 * keeps: the language and the version of the sentence that was shown, such as `fr 3`. Throws
 * `terms_not_accepted` with the terms in force, unless the account has accepted them.
 */
export async function consentTo(
  tx: Tx,
  { acceptedTerms, notice, userId, at }: Consent & { userId: number; at: Date },
): Promise<string | null> {
  if (acceptedTerms !== undefined) await acceptTerms(tx, { userId, terms: acceptedTerms, at })
  const subject = `text ${notice ?? ''} ${NOTICE_KEY}`
  const { rows } = await sql<{ missing: number | null; revision: number }>`
    SELECT (SELECT max(number) FROM terms_versions
        HAVING max(number) NOT IN (
          SELECT version FROM terms_acceptances WHERE user_id = ${userId})) AS missing,
      (SELECT coalesce(max(revision), 0) FROM site_versions
        WHERE subject = ${subject}) AS revision`.execute(tx)
  const { missing = null, revision = 0 } = rows[0] ?? {}
  if (missing !== null) throw fault('terms_not_accepted', { terms: missing })
  return notice ? `${notice} ${revision}` : null
}
