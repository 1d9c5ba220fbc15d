import { type Kysely, sql } from 'kysely'
import type { FeaturedItem, FeaturedItems } from '../../../contract/office-catalogue.ts'
import { FEATURED_MAX, type FeaturedKind } from '../../../rules/catalogue-lists.ts'
import { CATALOGUE_TAG, TEACHERS_TAG } from '../../../rules/page-tags.ts'
import { containsFolded } from '../../../rules/search-fold.ts'
import type { Schema } from '../../database/schema.ts'
import { fullNameIn } from '../../database/sql-parts.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import {
  changeSubject,
  describeDifferences,
  lastChanges,
  latestVersions,
} from '../../versions/versions.ts'
import { presentTeacher } from '../present.ts'
import { listedTeachers } from '../teachers.ts'
import type { OrderState } from './lists.ts'

const CHOICES = 10

/** The featured items in their order, including those that buyers do not see at present. */
async function readItems(db: Kysely<Schema>, kind: FeaturedKind): Promise<FeaturedItem[]> {
  const teacher = sql`${fullNameIn('t')}`
  const { rows } =
    kind === 'documents'
      ? await sql<FeaturedItem>`
          SELECT d.id, d.title, ${teacher} AS by, d.is_published AS is_shown
          FROM documents d JOIN teachers t ON t.id = d.teacher_id
          WHERE d.featured_place IS NOT NULL
          ORDER BY d.featured_place, d.uploaded_at DESC, d.id DESC`.execute(db)
      : await sql<FeaturedItem>`
          SELECT t.id, ${teacher} AS title, NULL AS by, EXISTS (
            SELECT FROM documents WHERE teacher_id = t.id AND is_published
          ) AS is_shown
          FROM teachers t WHERE t.featured_place IS NOT NULL
          ORDER BY t.featured_place, t.id`.execute(db)
  return rows
}

export async function readFeatured(db: Kysely<Schema>, kind: FeaturedKind): Promise<FeaturedItems> {
  const subject = `featured ${kind}`
  const changes = await lastChanges(db, await latestVersions<string>(db, [subject]))
  return { items: await readItems(db, kind), ...changes(subject) }
}

/** Items for sale that could be featured and match a text, whatever its spelling. */
export async function findFeaturable(
  { database, catalogue }: Pick<Deps, 'database' | 'catalogue'>,
  kind: FeaturedKind,
  q: string,
): Promise<FeaturedItem[]> {
  if (kind === 'documents') {
    const { content } = await catalogue.search({ title: q, match: 'contains', size: CHOICES })
    return content.map(({ id, title, teacher }) => {
      return { id, title, by: teacher.name, isShown: true }
    })
  }
  return (await listedTeachers(database.kysely))
    .map(presentTeacher)
    .filter(({ username, latinName = '' }) => containsFolded(`${username} ${latinName}`, q))
    .slice(0, CHOICES)
    .map(({ id, username }) => ({ id, title: username, by: null, isShown: true }))
}

/**
 * Sets the featured items and their order. Throws `done_before`, or `invalid_input` for too many
 * items, one that is named twice, or a new one that is not for sale.
 */
export function saveFeatured(
  deps: Deps,
  {
    kind,
    ids,
    ...by
  }: { kind: FeaturedKind; ids: readonly number[]; revision: number; actor: string },
): Promise<void> {
  return changeSubject(deps, { subject: `featured ${kind}`, ...by }, async (tx) => {
    const old = await readItems(tx, kind)
    const kept = new Set(old.map(({ id }) => id))
    await writeFeatured(tx, kind, ids)
    const items = await readItems(tx, kind)
    const isRight = items.length === ids.length && ids.length <= FEATURED_MAX
    if (!isRight || items.some(({ id, isShown }) => !isShown && !kept.has(id))) {
      throw fault('invalid_input', { fields: { ids: 'invalid' } })
    }
    const [before, value] = [stateOf(old), stateOf(items)]
    if (before.ids.join() === value.ids.join()) return null
    const reason = describeDifferences({ featured: before.lines }, { featured: value.lines })
    return { value, before, reason, tags: TAGS[kind] }
  })
}

const TAGS = {
  documents: [CATALOGUE_TAG],
  teachers: [CATALOGUE_TAG, TEACHERS_TAG],
} as const satisfies Record<FeaturedKind, readonly string[]>

const stateOf = (items: readonly FeaturedItem[]): OrderState => ({
  ids: items.map(({ id }) => id),
  lines: items.map(({ title }) => title).join('\n'),
})

/** Writes the featured items that still exist, and returns the tags of the pages that show them. */
export async function writeFeatured(
  tx: Tx,
  kind: FeaturedKind,
  ids: readonly number[],
): Promise<string[]> {
  const table = sql.table(kind)
  // Locks the rows in the order in which sales lock them.
  await sql`
    SELECT FROM ${table} WHERE featured_place IS NOT NULL OR id = ANY (${ids}::integer[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx)
  await sql`
    UPDATE ${table} AS shown SET featured_place = wanted.place
    FROM (
      SELECT item.id, ordered.place FROM ${table} AS item
      LEFT JOIN unnest(${ids}::integer[]) WITH ORDINALITY AS ordered (id, place) ON ordered.id = item.id
      WHERE item.featured_place IS NOT NULL OR ordered.place IS NOT NULL
    ) AS wanted
    WHERE shown.id = wanted.id AND shown.featured_place IS DISTINCT FROM wanted.place`.execute(tx)
  return [...TAGS[kind]]
}
