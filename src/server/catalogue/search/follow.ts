import { type Kysely, sql } from 'kysely'
import { coalesce } from '../../concurrency/coalesce.ts'
import type { Schema } from '../../database/schema.ts'
import type { IndexState } from '../../deps.ts'
import { NAMES_REVISION, type NamesAt } from '../names.ts'
import { type CatalogueIndex, createIndex, type IndexedRow } from './catalogue-index.ts'
import { schoolWordsOf } from './school-vocabulary.ts'
import { entryTexts } from './search-text.ts'

/** The number of documents per query of the first read, so that other queries do not wait long. */
const READ_AT_ONCE = 2_000

interface IndexRow extends Omit<IndexedRow, 'rating' | 'uploadedAt'> {
  readonly rating: number | string
  readonly uploadedAt: Date
}

const COLUMNS = sql`d.id, d.is_published AS "isPublished", d.title,
  d.search_text AS "searchText", d.level, d.niveau_id AS "niveauId", d.matiere_id AS "matiereId",
  d.category_id AS "categoryId", d.audience AS type, d.teacher_id AS "teacherId",
  d.paper_kind AS "paperKind", d.paper_number AS "paperNumber", d.trimester,
  d.school_year AS "schoolYear", d.chapter_ids AS "chapterIds",
  CASE WHEN d.correction_page IS NOT NULL OR d.has_correction OR d.correction_of IS NOT NULL
    THEN 'true' END AS "withCorrection",
  d.final_price AS price, d.rating, d.sales_count AS sales, d.uploaded_at AS "uploadedAt"`

/** What each read also learns: its horizon, and the revision of the names. */
interface Now {
  readonly horizon: string
  readonly namesRevision: number
}

/**
 * `current` returns the index of the catalogue, which includes everything that was committed before
 * the call. The first call reads all documents, later ones only changes; simultaneous callers share
 * one read.
 */
export function followIndex(
  given: Kysely<Schema>,
  namesAt: NamesAt,
): { current: () => Promise<CatalogueIndex>; state: () => IndexState } {
  // The queries alias their columns themselves.
  const db = given.withoutPlugins()
  let index: CatalogueIndex | null = null
  /** Transactions from this one on may contain changes that have not been read yet. */
  let horizon = ''
  /** The revision of the names that the index has. */
  let revision = 0
  let readAt: number | null = null

  async function readAll(): Promise<CatalogueIndex> {
    const { rows } = await sql<Now>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon, ${NAMES_REVISION}`.execute(
      db,
    )
    const read = createIndex()
    for (let last = 0; ; ) {
      const { rows: some } = await sql<IndexRow>`SELECT ${COLUMNS}
        FROM documents d WHERE d.is_published AND d.id > ${last} ORDER BY d.id LIMIT ${READ_AT_ONCE}`.execute(
        db,
      )
      for (const row of some) read.put(presentIndexed(row))
      const end = some.at(-1)
      if (!end || some.length < READ_AT_ONCE) break
      last = end.id
    }
    horizon = rows[0]?.horizon ?? ''
    await readEntries(read, rows[0]?.namesRevision ?? 0)
    return read
  }

  async function readEntries(known: CatalogueIndex, current: number): Promise<void> {
    const names = await namesAt(current)
    known.putEntries(entryTexts(names))
    known.putSchoolWords(await schoolWordsOf(db, names))
    revision = current
  }

  async function readChanges(known: CatalogueIndex): Promise<void> {
    // Changes of transactions that began after this snapshot are read the next time; numbers beyond
    // it are those of another server.
    const { rows } = await sql<IndexRow & Now>`
      SELECT pg_snapshot_xmin(now.snapshot)::text AS horizon, ${NAMES_REVISION}, ${COLUMNS}
      FROM (SELECT pg_current_snapshot() AS snapshot) AS now
      LEFT JOIN documents d ON d.changed_in::text::bigint >= ${horizon}::bigint
        AND d.changed_in::text::bigint < pg_snapshot_xmax(now.snapshot)::text::bigint`.execute(db)
    for (const row of rows) if (row.id !== null) known.put(presentIndexed(row))
    horizon = rows[0]?.horizon ?? horizon
    const current = rows[0]?.namesRevision ?? revision
    if (current !== revision) await readEntries(known, current)
  }

  const current = coalesce(async () => {
    const startedAt = Date.now()
    if (!index || index.isWornOut()) index = await readAll()
    else await readChanges(index)
    readAt = startedAt
    return index
  })
  return { current, state: () => ({ documents: index?.documents() ?? 0, readAt }) }
}

function presentIndexed(row: IndexRow): IndexedRow {
  return { ...row, rating: Number(row.rating), uploadedAt: row.uploadedAt?.getTime() ?? 0 }
}
