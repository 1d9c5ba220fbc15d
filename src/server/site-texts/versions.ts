import { type Kysely, sql } from 'kysely'
import type { SiteSubject } from '../../contract/office-site-versions.ts'
import { EVERY_PAGE_TAG, sitePageTag } from '../../rules/page-tags.ts'
import type { SitePageName } from '../../rules/site-pages.ts'
import type { Schema } from '../database/schema.ts'
import { lock, type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { noteChanges } from '../publishing/publishing.ts'
import { doneBefore, logStaff } from '../staff-log/staff-log.ts'

/** One version; 0 is the first, of the repository. */
export interface Version {
  readonly revision: number
  /** null: the first version's. */
  readonly value: unknown
  readonly restores: number | null
  readonly actor: string
  readonly madeAt: Date
}

/** The version of now of each subject; one that was never changed has none. */
export async function latestVersions<Wanted extends SiteSubject>(
  db: Kysely<Schema>,
  subjects: readonly Wanted[],
): Promise<Map<Wanted, Version>> {
  const { rows } = await sql<Version & { subject: Wanted }>`
    SELECT latest.* FROM unnest(${[...subjects]}::text[]) AS wanted (subject),
      LATERAL (SELECT * FROM site_versions WHERE site_versions.subject = wanted.subject
        ORDER BY revision DESC LIMIT 1) AS latest`.execute(db)
  return new Map(rows.map((row) => [row.subject, row]))
}

/** A version of a subject; undefined where there is none of this number, or it is the first. */
export function findVersion(
  db: Kysely<Schema>,
  subject: SiteSubject,
  revision: number,
): Promise<Version | undefined> {
  return db
    .selectFrom('siteVersions')
    .selectAll()
    .where('subject', '=', subject)
    .where('revision', '=', revision)
    .executeTakeFirst()
}

/** The versions of a subject, the newest first. */
export async function listVersions(
  db: Kysely<Schema>,
  subject: SiteSubject,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ versions: Version[]; total: number }> {
  const versions = await db
    .selectFrom('siteVersions')
    .selectAll()
    .where('subject', '=', subject)
    .orderBy('revision', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  const latest = (await latestVersions(db, [subject])).get(subject)
  // They are numbered without a gap.
  return { versions, total: latest?.revision ?? 0 }
}

/** A change of a subject: over which revision, by whom, and what it is from now on. */
export interface Change {
  readonly subject: SiteSubject
  /** null: over whichever there is. */
  readonly revision: number | null
  readonly actor: string
}

const ACTIONS = ['change', 'restore'] as const

/**
 * Adds a version while nobody else does, if it is another text than that of now; the pages that show it
 * are stale from the commit on. `work` is given the version of now and answers the next, or null where
 * nothing changes. Throws `done_before` where somebody has changed it since `revision`.
 */
export async function changeSubject(
  deps: Deps,
  { subject, revision, actor }: Change,
  work: (
    tx: Tx,
    latest: Version | undefined,
  ) => Promise<{ value: unknown; restores?: number; reason: string } | null>,
): Promise<void> {
  const tags = [tagOf(subject)]
  const isChanged = await transaction(deps.database, async (tx) => {
    await lock(tx, subject)
    const latest = (await latestVersions(tx, [subject])).get(subject)
    const next = await work(tx, latest)
    if (next === null) return false
    const number = latest?.revision ?? 0
    if (revision !== null && revision !== number) {
      throw (await doneBefore(tx, { subject, actions: ACTIONS })) ?? fault('done_before')
    }
    const { value, restores = null, reason } = next
    await tx
      .insertInto('siteVersions')
      .values({
        subject,
        revision: number + 1,
        value: value === null ? null : JSON.stringify(value),
        restores,
        actor,
        madeAt: new Date(deps.now()),
      })
      .execute()
    const action = restores === null ? 'change' : 'restore'
    await logStaff(tx, { actor, action, subject, reason })
    await noteChanges(tx, tags)
    return true
  })
  if (isChanged) deps.publisher.changed(tags)
}

/** Facts stand on every page, in its head and foot, and a text of the interface may. */
function tagOf(subject: SiteSubject): string {
  const [kind, name] = subject.split(' ') as [string, SitePageName]
  return kind === 'page' ? sitePageTag(name) : EVERY_PAGE_TAG
}
