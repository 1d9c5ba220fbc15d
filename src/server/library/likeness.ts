import { type Kysely, sql } from 'kysely'
import type { AlikeDocument, Likeness } from '../../contract/office-review.ts'
import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import {
  bandsOf,
  bandsToFind,
  LIKENESS_MAX_PAGES,
  mostAlike,
  type PageLikeness,
} from '../../rules/likeness.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { UnreadableFile, WorkersBusy } from '../workers/workers.ts'
import { type Pdf, type Pictures, picturesFor } from './pages/pictures.ts'
import { isBusy } from './samples/make-samples.ts'

export const LIKENESS_EVERY_MS = 10 * SECOND_MS

/** After this time a turn begins no other file. */
const TURN_MS = 8 * SECOND_MS
const RETRY_AFTER_MS = 10 * MINUTE_MS
/** How many pages are read in one job. */
const PAGES_AT_ONCE = 20

type Shop = Pick<Deps, 'database' | 'files' | 'workers' | 'now' | 'report'>

interface Due extends Pdf {
  readonly id: number
}

/**
 * Signs the pages of files, the newest first: a new file soon after it came, older ones until the
 * turn's time is over. On a busy machine it signs one file a turn.
 */
export async function signFiles(shop: Shop): Promise<void> {
  const pictures = picturesFor(shop, { lane: 'behind', account: 'likeness' })
  const until = performance.now() + TURN_MS
  while ((await signNext(shop, pictures)) && performance.now() < until && !isBusy());
}

/** Returns false if none is due, or the workers have no time. */
async function signNext(shop: Shop, pictures: Pictures): Promise<boolean> {
  const { rows } = await sql<Due>`
    SELECT id, storage_key, sha256 FROM files
    WHERE likeness_due_at <= greatest(now(), ${new Date(shop.now())})
    ORDER BY id DESC LIMIT 1`.execute(shop.database.kysely)
  const [due] = rows
  if (!due) return false
  try {
    await write(shop, due, await read(pictures, due))
  } catch (error) {
    if (error instanceof WorkersBusy) return false
    // A busy machine or a full disk may be the cause, and other files are due.
    shop.report(`The pages of file ${due.id} could not be signed: ${error}`)
    await setDue(shop.database.kysely, due, new Date(shop.now() + RETRY_AFTER_MS))
  }
  return true
}

async function read(pictures: Pictures, file: Due): Promise<PageLikeness[]> {
  const pages: PageLikeness[] = []
  while (pages.length < LIKENESS_MAX_PAGES) {
    try {
      const next = await pictures.likenesses(file, pages.length + 1, PAGES_AT_ONCE)
      pages.push(...next)
      if (next.length < PAGES_AT_ONCE) break
    } catch (error) {
      // What of a file cannot be read is not compared.
      if (error instanceof UnreadableFile) break
      throw error
    }
  }
  return pages
}

function write(shop: Shop, file: Due, pages: readonly PageLikeness[]): Promise<void> {
  return transaction(shop.database, async (tx) => {
    await tx.deleteFrom('pageSignatures').where('fileId', '=', file.id).execute()
    const rows = pages.map((page, at) => ({
      fileId: file.id,
      page: at + 1,
      hasWords: page.hasWords,
      text: page.text && Buffer.from(page.text),
      picture: page.picture && Buffer.from(page.picture),
      bands: bandsOf(page),
    }))
    if (rows.length > 0) await tx.insertInto('pageSignatures').values(rows).execute()
    await setDue(tx, file, null)
  })
}

async function setDue(db: Kysely<Schema>, { id }: Due, likenessDueAt: Date | null) {
  await db.updateTable('files').set({ likenessDueAt }).where('id', '=', id).execute()
}

/** How many pages of others are compared with a page; exams of a series share what is printed. */
const FOUND_MAX = 300

interface FoundPage extends PageLikeness {
  readonly of: number
  readonly page: number
}

/** The documents with the pages most like those of a document's newest file. */
export async function findAlike(db: Kysely<Schema>, documentId: number): Promise<Likeness> {
  const newest = await db
    .selectFrom('documentVersions')
    .innerJoin('files', 'files.id', 'documentVersions.fileId')
    .select(['files.id', 'likenessDueAt'])
    .where('documentId', '=', documentId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return { isCompared: true, documents: [] }
  const pages = await db
    .selectFrom('pageSignatures')
    .select(['page', 'hasWords', 'text', 'picture'])
    .where('fileId', '=', newest.id)
    .orderBy('page')
    .execute()
  const alike = mostAlike(pages, await findPages(db, documentId, pages))
  const { rows } = await sql<Omit<AlikeDocument, 'percent' | 'pages'>>`
    SELECT DISTINCT ON (d.id) d.id, d.title, ${fullNameIn('t')} AS teacher, v.number AS version
    FROM documents d JOIN teachers t ON t.id = d.teacher_id
    JOIN document_versions v ON v.document_id = d.id AND v.file_id IS NOT NULL
    WHERE d.id = ANY (${alike.map(({ of }) => of)}::integer[])
    ORDER BY d.id, v.number DESC`.execute(db)
  const documents = new Map(rows.map((row) => [row.id, row]))
  return {
    isCompared: newest.likenessDueAt === null,
    documents: alike.flatMap(({ of, alike, pairs }) => {
      const document = documents.get(of)
      if (!document) return []
      const pages = pairs.map(({ page, other, alike }) => {
        return { page, other, percent: percentOf(alike) }
      })
      return [{ ...document, percent: percentOf(alike), pages }]
    }),
  }
}

const percentOf = (share: number): number => Math.round(share * 100)

/** The pages of other documents' newest files that share a band with these, by document. */
async function findPages(
  db: Kysely<Schema>,
  documentId: number,
  pages: readonly PageLikeness[],
): Promise<FoundPage[]> {
  const wanted = JSON.stringify(pages.map((page) => ({ bands: bandsToFind(page) })))
  const { rows } = await sql<FoundPage>`
    SELECT DISTINCT d.id AS of, found.page, found.has_words, found.text, found.picture
    FROM jsonb_to_recordset(${wanted}::jsonb) AS wanted (bands integer[])
    CROSS JOIN LATERAL (
      -- Planned for all pages, by the index; with the limit alone it may read the table.
      WITH near AS MATERIALIZED (SELECT * FROM page_signatures WHERE bands && wanted.bands)
      SELECT * FROM near ORDER BY file_id DESC, page LIMIT ${FOUND_MAX}
    ) AS found
    JOIN document_versions v ON v.file_id = found.file_id AND v.document_id <> ${documentId}
    JOIN documents d ON d.id = v.document_id
    WHERE NOT EXISTS (
      SELECT FROM document_versions WHERE document_id = d.id AND number > v.number
        AND file_id IS NOT NULL)`.execute(db)
  return rows
}
