import { type Kysely, sql } from 'kysely'
import { getCorrections } from '../../contract/corrections.ts'
import type { OfferedPaper } from '../../contract/office-corrections.ts'
import * as contract from '../../contract/office-corrections.ts'
import {
  CORRECTIONS_OF_PAPER_MAX,
  CORRECTIONS_SHOWN,
  PAPERS_OFFERED,
  SHARED_FACTS,
} from '../../rules/corrections.ts'
import { DETAILS, type Details, detailsOf, PAPERS } from '../../rules/document-fields.ts'
import type { InEachLanguage } from '../../rules/languages.ts'
import type { Level } from '../../rules/price-bands.ts'
import { conditionsOf, presentNamed } from '../catalogue/catalogue.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import type { Tx } from '../database/transaction.ts'
import { fault } from '../http/errors.ts'
import { pageOf, type Route, route } from '../http/route.ts'
import { LACKS_CORRECTION } from './correction-waits.ts'

/**
 * Whether document `id` of a teacher may be a correction of document `d`: of an own one in any state or a
 * published one, that neither is a correction nor has one inside, of a category of papers. A document that
 * was published is reviewed no more, and so gets no paper of another teacher, who is told of a correction, as
 * are those who wait for one.
 */
const isOffered = (teacherId: number, id: number | null) => sql`
  (d.teacher_id = ${teacherId} OR d.is_published AND NOT EXISTS (
    SELECT FROM documents WHERE id = ${id}::integer AND first_published_at IS NOT NULL))
  AND d.correction_of IS NULL AND d.correction_page IS NULL
  AND NOT EXISTS (SELECT FROM categories c WHERE c.id = d.category_id
    AND c.code <> ALL (${[...PAPERS]}::text[]))`

interface Correction extends Partial<Pick<Details, 'correctionOf' | 'correctionPage'>> {
  /** null: not written yet. */
  readonly id: number | null
  readonly teacherId: number
}

/**
 * Why a document may not be the correction of the paper that it names; null if it may. The paper stays
 * locked, so that it does not become a correction meanwhile; the database refuses the same by a trigger.
 */
export async function paperProblem(
  tx: Tx,
  { id, teacherId, correctionOf, correctionPage }: Correction,
): Promise<'wrong' | 'full' | null> {
  if (!correctionOf) return null
  if (correctionPage) return 'wrong'
  const { rows: papers } = await sql`
    SELECT FROM documents d
    WHERE d.id = ${correctionOf} AND d.id IS DISTINCT FROM ${id}::integer
      AND ${isOffered(teacherId, id)}
    FOR NO KEY UPDATE`.execute(tx)
  if (papers.length === 0) return 'wrong'
  const { rows } = await sql<{ isPaper: boolean; others: number }>`
    SELECT EXISTS (SELECT FROM documents WHERE correction_of = ${id}::integer) AS is_paper,
      (SELECT count(*)::integer FROM documents WHERE correction_of = ${correctionOf}
        AND teacher_id = ${teacherId} AND id IS DISTINCT FROM ${id}::integer) AS others`.execute(tx)
  const [{ isPaper, others } = { isPaper: false, others: 0 }] = rows
  if (isPaper) return 'wrong'
  return others >= CORRECTIONS_OF_PAPER_MAX ? 'full' : null
}

/** What the draft of a paper's correction begins with. Throws `document_not_found`, `corrections_full`. */
export async function factsForCorrection(tx: Tx, correctionOf: number, teacherId: number) {
  const problem = await paperProblem(tx, { id: null, teacherId, correctionOf })
  if (problem) throw fault(problem === 'full' ? 'corrections_full' : 'document_not_found')
  const facts = await tx
    .selectFrom('documents')
    .select(['matiereId', 'niveauId', 'level', 'categoryId', ...SHARED_FACTS])
    .where('id', '=', correctionOf)
    .executeTakeFirstOrThrow()
  return { ...facts, correctionOf }
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

interface WantedRow extends PaperRow {
  matiereId: number
  matiereName: string
  matiereCode: string | null
  matiereNames: InEachLanguage | null
  niveauId: number
  niveauName: string
  niveauCode: string | null
  niveauNames: InEachLanguage | null
  level: Level | null
  waiting: number
}

const presentWanted = (row: WantedRow, teacherId: number): contract.WantedPaper => ({
  ...presentPaper(row, teacherId),
  matiere: presentNamed({
    id: row.matiereId,
    name: row.matiereName,
    code: row.matiereCode,
    names: row.matiereNames,
  }),
  classe: {
    ...presentNamed({
      id: row.niveauId,
      name: row.niveauName,
      code: row.niveauCode,
      names: row.niveauNames,
    }),
    level: row.level,
  },
  waiting: row.waiting,
})

/** How many rows a page of the list of wanted papers shows. */
const PAGE_SIZE = 20

export const correctionRoutes: Route[] = [
  route(contract.listWanted, async ({ input, user: { teacherId }, deps }) => {
    const { page = 0, size = PAGE_SIZE, q = '', niveauId, matiereId } = input.query
    const { kysely } = deps.database
    const conditions = [
      LACKS_CORRECTION,
      ...(niveauId ? [sql`d.niveau_id = ${niveauId}`] : []),
      ...(matiereId ? [sql`d.matiere_id = ${matiereId}`] : []),
      ...(await conditionsOf(kysely, q)),
    ]
    const wanted = sql`
      SELECT w.document_id AS id, count(*)::integer AS waiting FROM correction_waits w
      JOIN documents d ON d.id = w.document_id
      WHERE ${sql.join(conditions, sql` AND `)} GROUP BY w.document_id`
    const { rows } = await sql<WantedRow>`
      SELECT paper.*, wanted.waiting, m.name AS matiere_name, m.code AS matiere_code,
        m.names AS matiere_names, n.name AS niveau_name, n.code AS niveau_code,
        n.names AS niveau_names, n.level
      FROM (${wanted}) AS wanted JOIN (${PAPER}) AS paper ON paper.id = wanted.id
      JOIN matieres m ON m.id = paper.matiere_id JOIN niveaux n ON n.id = paper.niveau_id
      ORDER BY wanted.waiting DESC, paper.id LIMIT ${size} OFFSET ${page * size}`.execute(kysely)
    const { rows: counts } = await sql<{ total: number }>`
      SELECT count(*)::integer AS total FROM (${wanted}) AS wanted`.execute(kysely)
    const content = rows.map((row) => presentWanted(row, teacherId))
    return pageOf(content, { total: counts[0]?.total ?? 0, page, size })
  }),
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
    const { q = '', niveauId, matiereId, not = null } = input.query
    const { kysely } = deps.database
    const conditions = [
      isOffered(teacherId, not),
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
