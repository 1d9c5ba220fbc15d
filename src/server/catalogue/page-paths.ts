import { type Kysely, sql } from 'kysely'
import { LOCALES } from '../../i18n/locales.ts'
import { inLanguage } from '../../i18n/paths.ts'
import { numberedPath, READER } from '../../rules/numbered-pages.ts'
import { FIXED_PATHS, PAGES, SUBSTITUTES } from '../../rules/pages.ts'
import { LEVELS, type Level } from '../../rules/price-bands.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { IS_PUBLIC_TEACHER, listedTeachers } from './teachers.ts'

/**
 * The paths of the pages that depend on the build alone and are needed before anyone requests them.
 */
export const LASTING_PATHS: readonly string[] = inEveryLanguage(SUBSTITUTES)

/** How many pages of documents and teachers are rendered before anyone requests them. */
const DOCUMENTS_MAX = 1000
const TEACHERS_MAX = 300

/**
 * The paths of the pages that are rendered before anyone requests them, in every language: some
 * 4 000 at most, whatever the catalogue.
 */
export async function* pagePaths({ kysely }: Database): AsyncGenerator<string> {
  yield* LASTING_PATHS
  yield* inEveryLanguage(FIXED_PATHS.filter((path) => !('isPrerendered' in PAGES[path])))
  yield* inEveryLanguage([READER])
  yield* inEveryLanguage(LEVELS.map(levelPath))
  const categories = await kysely.selectFrom('categories').select('id').orderBy('id').execute()
  yield* inEveryLanguage(categories.map(({ id }) => `/shop?categoryId=${id}`))
  const teachers = (await listedTeachers(kysely)).slice(0, TEACHERS_MAX)
  yield* inEveryLanguage(teachers.map(({ id }) => numberedPath('teacher', id)))
  const documents = await kysely
    .selectFrom('documents')
    .select('id')
    .where(IS_PUBLIC.documents)
    .orderBy('salesCount', 'desc')
    .orderBy('id', 'desc')
    .limit(DOCUMENTS_MAX)
    .execute()
  yield* inEveryLanguage(documents.map(({ id }) => numberedPath('document', id)))
}

/** The path of the shop's page about a school level. */
export const levelPath = (level: Level) => `/shop?level=${level}`

/** The levels of which something is for sale. */
export async function levelsForSale(db: Kysely<Schema>): Promise<Level[]> {
  const { rows } = await sql<{ level: Level }>`
    SELECT level FROM unnest(${[...LEVELS]}::text[]) AS level
    WHERE EXISTS (SELECT FROM documents WHERE ${IS_PUBLIC.documents} AND documents.level = level.level)`.execute(
    db,
  )
  return rows.map(({ level }) => level)
}

function inEveryLanguage(paths: readonly string[]): string[] {
  return paths.flatMap((path) => LOCALES.map((locale) => inLanguage(locale, path)))
}

const BATCH = 1000
const LARGEST_ID = 2 ** 31 - 1

/** The condition under which a row has a public page. */
export const IS_PUBLIC = {
  documents: sql<boolean>`is_published`,
  samples: sql<boolean>`is_published AND EXISTS (
    SELECT FROM samples s WHERE s.document_id = documents.id AND s.pages IS NOT NULL)`,
  teachers: IS_PUBLIC_TEACHER,
} as const

/**
 * The tables whose rows have a public page by id; `samples` are identified by the ids of their
 * documents.
 */
export type PublicTable = 'teachers' | 'documents' | 'samples'

/**
 * The public ids above `after`, ascending, in batches, so that a large catalogue need not fit into
 * memory.
 */
export async function* publicIds(
  db: Kysely<Schema>,
  table: PublicTable,
  after = 0,
  last = LARGEST_ID,
): AsyncGenerator<number[]> {
  for (let from = after; ; ) {
    const named = table === 'teachers' ? 'teachers' : 'documents'
    const query = db.selectFrom(named).select('id').where('id', '>', from).where('id', '<=', last)
    const rows = await query.where(IS_PUBLIC[table]).orderBy('id').limit(BATCH).execute()
    yield rows.map(({ id }) => id)
    const newest = rows.at(-1)
    if (!newest || rows.length < BATCH) return
    from = newest.id
  }
}
