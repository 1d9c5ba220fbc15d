import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'
import type { Taxonomy } from './demo-data.ts'

/** Writes the kinds, subjects and school years. */
export async function writeTaxonomy(db: Kysely<Schema>, taxonomy: Taxonomy): Promise<void> {
  const named = ({ id, code, names }: Taxonomy['categories'][number]) => ({
    id,
    code,
    name: names.ar,
  })
  await db.insertInto('categories').values(taxonomy.categories.map(named)).execute()
  await db.insertInto('matieres').values(taxonomy.subjects.map(named)).execute()
  await db
    .insertInto('niveaux')
    .values(
      taxonomy.niveaux.map((each) => ({ ...named(each), level: each.level, position: each.id })),
    )
    .execute()
}

const NUMBERED = [
  'users',
  'teachers',
  'categories',
  'matieres',
  'niveaux',
  'cover_mappings',
  'files',
  'documents',
  'ratings',
] as const

/** Lets the next rows get ids after those that were written with ids of ours. */
export async function advanceIds(db: Kysely<Schema>): Promise<void> {
  for (const table of NUMBERED) {
    await sql`
      SELECT setval(
        pg_get_serial_sequence(${table}, 'id'),
        (SELECT coalesce(max(id), 0) + 1 FROM ${sql.table(table)}),
        false
      )`.execute(db)
  }
}

/** Whether nobody has put anything into this shop yet. */
export async function isEmptyShop(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    SELECT EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM teachers)
      OR EXISTS (SELECT FROM documents) OR EXISTS (SELECT FROM categories) AS taken`.execute(db)
  return rows[0]?.taken === false
}
