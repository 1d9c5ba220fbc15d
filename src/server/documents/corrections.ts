import { type Kysely, sql } from 'kysely'
import { getCorrections } from '../../contract/corrections.ts'
import type { OfferedPaper } from '../../contract/office-corrections.ts'
import * as contract from '../../contract/office-corrections.ts'
import {
  CORRECTIONS_OF_PAPER_MAX,
  CORRECTIONS_SHOWN,
  PAPERS_OFFERED,
} from '../../rules/corrections.ts'
import { DETAILS, type Details, detailsOf, PAPERS } from '../../rules/document-fields.ts'
import { conditionsOf } from '../catalogue/catalogue.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import type { Tx } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'

/**
 * Whether a teacher may sell the correction of document `d`: a published one, or an own one in any
 * state, that neither is a correction nor has one inside, of a category of papers.
 */
const isOffered = (teacherId: number) => sql`
  (d.is_published OR d.teacher_id = ${teacherId})
  AND d.correction_of IS NULL AND d.correction_page IS NULL
  AND NOT EXISTS (SELECT FROM categories c WHERE c.id = d.category_id
    AND c.code <> ALL (${[...PAPERS]}::text[]))`

interface Correction extends Partial<Pick<Details, 'correctionOf' | 'correctionPage'>> {
  /** null: not written yet. */
  readonly id: number | null
  readonly teacherId: number
}

/**
 * Whether a document may not be the correction of the paper that it names. The paper stays locked, so
 * that it does not become a correction meanwhile; the database refuses the same by a trigger.
 */
export async function isWrongPaper(
  tx: Tx,
  { id, teacherId, correctionOf, correctionPage }: Correction,
): Promise<boolean> {
  if (!correctionOf) return false
  if (correctionPage) return true
  const { rows: papers } = await sql`
    SELECT FROM documents d
    WHERE d.id = ${correctionOf} AND d.id IS DISTINCT FROM ${id}::integer
      AND ${isOffered(teacherId)}
    FOR NO KEY UPDATE`.execute(tx)
  if (papers.length === 0) return true
  const { rows } = await sql<{ isPaper: boolean; others: number }>`
    SELECT EXISTS (SELECT FROM documents WHERE correction_of = ${id}::integer) AS is_paper,
      (SELECT count(*)::integer FROM documents WHERE correction_of = ${correctionOf}
        AND teacher_id = ${teacherId} AND id IS DISTINCT FROM ${id}::integer) AS others`.execute(tx)
  const [{ isPaper, others } = { isPaper: false, others: 0 }] = rows
  return isPaper || others >= CORRECTIONS_OF_PAPER_MAX
}

interface PaperRow extends Details {
  id: number
  title: string
  teacher: string
  teacherId: number
  matiereId: number | null
  niveauId: number | null
  categoryId: number | null
}

const PAPER = sql`SELECT d.id, d.title, ${fullNameIn('t')} AS teacher, d.teacher_id,
  d.matiere_id, d.niveau_id, d.category_id,
  ${sql.join(DETAILS.map((name) => sql.ref(`d.${name}`)))}
  FROM documents d JOIN teachers t ON t.id = d.teacher_id`

const presentPaper = (row: PaperRow, teacherId: number | null): OfferedPaper => ({
  id: row.id,
  title: row.title,
  teacher: row.teacher,
  isOwn: row.teacherId === teacherId,
  matiereId: row.matiereId,
  niveauId: row.niveauId,
  categoryId: row.categoryId,
  ...detailsOf(row),
})

/** The paper that a document names as its own; null for none. */
export async function paperOf(
  db: Kysely<Schema>,
  { correctionOf, teacherId }: Pick<PaperRow, 'correctionOf' | 'teacherId'>,
): Promise<OfferedPaper | null> {
  if (correctionOf === null) return null
  const { rows } = await sql<PaperRow>`${PAPER} WHERE d.id = ${correctionOf}`.execute(db)
  return rows[0] ? presentPaper(rows[0], teacherId) : null
}

export const correctionRoutes: Route[] = [
  route(getCorrections, async ({ input, deps: { catalogue, database } }) => {
    const document = await catalogue.find(input.params.id)
    if (!document) throw fault('document_not_found')
    const sold = await database.kysely
      .selectFrom('documents')
      .select('id')
      .where('correctionOf', '=', document.id)
      .where('isPublished', '=', true)
      .orderBy('salesCount', 'desc')
      .orderBy('id')
      .limit(CORRECTIONS_SHOWN)
      .execute()
    const corrections = await Promise.all(sold.map(({ id }) => catalogue.find(id)))
    const { correctionOf } = document
    return {
      paper: (correctionOf && (await catalogue.find(correctionOf))) || null,
      corrections: corrections.filter((each) => each !== undefined),
    }
  }),
  route(contract.findPapers, async ({ input, user: { teacherId }, deps }) => {
    const { q = '', niveauId, matiereId, not } = input.query
    const { kysely } = deps.database
    const conditions = [
      isOffered(teacherId),
      ...(not ? [sql`d.id <> ${not}`] : []),
      // A draft may lack both yet.
      ...(niveauId ? [sql`coalesce(d.niveau_id, ${niveauId}) = ${niveauId}`] : []),
      ...(matiereId ? [sql`coalesce(d.matiere_id, ${matiereId}) = ${matiereId}`] : []),
      sql`d.title <> ''`,
      ...(await conditionsOf(kysely, q)),
    ]
    const { rows } = await sql<PaperRow>`${PAPER}
      WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY d.teacher_id <> ${teacherId}, d.uploaded_at DESC, d.id DESC
      LIMIT ${PAPERS_OFFERED}`.execute(kysely)
    return rows.map((row) => presentPaper(row, teacherId))
  }),
]
