import { type Kysely, type RawBuilder, sql } from 'kysely'
import { SECOND_MS } from '../../rules/durations.ts'
import { NEWS_KINDS, NEWS_MS, NEWS_SHOWN, type NewsKind } from '../../rules/following.ts'
import type { Millimes } from '../../rules/money.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'

export interface NewsRow {
  readonly id: number
  readonly title: string
  /** What is to be paid now. */
  readonly price: Millimes
  readonly kind: NewsKind
  readonly at: Date
  readonly isNew: boolean
  readonly priceBefore: Millimes | null
  readonly teacherId: number
  readonly teacherName: string
  readonly teacherLatinName: string
}

/**
 * What happened to an account's documents and to what it follows since a moment, by facts that are
 * there anyway, so that nothing is written for each follower: at most `NEWS_SHOWN` of each teacher and
 * class, and what the bounds of lists leave.
 */
function factsSince(userId: number, since: RawBuilder<unknown>): RawBuilder<unknown> {
  const published = (follows: RawBuilder<unknown>) => sql`
    SELECT 'published' AS kind, d.id AS document_id, d.first_published_at AS at,
      NULL::bigint AS price_before
    FROM follows f CROSS JOIN LATERAL (
      SELECT id, first_published_at FROM documents
      WHERE ${follows} AND is_published AND first_published_at > greatest(${since}, f.followed_at)
      ORDER BY first_published_at DESC LIMIT ${NEWS_SHOWN}
    ) d WHERE f.user_id = ${userId}`
  const isOwned = sql`EXISTS (SELECT FROM purchases p
    WHERE p.user_id = ${userId} AND p.document_id = fact.document_id)`
  return sql`
    SELECT * FROM (
      ${published(sql`teacher_id = f.teacher_id`)}
      UNION
      ${published(sql`niveau_id = f.niveau_id AND matiere_id = f.matiere_id`)}
      UNION ALL
      SELECT 'price', d.id, d.price_fell_at, d.fell_from
      FROM wishlist_items w JOIN documents d ON d.id = w.document_id
      WHERE w.user_id = ${userId} AND d.price_fell_at > greatest(${since}, w.added_at)
        AND d.final_price < d.fell_from
    ) AS fact WHERE NOT ${isOwned}
    UNION ALL
    SELECT 'version', p.document_id, v.decided_at, NULL
    FROM purchases p CROSS JOIN LATERAL (
      SELECT number, decided_at FROM document_versions
      WHERE document_id = p.document_id AND state = 'accepted' ORDER BY number DESC LIMIT 1
    ) v LEFT JOIN readings r ON r.user_id = p.user_id AND r.document_id = p.document_id
    WHERE p.user_id = ${userId} AND v.decided_at > greatest(${since}, p.purchased_at)
      AND coalesce(r.seen_version, 0) < v.number
    UNION ALL
    SELECT 'correction', c.document_id, c.told_at, NULL
    FROM told_corrections c JOIN documents d ON d.id = c.document_id
    WHERE c.user_id = ${userId} AND c.told_at > ${since}
      AND (d.has_correction OR d.correction_page IS NOT NULL)`
}

const OLDEST = sql`(now() - make_interval(secs => ${NEWS_MS / SECOND_MS}))`
const SEEN_AT = (userId: number) => sql`(SELECT news_seen_at FROM users WHERE id = ${userId})`

async function readRows(
  db: Kysely<Schema>,
  userId: number,
  since: RawBuilder<unknown>,
  { kinds, most }: Wanted,
): Promise<NewsRow[]> {
  const { rows } = await sql<NewsRow>`
    SELECT item.kind, item.at, item.at > ${SEEN_AT(userId)} AS is_new, item.price_before,
      t.id AS teacher_id, ${fullNameIn('t')} AS teacher_name,
      t.latin_name AS teacher_latin_name, d.id, d.title, d.final_price AS price
    FROM (${factsSince(userId, since)}) AS item
    JOIN documents d ON d.id = item.document_id AND d.is_published
    JOIN teachers t ON t.id = d.teacher_id
    WHERE item.kind = ANY (${[...kinds]}::text[])
    ORDER BY item.at DESC, d.id DESC, item.kind LIMIT ${most}`.execute(db)
  return rows
}

interface Wanted {
  readonly kinds: readonly NewsKind[]
  readonly most: number
}

/** The latest news of an account, and a moment before which all of them were there. */
export async function readNews(
  db: Kysely<Schema>,
  userId: number,
): Promise<{ news: NewsRow[]; readAt: Date }> {
  const { rows } = await sql<{ readAt: Date }>`SELECT clock_timestamp() AS read_at`.execute(db)
  const news = await readRows(db, userId, OLDEST, { kinds: NEWS_KINDS, most: NEWS_SHOWN })
  return { news, readAt: rows[0]?.readAt ?? new Date(0) }
}

/** The latest news since a moment that the account has not seen. */
export function newsSince(
  db: Kysely<Schema>,
  userId: number,
  { since, ...wanted }: Wanted & { readonly since: Date },
): Promise<NewsRow[]> {
  const unseen = sql`greatest(${OLDEST}, ${SEEN_AT(userId)}, ${since}::timestamptz)`
  return readRows(db, userId, unseen, wanted)
}

/** Whether something has happened since the account last looked. */
export async function hasNews(db: Kysely<Schema>, userId: number): Promise<boolean> {
  const wanted = { since: new Date(0), kinds: NEWS_KINDS, most: 1 }
  return (await newsSince(db, userId, wanted)).length > 0
}

/** A moment that is yet to come would hide later news. */
export async function markSeen(db: Kysely<Schema>, userId: number, readAt: Date): Promise<void> {
  await sql`
    UPDATE users SET news_seen_at = least(${readAt}::timestamptz, now())
    WHERE id = ${userId} AND news_seen_at < ${readAt}::timestamptz`.execute(db)
}
