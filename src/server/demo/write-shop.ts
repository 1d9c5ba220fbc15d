import { type Kysely, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { CATEGORIES, MATIERES, NIVEAUX } from './taxonomy.ts'

/** Writes the kinds, subjects and school years, with their places as ids. */
export async function writeTaxonomy(db: Kysely<Schema>): Promise<void> {
  await db
    .insertInto('categories')
    .values(CATEGORIES.map(({ code, name }, at) => ({ id: at + 1, code, name })))
    .execute()
  await db
    .insertInto('matieres')
    .values(MATIERES.map(({ code, name }, at) => ({ id: at + 1, code, name })))
    .execute()
  await db
    .insertInto('niveaux')
    .values(
      NIVEAUX.map(({ code, name, level }, at) => ({
        id: at + 1,
        code,
        name,
        level,
        position: at + 1,
      })),
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
