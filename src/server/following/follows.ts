import { type Kysely, sql } from 'kysely'
import type { Named, SchoolClass } from '../../contract/references.ts'
import { FOLLOWS_MAX, type Followed, followKey } from '../../rules/following.ts'
import type { InEachLanguage } from '../../rules/languages.ts'
import type { Level } from '../../rules/price-bands.ts'
import { presentNamed } from '../catalogue/catalogue.ts'
import type { Database } from '../database/pool.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import { lock, type Tx, transaction } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'

const rowOf = (followed: Followed) => ({
  teacherId: null,
  niveauId: null,
  matiereId: null,
  ...followed,
})

function isThis(followed: Followed) {
  const { teacherId, niveauId, matiereId } = rowOf(followed)
  return sql<boolean>`coalesce(teacher_id = ${teacherId}::integer,
    niveau_id = ${niveauId}::integer AND matiere_id = ${matiereId}::integer, false)`
}

/** What an account follows, by keys. */
export async function readFollows(db: Kysely<Schema>, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('follows')
    .select(['teacherId', 'niveauId', 'matiereId'])
    .where('userId', '=', userId)
    .orderBy('followedAt')
    .execute()
  return rows.map(({ teacherId, niveauId, matiereId }) =>
    followKey(
      teacherId === null
        ? { niveauId: niveauId as number, matiereId: matiereId as number }
        : { teacherId },
    ),
  )
}

/** Follows a teacher, or a class with a subject, once. Throws `teacher_not_found`, `not_found`, `follows_full`. */
export function follow(database: Database, userId: number, followed: Followed): Promise<void> {
  return transaction(database, async (tx) => {
    await requireKnown(tx, followed)
    // Without the lock, two simultaneous requests would both find room.
    await lock(tx, `follows ${userId}`)
    const { rows } = await sql<{ count: number; isFollowed: boolean | null }>`
      SELECT count(*)::integer AS count, bool_or(${isThis(followed)}) AS is_followed
      FROM follows WHERE user_id = ${userId}`.execute(tx)
    const [{ count = 0, isFollowed = false } = {}] = rows
    if (isFollowed) return
    if (count >= FOLLOWS_MAX) throw fault('follows_full')
    await tx
      .insertInto('follows')
      .values({ userId, ...rowOf(followed) })
      .execute()
  })
}

async function requireKnown(tx: Tx, followed: Followed): Promise<void> {
  const { teacherId, niveauId, matiereId } = rowOf(followed)
  const { rows } = await sql<{ isKnown: boolean }>`
    SELECT EXISTS (SELECT FROM documents WHERE teacher_id = ${teacherId} AND is_published)
      OR EXISTS (SELECT FROM niveaux n, matieres m
        WHERE n.id = ${niveauId} AND m.id = ${matiereId}) AS is_known`.execute(tx)
  if (!rows[0]?.isKnown) throw fault(teacherId === null ? 'not_found' : 'teacher_not_found')
}

export async function unfollow(
  db: Kysely<Schema>,
  userId: number,
  followed: Followed,
): Promise<void> {
  await db.deleteFrom('follows').where('userId', '=', userId).where(isThis(followed)).execute()
}

/** The followed teachers, and the followed classes with their subjects, in the order of their lists. */
export async function namedFollows(db: Kysely<Schema>, userId: number) {
  const { rows: teachers } = await sql<{ id: number; name: string; latinName: string }>`
    SELECT t.id, ${fullNameIn('t')} AS name, t.latin_name
    FROM follows f JOIN teachers t ON t.id = f.teacher_id
    WHERE f.user_id = ${userId} ORDER BY f.followed_at, t.id`.execute(db)
  const { rows: subjects } = await sql<{ classe: ClassRow; matiere: NamedRow }>`
    SELECT json_build_object(
        'id', n.id, 'name', n.name, 'code', n.code, 'names', n.names, 'level', n.level) AS classe,
      json_build_object('id', m.id, 'name', m.name, 'code', m.code, 'names', m.names) AS matiere
    FROM follows f JOIN niveaux n ON n.id = f.niveau_id JOIN matieres m ON m.id = f.matiere_id
    WHERE f.user_id = ${userId} ORDER BY n.position, n.id, m.position, m.id`.execute(db)
  return {
    teachers,
    subjects: subjects.map(({ classe, matiere }) => ({
      classe: presentNamed(classe) as SchoolClass,
      matiere: presentNamed(matiere) as Named,
    })),
  }
}

interface NamedRow {
  id: number
  name: string
  code: string | null
  names: InEachLanguage | null
}
interface ClassRow extends NamedRow {
  level: Level
}

/** All of them move, even if they are more than one account may add. */
export async function mergeFollows(
  tx: Tx,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<void> {
  await sql`
    WITH gone AS (DELETE FROM follows WHERE user_id = ${fromId} RETURNING *)
    INSERT INTO follows (user_id, teacher_id, niveau_id, matiere_id, followed_at)
    SELECT ${intoId}, teacher_id, niveau_id, matiere_id, followed_at FROM gone
    ON CONFLICT DO NOTHING`.execute(tx)
  await sql`
    WITH gone AS (DELETE FROM told_corrections WHERE user_id = ${fromId} RETURNING *)
    INSERT INTO told_corrections (user_id, document_id, told_at)
    SELECT ${intoId}, document_id, told_at FROM gone ON CONFLICT DO NOTHING`.execute(tx)
}
