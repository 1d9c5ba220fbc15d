import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CoverMapping, Named } from '../../contract/references.ts'
import { type ChapterNames, chapterNames } from '../../rules/chapters.ts'
import { completed, type InEachLanguage, inEachLanguage } from '../../rules/languages.ts'
import type { Level } from '../../rules/price-bands.ts'
import type { Schema } from '../database/schema.ts'

/** The names of the entries that documents refer to by id, in the form of the API. */
export interface NamesOfCatalogue {
  /** The revision of the tables from which they were read. */
  readonly revision: number
  readonly categories: ReadonlyMap<number, Named>
  readonly matieres: ReadonlyMap<number, Named>
  readonly classes: ReadonlyMap<number, Named & { level: Level }>
  readonly covers: ReadonlyMap<number, CoverMapping>
  readonly chapters: ReadonlyMap<number, Named>
  /** The kinds of papers that administrators have added, by their codes. */
  readonly kinds: ReadonlyMap<string, Named & { names: InEachLanguage }>
}

/** A chapter of a list. */
export interface ListedChapter extends Pick<ChapterNames, 'ar' | 'fr'> {
  readonly id: number
  readonly niveauId: number
  readonly matiereId: number
  readonly isHidden: boolean
}

/** The chapters that pass a condition, in the order of their lists. */
export async function readChapters(
  db: Kysely<Schema>,
  where: RawBuilder<unknown>,
): Promise<ListedChapter[]> {
  const { rows } = await sql<ListedChapter>`
    SELECT id, name_ar AS ar, name_fr AS fr, niveau_id, matiere_id, is_hidden FROM chapters
    WHERE merged_into IS NULL AND ${where} ORDER BY niveau_id, matiere_id, position, id`.execute(db)
  return rows
}

/** A chapter as documents name it. */
export function presentChapter(row: Pick<ChapterNames, 'ar' | 'fr'> & { id: number }) {
  const names = chapterNames(row)
  return { id: row.id, name: names.ar, names }
}

/** A column for a query: the revision of the names when it is read. */
export const NAMES_REVISION = sql`(SELECT revision FROM names_revision) AS "namesRevision"`

/** A column for a query of classes as `entry`: the names of its subjects by id; null: it has all. */
export const SUBJECTS_OF_CLASS = sql`(
  SELECT jsonb_object_agg(id, name) FROM class_subjects JOIN matieres ON id = matiere_id
  WHERE niveau_id = entry.id) AS subjects`
export type SubjectsOfClass = Readonly<Record<string, string>>

export const idsOf = (subjects: SubjectsOfClass): number[] => Object.keys(subjects).map(Number)

export type NamesAt = (revision: number) => Promise<NamesOfCatalogue>

/**
 * Creates a function for the names as of the revision that a query has read (`NAMES_REVISION`),
 * from memory unless they have changed since: no query has to join them, and none gets older ones.
 */
export function keepNames(db: Kysely<Schema>): NamesAt {
  let latest: Promise<NamesOfCatalogue> | undefined
  return async (revision) => {
    const known = await latest?.catch(() => undefined)
    if (known?.revision === revision) return known
    const reading = readNames(db)
    latest = reading
    return reading
  }
}

export async function readNames(db: Kysely<Schema>): Promise<NamesOfCatalogue> {
  // A single statement, so that the rows belong to the revision.
  const { rows } = await sql<NameRow>`
    SELECT ${NAMES_REVISION}, row.* FROM (
      SELECT NULL AS list, NULL::integer AS id, NULL AS name, NULL AS code, NULL::jsonb AS names,
        NULL AS level, NULL AS cover_path, NULL AS livre_path, NULL AS color,
        NULL::jsonb AS chapter
      UNION ALL SELECT 'categories', id, name, code, names, NULL, NULL, NULL, NULL, NULL FROM categories
      UNION ALL SELECT 'matieres', id, name, code, names, NULL, NULL, NULL, NULL, NULL FROM matieres
      UNION ALL SELECT 'niveaux', id, name, code, names, level, NULL, NULL, NULL, NULL FROM niveaux
      UNION ALL SELECT 'covers', id, NULL, NULL, NULL, NULL, cover_path, livre_path, color, NULL
        FROM cover_mappings
      UNION ALL SELECT 'chapters', id, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        jsonb_build_object('ar', name_ar, 'fr', name_fr)
        FROM chapters WHERE merged_into IS NULL
      UNION ALL SELECT 'kinds', id, name, code, names, NULL, NULL, NULL, NULL, NULL FROM paper_kinds
    ) AS row`.execute(db)
  const list = <T>(wanted: NameRow['list'], present: (row: NameRow) => T) =>
    new Map(
      rows.flatMap((row) => (row.list === wanted ? [[row.id, Object.freeze(present(row))]] : [])),
    )
  const kinds = list('kinds', ({ id, name, code, names }) => {
    return { id, name, code, names: names ?? inEachLanguage(() => name) }
  })
  return {
    revision: rows[0]?.namesRevision ?? 0,
    categories: list('categories', named),
    matieres: list('matieres', named),
    classes: list('niveaux', (row) => ({ ...named(row), level: row.level })),
    chapters: list('chapters', ({ id, chapter }) =>
      presentChapter({ id, ar: '', fr: '', ...chapter }),
    ),
    kinds: new Map([...kinds.values()].map((kind) => [kind.code ?? '', kind])),
    covers: list('covers', ({ coverPath, livrePath, color }) => ({ coverPath, livrePath, color })),
  }
}

interface NameRow extends CoverMapping {
  readonly namesRevision: number
  /** null in a row that has only the revision. */
  readonly list: 'categories' | 'matieres' | 'niveaux' | 'covers' | 'chapters' | 'kinds' | null
  readonly id: number
  readonly name: string
  readonly code: string | null
  readonly names: InEachLanguage | null
  readonly level: Level
  readonly chapter: Pick<ChapterNames, 'ar' | 'fr'> | null
}

const named = ({ id, name, code, names }: NameRow) => presentNamed({ id, name, code, names })

/**
 * Presents a category, subject or class, with `names` only if administrators have written them; ''
 * in a language that they have not written stands for its translation.
 */
export function presentNamed<R extends { names: InEachLanguage | null }>({ names, ...row }: R) {
  return { ...row, ...(names && { names: completed(names, '') }) }
}
