import { type RawBuilder, sql } from 'kysely'
import type { OWN_DOCUMENT_SORTS, OwnDocumentFilters } from '../../contract/office-documents.ts'
import { DOCUMENT_STATES, type DocumentState } from '../../rules/document-life.ts'
import { conditionsOf } from '../catalogue/catalogue.ts'
import type { Deps } from '../deps.ts'
import { type DocumentRow, readDocuments } from './read-documents.ts'

/** How many rows a page of the table shows. */
const PAGE_SIZE = 20

const COLUMNS = {
  changed: sql`d.changed_at`,
  title: sql`lower(d.title)`,
  price: sql`d.final_price`,
  sales: sql`d.sales_count`,
  rating: sql`d.rating`,
} as const

function orderOf(sort: (typeof OWN_DOCUMENT_SORTS)[number]): RawBuilder<unknown> {
  const isDescending = sort.startsWith('-')
  const column = COLUMNS[sort.replace('-', '') as keyof typeof COLUMNS]
  return isDescending
    ? sql`${column} DESC NULLS LAST, d.id DESC`
    : sql`${column} ASC NULLS FIRST, d.id`
}

/** A page of the documents of one teacher or of all, and the number of documents in each state. */
export async function listDocuments(
  { database: { kysely } }: Deps,
  teacherId: number | null,
  filters: OwnDocumentFilters,
): Promise<{
  rows: DocumentRow[]
  total: number
  number: number
  size: number
  states: Record<DocumentState, number>
}> {
  const { page = 0, size = PAGE_SIZE, sort = '-changed', q = '', state } = filters
  const whose = teacherId === null ? sql`true` : sql`d.teacher_id = ${teacherId}`
  const where = sql.join(
    [whose, ...(state ? [sql`d.state = ${state}`] : []), ...(await conditionsOf(kysely, q))],
    sql` AND `,
  )
  const rows = await readDocuments(kysely, where, {
    order: orderOf(sort),
    limit: size,
    offset: page * size,
  })
  const { rows: counts } = await sql<{ state: DocumentState; all: number; found: number }>`
    SELECT d.state, count(*) AS all, count(*) FILTER (WHERE ${where}) AS found
    FROM documents d WHERE ${whose} GROUP BY d.state`.execute(kysely)
  const inState = (wanted: DocumentState) => counts.find((each) => each.state === wanted)?.all ?? 0
  return {
    rows,
    total: counts.reduce((sum, { found }) => sum + found, 0),
    number: page,
    size,
    states: Object.fromEntries(DOCUMENT_STATES.map((each) => [each, inState(each)])) as Record<
      DocumentState,
      number
    >,
  }
}
