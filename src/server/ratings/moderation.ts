import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { RatingState, ShopRating, ShopRatingFilters } from '../../contract/office-ratings.ts'
import { nameOrContact } from '../../rules/full-name.ts'
import { conditionsOf } from '../catalogue/catalogue.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { foldPeople, isMeantBy } from '../people-search/people-search.ts'
import { changePages } from '../publishing/publishing.ts'
import { doneBefore, logStaff } from '../staff-log/staff-log.ts'
import {
  countRatings,
  lockRater,
  type RatingRow,
  readRatings,
  subjectOf,
  tagsOf,
} from './ratings.ts'
import { AWAITS_ANSWER } from './received.ts'

/**
 * Hides a rating from everyone but its author, who reads the reason, or with `null` shows it again.
 * Returns the changed rating, or null if there is none. Throws `done_before` if somebody else did
 * the same first, and `rating_not_hidden`.
 */
export async function setHidden(
  deps: Pick<Deps, 'database' | 'publisher'>,
  ratingId: number,
  { actor, reason }: { actor: string; reason: string | null },
): Promise<RatingRow | null> {
  const find = async (tx: Tx) => (await readRatings(tx, 'staff', sql`r.id = ${ratingId}`))[0]
  const action = reason === null ? 'unhide' : 'hide'
  const subject = { kind: 'rating', id: ratingId }
  return await changePages(deps, async (tx, markStale) => {
    const found = await find(tx)
    if (!found) return null
    await lockRater(tx, found.userId)
    const { numUpdatedRows } = await tx
      .updateTable('ratings')
      .set({ hiddenAt: reason === null ? null : sql<Date>`now()`, hiddenReason: reason })
      .where('id', '=', ratingId)
      .where('withdrawnAt', 'is', null)
      .where('hiddenAt', reason === null ? 'is not' : 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      // Its author may have deleted it meanwhile.
      if (!(await find(tx))) return null
      throw (await doneBefore(tx, { subject, actions: [action] })) ?? fault('rating_not_hidden')
    }
    await logStaff(tx, { actor, action, subject, reason })
    // Rendered immediately: an insult must not stay for another minute.
    markStale(tagsOf(subjectOf(found)))
    return (await find(tx)) ?? null
  })
}

const PAGE_SIZE = 20

const IN_STATE: Record<RatingState, RawBuilder<unknown>> = {
  hidden: sql`r.hidden_at IS NOT NULL`,
  counts: sql`r.counts`,
  shown: sql`(NOT r.counts AND rating_is_public(r))`,
  waits: sql`(r.hidden_at IS NULL AND NOT r.counts AND NOT rating_is_public(r))`,
}

/** A page of the ratings that pass every filter, newest first, and their total number. */
export async function findRatings(
  database: Pick<Database, 'kysely'>,
  { q = '', stars, state, of, words, page = 0, size = PAGE_SIZE }: ShopRatingFilters,
): Promise<{ rows: RatingRow[]; total: number; page: number; size: number }> {
  if (q.trim() !== '') await foldPeople(database)
  const { kysely } = database
  const conditions = [
    sql`true`,
    ...(stars ? [sql`r.stars = ${stars}`] : []),
    ...(state ? [IN_STATE[state]] : []),
    ...(of ? [sql`r.${sql.ref(`${of}_id`)} IS NOT NULL`] : []),
    ...(words === 'written' ? [sql`r.comment <> ''`] : []),
    // A rating that the teacher does not see awaits no answer.
    ...(words === 'unanswered' ? [AWAITS_ANSWER, sql`(r.counts OR rating_is_public(r))`] : []),
    ...(q.trim() === '' ? [] : [await isAbout(kysely, q)]),
  ]
  const where = sql.join(conditions, sql` AND `)
  return {
    rows: await readRatings(kysely, 'staff', where, { limit: size, offset: page * size }),
    total: await countRatings(kysely, 'staff', where),
    page,
    size,
  }
}

/** Whether a text refers to the author of a rating, its teacher, or its document. */
async function isAbout(db: Kysely<Schema>, q: string): Promise<RawBuilder<unknown>> {
  const people = sql`SELECT users.id FROM users WHERE ${isMeantBy(q)}`
  const words = await conditionsOf(db, q)
  const documents = sql`SELECT d.id FROM documents d
    WHERE ${words.length === 0 ? sql`false` : sql.join(words, sql` AND `)}`
  return sql`(r.user_id IN (${people}) OR t.user_id IN (${people}) OR r.document_id IN (${documents}))`
}

/** The state of a rating: who sees it, and whether it counts. */
function ratingState({ counts, isPublic, hiddenAt }: RatingRow): RatingState {
  if (hiddenAt !== null) return 'hidden'
  if (!isPublic) return 'waits'
  return counts ? 'counts' : 'shown'
}

export function presentShopRating(row: RatingRow): ShopRating {
  const { id, userId, stars, comment, createdAt, hiddenAt, hiddenReason } = row
  const { answer, answeredAt } = row
  return {
    id,
    of: { ...subjectOf(row), name: row.documentTitle ?? row.teacherName ?? '' },
    author: { id: userId, name: nameOrContact(row) },
    stars,
    comment,
    ratedAt: createdAt.toISOString(),
    state: ratingState(row),
    hidden: hiddenAt && { at: hiddenAt.toISOString(), reason: hiddenReason ?? '' },
    answer: answer && answeredAt ? { text: answer, answeredAt: answeredAt.toISOString() } : null,
    awaitsAnswer: row.isPublic && comment !== '' && (answer === null || row.isAnswerOutdated),
  }
}
