import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import {
  exportLog,
  getLogChoices,
  LOG_COUNTED_AT_MOST,
  LOG_EXPORTED_AT_MOST,
  type LogFilters,
  type LoggedAction,
  listLog,
} from '../../contract/office-log.ts'
import { ENTRY_KINDS } from '../../rules/catalogue-lists.ts'
import { PAGE_SIZE, PAGE_SIZE_MAX } from '../../rules/pager.ts'
import { plainSigns } from '../../rules/pasted-text.ts'
import { daysAfter, startOfDay } from '../../rules/tunisia-time.ts'
import type { Database } from '../database/pool.ts'
import type { Schema, StaffLogTable } from '../database/schema.ts'
import { fullNameIn, inOrder, nameOrContactIn } from '../database/sql-parts.ts'
import { pageOf, type Route, route } from '../http/route.ts'
import { foldPeople, isMeantBy } from '../people-search/people-search.ts'
import { COMMAND_LINE, SEE, userActor } from '../staff-log/staff-log.ts'

/** The name of the command line in the address of the log's page. */
const WHO_COMMAND_LINE = 'command-line'

/** The kinds of subjects whose id a number alone may be. */
const KINDS = [
  'user',
  'document',
  'teacher',
  'rating',
  'bulk change',
  'order',
  'payment',
  'payout',
  'join request',
  'conversation',
  ...Object.values(ENTRY_KINDS),
]

interface LogRow extends Selectable<StaffLogTable> {
  actorName: string | null
  subjectName: string | null
}

/** A number of at least this many digits may be a phone number. */
const PHONE_FROM = 8

const ID_OF_USER = /^user ([1-9]\d{0,8})$/

/** The rows of the log that pass every filter, newest first, starting at `offset`. */
async function readLog(
  database: Pick<Database, 'kysely'>,
  filters: LogFilters,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<LoggedAction[]> {
  const where = await conditionOf(database, filters)
  return rowsWhere(database.kysely, where, { limit, offset })
}

/** The number of rows that pass every filter, counted up to `LOG_COUNTED_AT_MOST`. */
async function countLog(database: Pick<Database, 'kysely'>, filters: LogFilters): Promise<number> {
  const where = await conditionOf(database, filters)
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::integer AS total
    FROM (SELECT FROM staff_log l WHERE ${where} LIMIT ${LOG_COUNTED_AT_MOST}) AS counted`.execute(
    database.kysely,
  )
  return rows[0]?.total ?? 0
}

/**
 * The log of what staff did to an account and, if `isStaff`, of what its owner did; newest first.
 */
export async function logOf(
  db: Kysely<Schema>,
  userId: number,
  { limit, isStaff }: { limit: number; isStaff: boolean },
): Promise<LoggedAction[]> {
  // Two queries, each with its own index: one with OR would read the whole log.
  const isAboutUser = sql`l.subject_kind = 'user' AND l.subject_id = ${userId}`
  const about = await rowsWhere(db, sql`${isAboutUser} AND l.action <> ${SEE}`, { limit })
  if (!isStaff) return about
  const own = await rowsWhere(db, sql`l.actor = ${userActor(userId)}`, { limit })
  const all = new Map([...about, ...own].map((row) => [row.id, row]))
  return [...all.values()].sort((a, b) => b.id - a.id).slice(0, limit)
}

/** The actors of the log, staff first by name, and the actions that occur in it. */
export async function logChoices(db: Kysely<Schema>) {
  // Steps through the indexes: the log may contain millions of rows, but only few actors and
  // actions.
  const distinct = async (column: 'actor' | 'action') => {
    const { rows } = await sql<{ value: string }>`
      WITH RECURSIVE steps AS (
        SELECT min(${sql.ref(column)}) AS value FROM staff_log
        UNION ALL
        SELECT (SELECT min(${sql.ref(column)}) FROM staff_log
          WHERE ${sql.ref(column)} > steps.value)
        FROM steps WHERE steps.value IS NOT NULL
      )
      SELECT value FROM steps WHERE value IS NOT NULL LIMIT 1000`.execute(db)
    return rows.map(({ value }) => value)
  }
  const actors = await distinct('actor')
  const ids = actors.flatMap((actor) => ID_OF_USER.exec(actor)?.[1] ?? []).map(Number)
  const { rows: people } = await sql<{ id: number; name: string }>`
    SELECT u.id, ${nameOrContactIn('u')} AS name FROM users u
    WHERE u.id = ANY (${ids}::integer[]) ORDER BY ${inOrder(nameOrContactIn('u'))}, u.id LIMIT ${PAGE_SIZE_MAX}`.execute(
    db,
  )
  return {
    actors: [
      ...people.map(({ id, name }) => ({ who: String(id), name })),
      ...(actors.includes(COMMAND_LINE) ? [{ who: WHO_COMMAND_LINE, name: COMMAND_LINE }] : []),
    ],
    actions: await distinct('action'),
  }
}

async function conditionOf(
  database: Pick<Database, 'kysely'>,
  { who, what, q = '', from, to, kind }: LogFilters,
): Promise<RawBuilder<boolean>> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (who) {
    const actor = who === WHO_COMMAND_LINE ? COMMAND_LINE : userActor(Number(who))
    conditions.push(sql`l.actor = ${actor}`)
  }
  if (what) conditions.push(sql`l.action = ${what}`)
  if (kind) conditions.push(kind === 'sights' ? sql`l.action = ${SEE}` : sql`l.action <> ${SEE}`)
  if (from) conditions.push(sql`l.made_at >= ${startOfDay(from)}`)
  if (to) conditions.push(sql`l.made_at < ${startOfDay(daysAfter(to, 1))}`)
  if (q.trim() !== '') conditions.push(await isAbout(database, q))
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`
}

/**
 * Whether a text may refer to the subject of a row: `document 12`, anything with the id 12, or
 * anything with this name.
 */
async function isAbout(
  { kysely }: Pick<Database, 'kysely'>,
  q: string,
): Promise<RawBuilder<boolean>> {
  const isOneOf = (kinds: readonly string[], ids: readonly number[]) => sql<boolean>`
    (l.subject_kind = ANY (${kinds}::text[]) AND l.subject_id = ANY (${ids}::integer[]))`
  const typed = plainSigns(q)
  const [, kind, id] = /^([a-z]+(?: [a-z]+)?)? ?#?(\d{1,9})$/.exec(typed.toLowerCase()) ?? []
  if (kind && KINDS.includes(kind)) return isOneOf([kind], [Number(id)])
  const hasId = isOneOf(KINDS, id && !kind ? [Number(id)] : [])
  if (id && !kind && typed.length < PHONE_FROM) return hasId
  await foldPeople({ kysely })
  const { rows } = await sql<{ id: number }>`
    SELECT users.id FROM users WHERE ${isMeantBy(q)} ORDER BY users.id LIMIT ${PAGE_SIZE_MAX}`.execute(
    kysely,
  )
  const people = rows.map((person) => person.id)
  return sql<boolean>`(${hasId} OR ${isOneOf(['user', 'conversation'], people)})`
}

async function rowsWhere(
  db: Kysely<Schema>,
  where: RawBuilder<unknown>,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<LoggedAction[]> {
  // The names of subjects are looked up for the rows of the page only.
  const { rows } = await sql<LogRow>`
    WITH page AS MATERIALIZED (
      SELECT * FROM staff_log l WHERE ${where} ORDER BY l.id DESC LIMIT ${limit} OFFSET ${offset}
    )
    SELECT l.*,
      ${nameOrContactIn('acting')} AS actor_name,
      coalesce(nullif(${nameOrContactIn('person')}, ''), nullif(document.title, ''),
        nullif(${fullNameIn('teacher')}, ''),
        taught.name, class.name, category.name, kind.name, cover.name,
        CASE WHEN l.subject_kind LIKE 'chapters %' THEN (
          SELECT niveaux.name || ' · ' || matieres.name FROM niveaux, matieres
          WHERE l.subject_kind = concat_ws(' ', 'chapters', niveaux.id, matieres.id)) END
      ) AS subject_name
    FROM page l
    LEFT JOIN users acting ON l.actor = 'user ' || acting.id
      AND acting.id = CASE WHEN l.actor ~ '^user [1-9][0-9]{0,8}$'
        THEN substring(l.actor FROM 6)::integer END
    LEFT JOIN users person ON l.subject_kind IN ('user', 'conversation')
      AND person.id = l.subject_id
    LEFT JOIN documents document ON l.subject_kind = 'document' AND document.id = l.subject_id
    LEFT JOIN teachers teacher ON l.subject_kind = 'teacher' AND teacher.id = l.subject_id
    LEFT JOIN matieres taught ON l.subject_kind = 'subject' AND taught.id = l.subject_id
    LEFT JOIN niveaux class ON l.subject_kind = 'class' AND class.id = l.subject_id
    LEFT JOIN categories category ON l.subject_kind = 'category' AND category.id = l.subject_id
    LEFT JOIN paper_kinds kind ON l.subject_kind = 'kind' AND kind.id = l.subject_id
    LEFT JOIN cover_mappings cover ON l.subject_kind = 'cover' AND cover.id = l.subject_id
    ORDER BY l.id DESC`.execute(db)
  return rows.map(presentAction)
}

function presentAction(row: LogRow): LoggedAction {
  const [, userId] = ID_OF_USER.exec(row.actor) ?? []
  return {
    id: row.id,
    at: row.madeAt.toISOString(),
    actor: { userId: userId ? Number(userId) : null, name: row.actorName || row.actor },
    action: row.action,
    subject: { kind: row.subjectKind, id: row.subjectId, name: row.subjectName },
    reason: row.reason,
  }
}

export const logRoutes: Route[] = [
  route(listLog, async ({ input, deps }) => {
    const { page = 0, size = PAGE_SIZE, ...filters } = input.query
    const rows = await readLog(deps.database, filters, { limit: size, offset: page * size })
    return pageOf(rows, { total: await countLog(deps.database, filters), page, size })
  }),
  route(exportLog, async ({ input, deps }) => {
    const limit = LOG_EXPORTED_AT_MOST + 1
    const rows = await readLog(deps.database, input.query, { limit })
    return { rows: rows.slice(0, LOG_EXPORTED_AT_MOST), isCut: rows.length === limit }
  }),
  route(getLogChoices, ({ deps }) => logChoices(deps.database.kysely)),
]
