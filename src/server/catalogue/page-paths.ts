import { LOCALES } from '../../i18n/locales.ts'
import { inLanguage } from '../../i18n/paths.ts'
import { numberedPath } from '../../rules/numbered-pages.ts'
import { FIXED_PATHS, PAGES, SUBSTITUTES } from '../../rules/pages.ts'
import { READER } from '../../rules/reader-page.ts'
import type { Database } from '../database/pool.ts'
import { publicIds } from './public-ids.ts'

/**
 * The paths of the pages that depend on the build alone and are needed before anyone requests them.
 */
export const LASTING_PATHS: readonly string[] = inEveryLanguage(SUBSTITUTES)

/** The paths of all stored pages, in every language, for rendering ahead. */
export async function* pagePaths({ kysely }: Database): AsyncGenerator<string> {
  yield* LASTING_PATHS
  yield* inEveryLanguage(FIXED_PATHS.filter((path) => !('isPrerendered' in PAGES[path])))
  yield* inEveryLanguage([READER])
  for (const [table, page] of [
    ['teachers', 'teacher'],
    ['documents', 'document'],
  ] as const) {
    for await (const ids of publicIds(kysely, table)) {
      yield* inEveryLanguage(ids.map((id) => numberedPath(page, id)))
    }
  }
}

function inEveryLanguage(paths: readonly string[]): string[] {
  return paths.flatMap((path) => LOCALES.map((locale) => inLanguage(locale, path)))
}
