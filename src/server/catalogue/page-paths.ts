import { LOCALES } from '../../i18n/locales.ts'
import { inLanguage } from '../../i18n/paths.ts'
import { numberedPath, READER } from '../../rules/numbered-pages.ts'
import { FIXED_PATHS, PAGES, SUBSTITUTES } from '../../rules/pages.ts'
import { LEVELS } from '../../rules/price-bands.ts'
import type { Database } from '../database/pool.ts'
import { IS_PUBLIC } from './public-ids.ts'

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
  yield* inEveryLanguage(LEVELS.map((level) => `/shop?level=${level}`))
  const categories = await kysely.selectFrom('categories').select('id').orderBy('id').execute()
  yield* inEveryLanguage(categories.map(({ id }) => `/shop?categoryId=${id}`))
  const teachers = await kysely
    .selectFrom('teachers')
    .select('id')
    .orderBy('salesCount', 'desc')
    .orderBy('id')
    .limit(TEACHERS_MAX)
    .execute()
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

function inEveryLanguage(paths: readonly string[]): string[] {
  return paths.flatMap((path) => LOCALES.map((locale) => inLanguage(locale, path)))
}
