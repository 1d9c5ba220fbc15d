import { LOCALES } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Database } from '../database/pool.ts'

/** Pages that stand in for others: until they are there, those who need them get less. */
const SUBSTITUTES = ['/404', '/error']

/** The pages that every visitor may ask for first, without their language; others are prerendered. */
const FIXED = [
  '/',
  '/shop',
  '/login',
  '/checkout',
  '/my-documents',
  '/order',
  '/chat',
  '/wishlist',
  '/charging',
  '/teachers',
  '/team',
  '/about',
  '/faq',
  '/contact',
  '/terms',
  '/privacy',
  '/forget-password',
  '/choose-password',
]

/** Read this many at a time: the list of a large catalogue need not be in memory. */
const BATCH = 1000

/** The paths of the pages that depend on the build alone and are needed before they are asked for. */
export const LASTING_PATHS: readonly string[] = inEveryLanguage(SUBSTITUTES)

/** The paths of all stored pages, in every language: what is rendered ahead. */
export async function* pagePaths({ kysely }: Database): AsyncGenerator<string> {
  yield* LASTING_PATHS
  yield* inEveryLanguage(FIXED)
  for (const [table, page] of [
    ['teachers', '/teacher-details'],
    ['documents', '/shop-details'],
  ] as const) {
    let after = 0
    for (;;) {
      let query = kysely.selectFrom(table).select('id').where('id', '>', after)
      if (table === 'documents') query = query.where('isPublished', '=', true)
      const rows = await query.orderBy('id').limit(BATCH).execute()
      yield* inEveryLanguage(rows.map(({ id }) => `${page}/${id}`))
      const last = rows.at(-1)
      if (!last) break
      after = last.id
    }
  }
}

function inEveryLanguage(paths: readonly string[]): string[] {
  return paths.flatMap((path) => LOCALES.map((locale) => pathIn(locale, path)))
}
