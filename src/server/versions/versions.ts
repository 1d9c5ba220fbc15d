// The face of what administrators write as versions; the rest of the server uses only this.

import { type Kysely, sql } from 'kysely'
import type { StaffActionName } from '../../rules/office-actions.ts'
import type { Schema } from '../database/schema.ts'
import { lock, type Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { changePages } from '../publishing/publishing.ts'
import { actorNames, doneBefore, logStaff } from '../staff-log/staff-log.ts'

export { type Difference, describeDifferences, differences, fieldsOf } from './differences.ts'

/**
 * One version; 0 is the first: of the repository, or for what no file there holds, what it was before
 * its first change.
 */
export interface Version {
  readonly revision: number
  /** null: what the repository says. */
  readonly value: unknown
  readonly restores: number | null
  readonly actor: string
  readonly madeAt: Date
}

/** The version of now of each subject; one that was never changed has none. */
export async function latestVersions<Wanted extends string>(
  db: Kysely<Schema>,
  subjects: readonly Wanted[],
): Promise<Map<Wanted, Version>> {
  const { rows } = await sql<Version & { subject: Wanted }>`
    SELECT latest.* FROM unnest(${[...subjects]}::text[]) AS wanted (subject),
      LATERAL (SELECT * FROM site_versions WHERE site_versions.subject = wanted.subject
        ORDER BY revision DESC LIMIT 1) AS latest`.execute(db)
  return new Map(rows.map((row) => [row.subject, row]))
}

/** A version of a subject; undefined where there is none of this number, or it is the repository's. */
export function findVersion(
  db: Kysely<Schema>,
  subject: string,
  revision: number,
): Promise<Version | undefined> {
  return db
    .selectFrom('siteVersions')
    .selectAll()
    .where('subject', '=', subject)
    .where('revision', '=', revision)
    .executeTakeFirst()
}

/** The versions of a subject but the first, the newest first. */
export async function listVersions(
  db: Kysely<Schema>,
  subject: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ versions: Version[]; total: number }> {
  const versions = await db
    .selectFrom('siteVersions')
    .selectAll()
    .where('subject', '=', subject)
    .where('revision', '>', 0)
    .orderBy('revision', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  const latest = (await latestVersions(db, [subject])).get(subject)
  // They are numbered without a gap.
  return { versions, total: latest?.revision ?? 0 }
}

/** Says of each subject its revision, and who changed it last. */
export async function lastChanges(db: Kysely<Schema>, versions: ReadonlyMap<string, Version>) {
  const actors = [...versions.values()].map(({ actor }) => actor)
  const names = await actorNames(db, [...new Set(actors)])
  return (subject: string) => {
    const version = versions.get(subject)
    if (!version) return { revision: 0, changed: null }
    const { revision, actor, madeAt } = version
    return { revision, changed: { by: names.get(actor) ?? actor, at: madeAt.toISOString() } }
  }
}

/** A change of a subject: over which revision, and by whom. */
export interface Change {
  readonly subject: string
  /** null: over whichever there is. */
  readonly revision: number | null
  readonly actor: string
}

/** What a subject is from now on. */
export interface Next {
  readonly value: unknown
  /** What it was until now; kept as its first version where it has none and no file holds one. */
  readonly before?: unknown
  readonly restores?: number
  /** What the log says of the change. */
  readonly reason: string
  /** How the log calls it; `change` or `restore` unless it says so. */
  readonly action?: StaffActionName
  /** The tags of the pages that show it. */
  readonly tags: readonly string[]
}

const ACTIONS = ['change', 'restore', 'add', 'retire', 'offer again'] as const

/**
 * Adds a version while nobody else does, if it is another one than that of now; the pages that show it
 * are stale from the commit on. `work` is given the version of now and answers the next, or null where
 * nothing changes. Throws `done_before` where somebody has changed it since `revision`.
 */
export async function changeSubject(
  deps: Deps,
  { subject, revision, actor }: Change,
  work: (tx: Tx, latest: Version | undefined) => Promise<Next | null>,
): Promise<void> {
  await changePages(deps, async (tx, markStale) => {
    await lock(tx, subject)
    const latest = (await latestVersions(tx, [subject])).get(subject)
    const number = latest?.revision ?? 0
    const isOlder = revision !== null && revision !== number
    const next = await work(tx, latest)
    if (next === null) return
    if (isOlder) throw (await doneBefore(tx, { subject, actions: ACTIONS })) ?? fault('done_before')
    const { value, before, restores = null, reason, tags } = next
    const by = { subject, actor, madeAt: new Date(deps.now()) }
    if (!latest && before !== undefined) {
      await tx
        .insertInto('siteVersions')
        .values(rowOf({ ...by, revision: 0, value: before }))
        .execute()
    }
    await tx
      .insertInto('siteVersions')
      .values(rowOf({ ...by, revision: number + 1, value, restores }))
      .execute()
    const action = next.action ?? (restores === null ? 'change' : 'restore')
    await logStaff(tx, { actor, action, subject, reason })
    markStale(tags)
  })
}

/** Keeps what somebody has just made as its first version. */
export async function keepFirst(
  tx: Tx,
  first: { subject: string; value: unknown; actor: string; madeAt: Date },
): Promise<void> {
  await tx
    .insertInto('siteVersions')
    .values(rowOf({ ...first, revision: 0 }))
    .execute()
}

function rowOf({
  value,
  restores = null,
  ...row
}: Omit<Version, 'restores'> & { subject: string; restores?: number | null }) {
  return { ...row, restores, value: value === null ? null : JSON.stringify(value) }
}
