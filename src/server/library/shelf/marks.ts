import { type Kysely, sql } from 'kysely'
import type { GivenMark, Mark } from '../../../contract/marks.ts'
import * as calls from '../../../contract/marks.ts'
import { MARKS_MAX } from '../../../rules/exam.ts'
import { completed, type InEachLanguage } from '../../../rules/languages.ts'
import type { Database } from '../../database/pool.ts'
import type { Schema } from '../../database/schema.ts'
import { lock, type Tx, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { type Route, route } from '../../http/route.ts'

export const markRoutes: Route[] = [
  route(calls.listMarks, ({ user, deps }) => marksOf(deps.database.kysely, user.id)),
  route(calls.putMark, ({ input, user, deps }) =>
    keepMark(deps, { userId: user.id, id: input.params.mark }, input.body),
  ),
  route(calls.removeMark, ({ input, user, deps }) =>
    removeMarks(deps.database.kysely, user.id, input.params.mark),
  ),
  route(calls.removeMarks, ({ user, deps }) => removeMarks(deps.database.kysely, user.id)),
]

interface MarkRow {
  readonly id: string
  readonly documentId: number
  readonly child: string
  readonly quarters: number
  readonly exerciseQuarters: number[] | null
  readonly minutes: number
  readonly satAt: Date
  readonly title: string
  readonly matiereId: number | null
  readonly matiereName: string | null
  readonly matiereCode: string | null
  readonly matiereNames: Partial<InEachLanguage> | null
}

async function marksOf(db: Kysely<Schema>, userId: number): Promise<Mark[]> {
  const { rows } = await sql<MarkRow>`
    SELECT k.id, k.document_id, k.child, k.quarters, k.exercise_quarters, k.minutes, k.sat_at,
      d.title, m.id AS matiere_id, m.name AS matiere_name, m.code AS matiere_code,
      m.names AS matiere_names
    FROM exam_marks k JOIN documents d ON d.id = k.document_id
    LEFT JOIN matieres m ON m.id = d.matiere_id
    WHERE k.user_id = ${userId} ORDER BY k.sat_at DESC, k.id`.execute(db)
  return rows.map(({ satAt, matiereName, matiereNames, ...row }) => ({
    ...row,
    satAt: satAt.toISOString(),
    matiereName: matiereName ?? '',
    matiereNames: matiereNames && completed(matiereNames, ''),
  }))
}

interface OwnMark {
  readonly userId: number
  readonly id: string
}

/** Throws `document_not_found` unless it is for sale or bought, and `marks_full`. */
function keepMark(
  { database, now }: Pick<Deps, 'now'> & { database: Database },
  { userId, id }: OwnMark,
  { satAt, ...given }: GivenMark,
): Promise<void> {
  return transaction(database, async (tx) => {
    await lock(tx, `marks ${userId}`)
    await requireSeen(tx, userId, given.documentId)
    const { others } = await tx
      .selectFrom('examMarks')
      .select(({ fn }) => fn.countAll<number>().as('others'))
      .where('userId', '=', userId)
      .where('id', '<>', id)
      .executeTakeFirstOrThrow()
    if (others >= MARKS_MAX) throw fault('marks_full')
    const mark = { ...given, satAt: new Date(Math.min(now(), Date.parse(satAt) || now())) }
    await tx
      .insertInto('examMarks')
      .values({ userId, id, ...mark })
      .onConflict((known) => known.columns(['userId', 'id']).doUpdateSet(mark))
      .execute()
  })
}

async function requireSeen(tx: Tx, userId: number, documentId: number): Promise<void> {
  const { rows } = await sql`
    SELECT FROM documents d WHERE d.id = ${documentId} AND (d.is_published OR EXISTS (
      SELECT FROM purchases p WHERE p.document_id = d.id AND p.user_id = ${userId}))`.execute(tx)
  if (rows.length === 0) throw fault('document_not_found')
}

async function removeMarks(db: Kysely<Schema>, userId: number, id?: string): Promise<void> {
  const marks = db.deleteFrom('examMarks').where('userId', '=', userId)
  await (id === undefined ? marks : marks.where('id', '=', id)).execute()
}

/** All of them move, even if they are more than one account may add. */
export async function mergeMarks(
  tx: Tx,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<void> {
  await sql`
    UPDATE exam_marks gone SET user_id = ${intoId} WHERE user_id = ${fromId} AND NOT EXISTS (
      SELECT FROM exam_marks kept WHERE kept.user_id = ${intoId} AND kept.id = gone.id)`.execute(tx)
  await tx.deleteFrom('examMarks').where('userId', '=', fromId).execute()
}
