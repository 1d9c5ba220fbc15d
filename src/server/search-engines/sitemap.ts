import { type Kysely, sql } from 'kysely'
import { DEFAULT_LOCALE, LOCALES } from '../../i18n/locales.ts'
import { inLanguage } from '../../i18n/paths.ts'
import { type NumberedPage, numberedPath } from '../../rules/numbered-pages.ts'
import { pagesWith } from '../../rules/pages.ts'
import { IS_PUBLIC, type PublicTable, publicIds } from '../catalogue/catalogue.ts'
import type { Schema } from '../database/schema.ts'
import { xmlText } from '../http/html.ts'
import { XML_HEAD } from './xml.ts'

type Db = Kysely<Schema>

/**
 * How many documents one file lists: each has one address per language, and a file holds 50 000.
 */
const PART_SIZE = Math.floor(50_000 / LOCALES.length)

export const SITEMAP_PAGES = {
  teachers: 'teacher',
  documents: 'document',
  samples: 'sample',
} as const satisfies Readonly<Record<PublicTable, NumberedPage>>

/** A file of the sitemap: the fixed pages, or the rows with ids in the nth range of `PART_SIZE`. */
export type Part = 'pages' | { table: PublicTable; number: number }

/** The index: one file for each range of ids with public rows. */
export async function sitemapIndex(db: Db, origin: string): Promise<string> {
  const names = ['pages']
  for (const table of Object.keys(SITEMAP_PAGES) as PublicTable[]) {
    const { rows } = await sql<{ part: number }>`
      SELECT DISTINCT (id - 1) / ${PART_SIZE}::integer + 1 AS part FROM ${table === 'teachers' ? sql`teachers` : sql`documents WHERE ${IS_PUBLIC[table]}`} ORDER BY part
    `.execute(db)
    names.push(...rows.map(({ part }) => `${table}-${part}`))
  }
  const files = names.map((name) => `<sitemap><loc>${origin}/sitemap-${name}.xml</loc></sitemap>\n`)
  return `${XML_HEAD}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${files.join('')}</sitemapindex>\n`
}

/** A file of the sitemap, streamed in batches of rows. */
export async function* sitemapPart(db: Db, origin: string, part: Part): AsyncGenerator<string> {
  yield `${XML_HEAD}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n`
  if (part === 'pages')
    yield pagesWith('isPublic')
      .map((path) => entries(origin, path))
      .join('')
  else yield* rowsOf(db, origin, part)
  yield '</urlset>\n'
}

async function* rowsOf(
  db: Db,
  origin: string,
  { table, number }: { table: PublicTable; number: number },
): AsyncGenerator<string> {
  const first = (number - 1) * PART_SIZE
  for await (const ids of publicIds(db, table, first, number * PART_SIZE)) {
    yield ids.map((id) => entries(origin, numberedPath(SITEMAP_PAGES[table], id))).join('')
  }
}

/** The address of a page in every language, each with links to all others. */
function entries(origin: string, path: string): string {
  const address = (locale: (typeof LOCALES)[number]) => xmlText(origin + inLanguage(locale, path))
  const alternates = [
    ...LOCALES.map((locale) => [locale, locale] as const),
    ['x-default', DEFAULT_LOCALE] as const,
  ]
    .map(
      ([language, locale]) =>
        `<xhtml:link rel="alternate" hreflang="${language}" href="${address(locale)}"/>`,
    )
    .join('')
  return LOCALES.map((locale) => `<url><loc>${address(locale)}</loc>${alternates}</url>\n`).join('')
}
