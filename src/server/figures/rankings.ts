import { type Kysely, sql } from 'kysely'
import type { Rankings } from '../../contract/office-figures.ts'
import { periodOf, tunisianDay } from '../../rules/tunisia-time.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import type { Deps } from '../deps.ts'
import { type FiguresFilter, spanOf } from './read-figures.ts'

/** How many documents and teachers are listed by default. */
const BEST = 10
/** How many searches are listed. */
const SEARCHES = 50

/**
 * The best sellers of a period, refunded items not counted, and the searches that found nothing.
 */
export async function readRankings(
  { database: { kysely }, now, visits }: Pick<Deps, 'database' | 'now' | 'visits'>,
  { unit, at }: FiguresFilter,
  best = BEST,
): Promise<Rankings> {
  await visits.flush()
  const period = periodOf(unit, at ?? tunisianDay(new Date(now())))
  const span = spanOf(period)
  const searches = await kysely
    .selectFrom('emptySearches')
    .select(['words', ({ fn }) => fn.sum<string>('count').as('count')])
    .where('day', '>=', period.from)
    .where('day', '<=', period.to)
    .groupBy('words')
    .orderBy('count', 'desc')
    .orderBy('words')
    .limit(SEARCHES)
    .execute()
  return {
    documents: await bestDocuments(kysely, span, best),
    teachers: await bestTeachers(kysely, span, best),
    searches: searches.map(({ words, count }) => ({ words, count: Number(count) })),
  }
}

type Span = ReturnType<typeof spanOf>

const sold = ({ begin, end }: Span) => sql`order_items
  WHERE price > code_off AND sold_at >= ${begin} AND sold_at < ${end} AND refunded_at IS NULL`

async function bestDocuments(
  db: Kysely<Schema>,
  span: Span,
  best: number,
): Promise<Rankings['documents']> {
  const { rows } = await sql<Rankings['documents'][number]>`
    SELECT d.id, d.title, best.sales, best.gross
    FROM (
      SELECT document_id, count(*)::integer AS sales, sum(price - code_off)::bigint AS gross
      FROM ${sold(span)} GROUP BY document_id ORDER BY gross DESC, document_id LIMIT ${best}
    ) AS best JOIN documents d ON d.id = best.document_id
    ORDER BY best.gross DESC, d.id`.execute(db)
  return rows
}

async function bestTeachers(
  db: Kysely<Schema>,
  span: Span,
  best: number,
): Promise<Rankings['teachers']> {
  const { rows } = await sql<Rankings['teachers'][number]>`
    SELECT t.id, ${fullNameIn('t')} AS name, best.sales, best.gross, best.share
    FROM (
      SELECT teacher_id, count(*)::integer AS sales, sum(price - code_off)::bigint AS gross,
        -- Sold before shares existed: the whole price was the teacher's.
        sum(coalesce(teacher_share, price))::bigint AS share
      FROM ${sold(span)} GROUP BY teacher_id ORDER BY gross DESC, teacher_id LIMIT ${best}
    ) AS best JOIN teachers t ON t.id = best.teacher_id
    ORDER BY best.gross DESC, t.id`.execute(db)
  return rows
}
