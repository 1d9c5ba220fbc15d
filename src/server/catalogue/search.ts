import { type Kysely, type RawBuilder, sql } from 'kysely'
import { COUNTED_AT_MOST, type DocumentFilters, type Sort } from '../../contract/catalogue.ts'
import { PAGE_SIZE } from '../../rules/pager.ts'
import { foldQuery } from '../../rules/search-fold.ts'
import type { Schema } from '../database/schema.ts'
import { chosenDocuments, withNames } from './documents.ts'
import type { ReadDocument } from './present.ts'

type Condition = RawBuilder<unknown>

const ORDERS: Record<Sort, RawBuilder<unknown>> = {
  newest: sql`uploaded_at DESC, id DESC`,
  price: sql`final_price, id`,
  '-price': sql`final_price DESC, id DESC`,
  rating: sql`rating DESC, id DESC`,
  sales: sql`sales_count DESC, id DESC`,
}

/**
 * Searches the catalogue: by words, or for a text anywhere. Documents that begin with the text come
 * first; those that merely contain it are searched only where a page has room left.
 */
export async function searchCatalogue(
  db: Kysely<Schema>,
  { match = 'words', ...filters }: DocumentFilters,
) {
  const words = foldQuery(filters.title ?? '')
  const found = await search(db, filters, words, wordConditions(words))
  if (match === 'words' || words.length === 0 || found.total >= found.size) return found
  const anywhere = await search(db, filters, words, containsConditions(words))
  const known = new Set(found.rows.map(({ id }) => id))
  const rows = [...found.rows, ...anywhere.rows.filter(({ id }) => !known.has(id))]
  return { ...anywhere, rows: rows.slice(0, found.size) }
}

/**
 * A page of the published documents that pass every filter, and how many there are, counted up to
 * `COUNTED_AT_MOST`: in one query.
 */
async function search(
  db: Kysely<Schema>,
  filters: Omit<DocumentFilters, 'match'>,
  words: readonly string[],
  wordsMatch: readonly Condition[],
) {
  const { page = 0, size = PAGE_SIZE, sort = 'newest' } = filters
  const where = sql.join(
    [sql`is_published`, ...filterConditions(filters), ...wordsMatch],
    sql` AND `,
  )
  const counted = words.length > 0 ? COUNTED_AT_MOST.words : COUNTED_AT_MOST.filters
  const order = ORDERS[sort]
  const chosen = sql`SELECT id, row_number() OVER (ORDER BY ${order}) AS place
    FROM documents WHERE ${where} ORDER BY ${order} LIMIT ${size} OFFSET ${page * size}`

  // The count comes first, so that a page past the end still says how many there are.
  const { rows } = await sql<ReadDocument & { total: number; place: unknown }>`
    SELECT counted.total, page.*
    FROM (
      SELECT count(*)::integer AS total
      FROM (SELECT 1 FROM documents WHERE ${where} LIMIT ${counted}) AS matching
    ) AS counted
    LEFT JOIN (${chosenDocuments(chosen)}) AS page ON true
    ORDER BY page.place`.execute(db)
  return {
    rows: await withNames(
      db,
      rows.filter((row) => row.place !== null),
    ),
    total: rows[0]?.total ?? 0,
    page,
    size,
  }
}

function filterConditions(filters: Omit<DocumentFilters, 'match'>): Condition[] {
  const conditions: Condition[] = []
  const add = <T>(value: T | undefined, condition: (value: T) => Condition) => {
    if (value !== undefined) conditions.push(condition(value))
  }
  add(filters.matiereId, (id) => sql`matiere_id = ${id}`)
  add(filters.niveauId, (id) => sql`niveau_id = ${id}`)
  add(filters.categoryId, (id) => sql`category_id = ${id}`)
  add(filters.teacherId, (id) => sql`teacher_id = ${id}`)
  add(filters.type, (audience) => sql`audience = ${audience}`)
  add(filters.level, (level) => sql`level = ${level}`)
  add(filters.minPrice, (amount) => sql`final_price >= ${amount}`)
  add(filters.maxPrice, (amount) => sql`final_price < ${amount}`)
  add(filters.rating, (stars) => sql`rating >= ${stars}`)
  return conditions
}

/** Every word somewhere, the last one as a prefix. */
function wordConditions(words: readonly string[]): Condition[] {
  // Folded words are letters and digits only, without wildcards to escape.
  return words.map((word, at) => {
    const pattern = at === words.length - 1 ? `% ${word}%` : `% ${word} %`
    return sql`search_text LIKE ${pattern}`
  })
}

/** Every word anywhere, also in the middle of one. */
function containsConditions(words: readonly string[]): Condition[] {
  return words.map((word) => {
    const inside = sql`search_text LIKE ${`%${word}%`}`
    // Stored words have no article, so a text from the middle of it (لكيمياء) is also tried without.
    const [, rest] = /^ل(..+)/u.exec(word) ?? []
    return rest ? sql`(${inside} OR search_text LIKE ${`% ${rest}%`})` : inside
  })
}
