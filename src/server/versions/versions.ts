import { type ChangeObject, diffWordsWithSpace } from 'diff'
import { type Kysely, sql } from 'kysely'
import { ENTRY_KINDS } from '../../rules/catalogue-lists.ts'
import type { StaffActionName } from '../../rules/office-actions.ts'
import type { Schema } from '../database/schema.ts'
import { lock, type Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { changePages } from '../publishing/publishing.ts'
import { actorNames, doneBefore, type LogSubject, logStaff } from '../staff-log/staff-log.ts'

/**
 * A version. Version 0 is the repository's or, for a subject without a file there, its value before
 * the first change.
 */
export interface Version {
  readonly revision: number
  /** null: the repository's value. */
  readonly value: unknown
  readonly restores: number | null
  readonly actor: string
  readonly madeAt: Date
}

/** The current version of each subject; a subject that was never changed has none. */
export async function latestVersions<Subject extends string>(
  db: Kysely<Schema>,
  subjects: readonly Subject[],
): Promise<Map<Subject, Version>> {
  const { rows } = await sql<Version & { subject: Subject }>`
    SELECT latest.* FROM unnest(${[...subjects]}::text[]) AS requested (subject),
      LATERAL (SELECT * FROM site_versions WHERE site_versions.subject = requested.subject
        ORDER BY revision DESC LIMIT 1) AS latest`.execute(db)
  return new Map(rows.map((row) => [row.subject, row]))
}

/**
 * A version of a subject; undefined if no version has this number, or if it is the repository's.
 */
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

/** The versions of a subject, newest first, without version 0. */
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
  // Versions are numbered without gaps.
  return { versions, total: latest?.revision ?? 0 }
}

/** The revision of each subject, and the author of its last change. */
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

/** A subject of versions in the staff log: the entries of lists have ids, such as `subject 12`. */
export function loggedSubject(subject: string): LogSubject {
  const [kind = '', id] = subject.split(' ')
  const isEntry = Object.values<string>(ENTRY_KINDS).includes(kind)
  return isEntry ? { kind, id: Number(id) } : { kind: subject }
}

/** A change of a subject: the revision that it replaces, and its actor. */
interface Change {
  readonly subject: string
  readonly revision: number
  readonly actor: string
}

/** The next value of a subject. */
interface Next {
  readonly value: unknown
  /**
   * The previous value; stored as version 0 if the subject has no version and no file contains one.
   */
  readonly before?: unknown
  readonly restores?: number
  readonly reason: string
  /** The action's name in the log; by default `change` or `restore`. */
  readonly action?: StaffActionName
  readonly tags: readonly string[]
}

const ACTIONS = ['change', 'restore', 'add', 'retire', 'offer again'] as const

/**
 * Adds a version under a lock, if it differs from the current one; the commit makes the pages that
 * show it stale. `work` receives the current version and returns the next value, or null if nothing
 * changes. Throws `done_before` if somebody has changed the subject since `revision`.
 */
export async function changeSubject(
  deps: Deps,
  { subject, revision, actor }: Change,
  work: (tx: Tx, latest: Version | undefined) => Promise<Next | null>,
): Promise<void> {
  await changePages(deps, async (tx, markStale) => {
    await lock(tx, subject)
    const logged = loggedSubject(subject)
    const latest = (await latestVersions(tx, [subject])).get(subject)
    const number = latest?.revision ?? 0
    const isOlder = revision !== number
    const next = await work(tx, latest)
    if (next === null) return
    if (isOlder)
      throw (await doneBefore(tx, { subject: logged, actions: ACTIONS })) ?? fault('done_before')
    await addVersion(tx, { subject, actor, madeAt: new Date(deps.now()) }, { latest, next })
    markStale(next.tags)
  })
}

/** Adds and logs a version of a subject, which the caller has locked, after its `latest` one. */
export async function addVersion(
  tx: Tx,
  by: { subject: string; actor: string; madeAt: Date },
  { latest, next }: { latest: Version | undefined; next: Omit<Next, 'tags'> },
): Promise<void> {
  const { value, before, restores = null, reason } = next
  if (!latest && before !== undefined) await keepFirst(tx, { ...by, value: before })
  const revision = (latest?.revision ?? 0) + 1
  await tx
    .insertInto('siteVersions')
    .values(rowOf({ ...by, revision, value, restores }))
    .execute()
  const action = next.action ?? (restores === null ? 'change' : 'restore')
  await logStaff(tx, { actor: by.actor, action, subject: loggedSubject(by.subject), reason })
}

/** Stores the first version of a newly created subject. */
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

/** A piece of a text: unchanged, added or removed. */
interface Part {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** The change of one field of a value; its path is for example `fr.title` or `items.3.ar.text`. */
export interface Difference {
  field: string
  parts: Part[]
}

/**
 * How many words, signs and letters of a text may be added or removed, since comparing takes a time
 * that grows with the square of their number; a text with more was rewritten and is shown whole.
 */
const EDITS_MAX = 1000
/** How many in all texts of a value together; the others are shown whole. */
const ALL_EDITS_MAX = 4 * EDITS_MAX

/**
 * Every text and number of a value, by its path; the path of an item that has an id contains the
 * id.
 */
export function fieldsOf(value: unknown, path = '', found = new Map<string, string>()) {
  if (typeof value !== 'object' || value === null) return found.set(path, String(value))
  const isNumbered = Array.isArray(value) && value.some((each) => each?.id !== undefined)
  if (isNumbered) found.set(`${path}.order`, value.map(({ id }) => id).join(', '))
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'id') continue
    const key = isNumbered ? String((inner as { id: number }).id) : name
    fieldsOf(inner, path ? `${path}.${key}` : key, found)
  }
  return found
}

export function changedFields(before: unknown, after: unknown): string[] {
  return changesOf(before, after).map(({ field }) => field)
}

export function differences(before: unknown, after: unknown): Difference[] {
  let editsLeft = ALL_EDITS_MAX
  return changesOf(before, after).map(({ field, old, next }) => {
    const maxEditLength = Math.min(EDITS_MAX, editsLeft)
    const compared = diffWordsWithSpace(old, next, { maxEditLength })
    editsLeft -= compared ? editsIn(compared) : maxEditLength
    return { field, parts: compared ? compared.map(partOf) : whole(old, next) }
  })
}

function changesOf(before: unknown, after: unknown) {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const fields = [...new Set([...is.keys(), ...was.keys()])]
  return fields
    .map((field) => ({ field, old: was.get(field) ?? '', next: is.get(field) ?? '' }))
    .filter(({ old, next }) => old !== next)
}

const editsIn = (changes: readonly ChangeObject<string>[]): number =>
  changes.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0)

const partOf = ({ value, added, removed }: ChangeObject<string>): Part => ({
  kind: added ? 'added' : removed ? 'removed' : 'same',
  text: value,
})

function whole(old: string, next: string): Part[] {
  const parts: Part[] = [
    { kind: 'removed', text: old },
    { kind: 'added', text: next },
  ]
  return parts.filter(({ text }) => text !== '')
}

const DESCRIPTION_MAX_LENGTH = 1000

/**
 * The differences between two values, for the log: `names.fr: "Maths" → "Mathématiques"`; '' for
 * nothing.
 */
export function describeDifferences(before: unknown, after: unknown): string {
  const quoted = (text: string) => `"${text.replaceAll('\n', ' · ')}"`
  return changesOf(before, after)
    .map(({ field, old, next }) => `${field}: ${quoted(old)} → ${quoted(next)}`)
    .join('; ')
    .slice(0, DESCRIPTION_MAX_LENGTH)
}
