import { readFile as readText } from 'node:fs/promises'
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

const Chapters = array(
  object({
    classes: array(string()),
    subject: string(),
    chapters: array(object({ ar: string(), fr: string(), aliases: optional(array(string())) })),
  }),
)

async function readFile(name: string): Promise<unknown> {
  return JSON.parse(await readText(join(import.meta.dirname, name), 'utf8'))
}

export async function readSchoolLists(): Promise<SchoolLists> {
  return create(await readFile('school-lists.json'), SchoolLists)
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
  return subjects.flatMap(({ id, classes }) => (isAmong(classes, classCode) ? [id] : []))
}

/** Whether a class is one of these codes, or of those that they begin. */
const isAmong = (codes: readonly string[], classCode: string) =>
  codes.some((code) => `${classCode}-`.startsWith(`${code}-`))

/**
 * Gives a shop without any category, subject or class those of Tunisian schools, so that
 * teachers can describe their first document, and one that never had chapters the known ones.
 * Existing lists do not change.
 */
export async function fillSchoolLists(database: Database): Promise<void> {
  const hasAll = async (db: Kysely<Schema>) => (await hasLists(db)) && (await hasChapters(db))
  if (await hasAll(database.kysely)) return
  const lists = await readSchoolLists()
  const chapters = create(await readFile('chapters.json'), Chapters)
  await transaction(database, async (tx) => {
    // The second of two instances that start together finds the lists of the first.
    await lock(tx, 'school lists')
    if (!(await hasLists(tx))) await writeSchoolLists(tx, lists)
    if (!(await hasChapters(tx))) await writeChapters(tx, chapters)
  })
}

/** Whether the shop has had chapters; administrators may have deleted all. */
async function hasChapters(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    SELECT EXISTS (SELECT FROM chapters)
      OR EXISTS (SELECT FROM site_versions WHERE subject LIKE 'chapters %') AS any`.execute(db)
  return rows[0]?.any === true
}

/** Writes the chapters of the classes and subjects that the shop has, by their codes. */
async function writeChapters(db: Kysely<Schema>, lists: Infer<typeof Chapters>): Promise<void> {
  const { rows: pairs } = await sql<{
    niveauId: number
    matiereId: number
    classCode: string
    subject: string
  }>`
    SELECT niveaux.id AS niveau_id, matieres.id AS matiere_id, niveaux.code AS class_code,
      matieres.code AS subject
    FROM niveaux, matieres
    WHERE NOT EXISTS (SELECT FROM class_subjects WHERE niveau_id = niveaux.id)
      OR EXISTS (SELECT FROM class_subjects
        WHERE niveau_id = niveaux.id AND matiere_id = matieres.id)`.execute(db)
  const codes = new Set(pairs.map(({ classCode }) => classCode))
  // The code of a class means that one alone, not those whose codes it begins.
  const isOf = (classes: readonly string[], code: string) =>
    classes.includes(code) ||
    isAmong(
      classes.filter((each) => !codes.has(each)),
      code,
    )
  const rows = pairs.flatMap(({ niveauId, matiereId, classCode, subject }) =>
    lists
      .filter((list) => list.subject === subject && isOf(list.classes, classCode))
      .flatMap(({ chapters }) =>
        chapters.map(({ ar, fr, aliases = [] }, at) => {
          return {
            niveauId,
            matiereId,
            nameAr: ar,
            nameFr: fr,
            aliases,
            position: at + 1,
            isHidden: false,
          }
        }),
      ),
  )
  if (rows.length > 0) await db.insertInto('chapters').values(rows).execute()
}

async function hasLists(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    SELECT EXISTS (SELECT FROM categories) OR EXISTS (SELECT FROM matieres)
      OR EXISTS (SELECT FROM niveaux) AS any`.execute(db)
  return rows[0]?.any === true
}
