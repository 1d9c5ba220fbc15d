import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { array, create, enums, type Infer, number, object, optional, string } from 'superstruct'
import { LEVELS } from '../../rules/price-bands.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { advanceIds } from '../database/sql-parts.ts'
import { lock, transaction } from '../database/transaction.ts'

/** The names of a category, a subject or a class; the interface translates by `code`. */
const Names = object({ ar: string(), fr: string(), en: optional(string()) })

const SchoolLists = object({
  categories: array(object({ id: number(), code: string(), names: Names })),
  /**
   * `color` is that of the cover, `#rrggbb`; `classes` are the codes of those that have the subject,
   * or their beginnings: `secondary-2` for its streams.
   */
  subjects: array(
    object({
      id: number(),
      code: string(),
      color: string(),
      names: Names,
      classes: array(string()),
    }),
  ),
  classes: array(object({ id: number(), code: string(), level: enums(LEVELS), names: Names })),
})
/** The categories of documents, the subjects and the classes, youngest first. */
export type SchoolLists = Infer<typeof SchoolLists>

export async function readSchoolLists(): Promise<SchoolLists> {
  const text = await readFile(join(import.meta.dirname, 'school-lists.json'), 'utf8')
  return create(JSON.parse(text), SchoolLists)
}

/** Writes the lists into a database without lists, with the ids of the file. */
export async function writeSchoolLists(db: Kysely<Schema>, lists: SchoolLists): Promise<void> {
  const named = ({ id, code, names }: SchoolLists['categories'][number], at: number) => ({
    id,
    code,
    name: names.ar,
    position: at + 1,
  })
  await db.insertInto('categories').values(lists.categories.map(named)).execute()
  await db.insertInto('matieres').values(lists.subjects.map(named)).execute()
  await db
    .insertInto('niveaux')
    .values(lists.classes.map((each, at) => ({ ...named(each, at), level: each.level })))
    .execute()
  const ofClasses = lists.classes.flatMap(({ id, code }) =>
    subjectsOf(lists, code).map((matiereId) => ({ niveauId: id, matiereId })),
  )
  await db.insertInto('classSubjects').values(ofClasses).execute()
  await advanceIds(db, ['categories', 'matieres', 'niveaux'])
}

/** The ids of the subjects of a class; none where all are offered. */
function subjectsOf({ subjects }: SchoolLists, classCode: string): number[] {
  const isIn = (place: string) => `${classCode}-`.startsWith(`${place}-`)
  return subjects.flatMap(({ id, classes }) => (classes.some(isIn) ? [id] : []))
}

/**
 * Gives a shop without any category, subject or class those of Tunisian schools, so that
 * teachers can describe their first document. Existing lists do not change.
 */
export async function fillSchoolLists(database: Database): Promise<void> {
  if (await hasLists(database.kysely)) return
  const lists = await readSchoolLists()
  await transaction(database, async (tx) => {
    // The second of two instances that start together finds the lists of the first.
    await lock(tx, 'school lists')
    if (!(await hasLists(tx))) await writeSchoolLists(tx, lists)
  })
}

async function hasLists(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    SELECT EXISTS (SELECT FROM categories) OR EXISTS (SELECT FROM matieres)
      OR EXISTS (SELECT FROM niveaux) AS any`.execute(db)
  return rows[0]?.any === true
}
