import { createHash } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Likeness, NotCompared } from '../../contract/office-review.ts'
import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import {
  type Alike,
  bandsOf,
  bandsToFind,
  COMPARED_MAX_PAGES,
  LIKENESS_MAX_PAGES,
  PACKED,
  PACKED_BYTES,
  type PageLikeness,
  PLACES,
  unpackPages,
} from '../../rules/likeness.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { type Customer, inTime, tasksOf, UnreadableFile, WorkersBusy } from '../workers/workers.ts'
import { type Pdf, type Pictures, picturesFor } from './reading/pictures.ts'
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
    await writeSignatures(shop, due, await readSignatures(pictures, due))
  } catch (error) {
    if (error instanceof WorkersBusy) return false
    // A busy machine or a full disk may be the cause, and other files are due.
    shop.report(`The pages of file ${due.id} could not be signed: ${error}`)
    await setDue(shop.database.kysely, due, new Date(shop.now() + RETRY_AFTER_MS))
  }
  return true
}

async function readSignatures(pictures: Pictures, file: Due): Promise<PageLikeness[]> {
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

function writeSignatures(shop: Shop, file: Due, pages: readonly PageLikeness[]): Promise<void> {
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

/** Bands that are looked for with one statement; its time grows with their square. */
const BANDS_AT_ONCE = 96

/** How many pages with such a band are looked at: by one statement, and in all. */
const FOUND_AT_ONCE = 50_000
const FOUND_MAX = 200_000

/** The pages that are read from the database at once: each answer stops the process for some milliseconds. */
const READ_AT_ONCE = 3000

const COMPARE = tasksOf<typeof import('./likeness-tasks.ts')>(
  new URL('./likeness-tasks.ts', import.meta.url),
)('compareFiles')

/** A document, or one that may be like it, with its newest file. */
export interface Newest {
  readonly document: number
  readonly version: number
  readonly file: number
  readonly teacher: number
  readonly isDue: boolean
  /** null: not known. */
  readonly pageCount: number | null
}

/** What a comparison found, which is kept until files change. */
interface Found {
  readonly alike: readonly (Alike<number> & { readonly version: number })[]
  readonly notCompared: NotCompared
}

/**
 * The documents of other teachers with the pages most like those of a document's newest file. Throws
 * `WorkersBusy` if that takes long: the work goes on, and a later call finds it.
 */
export async function findAlike(
  deps: Pick<Deps, 'database' | 'files' | 'workers'>,
  documentId: number,
): Promise<Likeness> {
  const { kysely: db } = deps.database
  const newest = await newestOf(db, documentId)
  if (!newest) return { isCompared: true, documents: [] }
  if (newest.isDue) return { isCompared: false, documents: [] }
  const folder = String(documentId)
  const name = `likeness/${folder}/${newest.file}-${await stateOfFiles(db)}.json`
  const kept = deps.files.made.kept(name, async () => {
    await deps.files.made.removeFolder('likeness', folder)
    return Buffer.from(JSON.stringify(await compare(deps, newest)))
  })
  // Only comparisons are kept.
  const { alike, notCompared } = JSON.parse(String(await inTime(kept))) as Found
  const { rows } = await sql<{ id: number; title: string; teacher: string }>`
    SELECT d.id, d.title, ${fullNameIn('t')} AS teacher
    FROM documents d JOIN teachers t ON t.id = d.teacher_id
    WHERE d.id = ANY (${alike.map(({ of }) => of)}::integer[])`.execute(db)
  const documents = new Map(rows.map((row) => [row.id, row]))
  const isAll = Object.values(notCompared).every((count) => !count)
  return {
    isCompared: true,
    documents: alike.flatMap(({ of, version, alike, pairs }) => {
      const document = documents.get(of)
      if (!document) return []
      const pages = pairs.map(({ page, other, alike }) => {
        return { page, other, percent: percentOf(alike) }
      })
      return [{ ...document, version, percent: percentOf(alike), pages }]
    }),
    ...(!isAll && { notCompared }),
  }
}

const percentOf = (share: number): number => Math.round(share * 100)

/** Documents with all their files, in the columns of `Newest`. */
export const FILES = sql`
  SELECT d.id AS document, v.number AS version, v.file_id AS file, d.teacher_id AS teacher,
    f.likeness_due_at IS NOT NULL AS is_due, f.page_count
  FROM documents d JOIN document_versions v ON v.document_id = d.id
  JOIN files f ON f.id = v.file_id`

export const NEWEST = sql`${FILES}
  WHERE NOT EXISTS (
    SELECT FROM document_versions WHERE document_id = d.id AND number > v.number
      AND file_id IS NOT NULL)`

async function newestOf(db: Kysely<Schema>, documentId: number): Promise<Newest | undefined> {
  const { rows } = await sql<Newest>`${NEWEST} AND d.id = ${documentId}`.execute(db)
  return rows[0]
}

/** Another text whenever a document gets or loses a file, is submitted, or a file has been signed. */
async function stateOfFiles(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    SELECT concat_ws(' ', count(*), sum(file_id::bigint), sum(file_id::bigint * document_id),
      count(*) FILTER (WHERE state = 'draft'),
      (SELECT concat_ws(' ', count(*), sum(id)) FROM files WHERE likeness_due_at IS NOT NULL)) AS state
    FROM document_versions WHERE file_id IS NOT NULL`.execute(db)
  return createHash('sha256')
    .update(rows[0]?.state ?? '')
    .digest('hex')
    .slice(0, 32)
}

/** What the file of a document is compared with. */
export interface Scope {
  /** A condition on the pages that are left out before they count, by `file_id`. */
  readonly leftOut: RawBuilder<unknown>
  /** The documents with the files that are looked at, in the columns of `Newest`. */
  readonly documents: RawBuilder<unknown>
  /** Whose turn the comparison takes. */
  readonly account: string
}

/**
 * Reviewers compare with the documents of other teachers. The teacher's own are left out before they
 * count, so that copies of one's own hide nothing.
 */
const forReview = ({ teacher }: Newest): Scope => ({
  leftOut: sql`file_id IN (
    SELECT v.file_id FROM document_versions v JOIN documents d ON d.id = v.document_id
    WHERE d.teacher_id = ${teacher} AND v.file_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM document_versions same JOIN documents other ON other.id = same.document_id
      WHERE same.file_id = v.file_id AND other.teacher_id <> ${teacher}))`,
  documents: sql`${NEWEST} AND d.teacher_id <> ${teacher}`,
  account: 'likeness',
})

async function compare(deps: Pick<Deps, 'database' | 'workers'>, newest: Newest): Promise<Found> {
  const { own, candidates, compared, hasMore } = await compareWith(deps, newest, forReview(newest))
  const known = new Map(candidates.map((each) => [each.document, each]))
  return {
    alike: compared.alike.map((each) => ({ ...each, version: known.get(each.of)?.version ?? 1 })),
    notCompared: {
      pages: Math.max(0, (newest.pageCount ?? 0) - own.pages.length / PACKED_BYTES),
      longDocuments: candidates
        .slice(0, compared.count)
        .filter(({ pageCount }) => (pageCount ?? 0) > LIKENESS_MAX_PAGES).length,
      documents: candidates.length - compared.count,
      waiting: await countWaiting(deps.database.kysely, newest),
      hasMore,
    },
  }
}

/** Compares the file of a document with those of a scope that have bands in common with it. */
export async function compareWith(
  { database, workers }: Pick<Deps, 'database' | 'workers'>,
  newest: Newest,
  scope: Scope,
) {
  const { kysely: db } = database
  const [own = emptyFile] = await readFiles(db, [newest.file])
  const { counts, hasMore } = await transaction(database, async (tx) => {
    // The planner takes hundreds of bands for half of the table, and reading all of it takes seconds.
    await sql`SET LOCAL enable_seqscan = off`.execute(tx)
    return findFiles(tx, scope, unpackPages(own.pages))
  })
  const candidates = await candidatesOf(db, scope, counts)
  const others = []
  let [next, pages] = [0, 0]
  while (next < candidates.length) {
    const some = untilPages(candidates.slice(next), READ_AT_ONCE)
    pages += some.reduce((sum, { signed }) => sum + signed, 0)
    if (pages > COMPARED_MAX_PAGES) break
    next += some.length
    const read = await readFiles(
      db,
      some.map(({ file }) => file),
    )
    const pagesOf = new Map(read.map((each) => [each.file, each.pages]))
    for (const { document, file } of some) {
      others.push({ of: document, pages: pagesOf.get(file) ?? emptyFile.pages })
    }
  }
  const customer: Customer = { lane: 'drafts', account: scope.account }
  const compared = await workers.run(COMPARE, { pages: own.pages, others }, customer)
  return { own, candidates, compared, hasMore }
}

/** How many bands other files have in common with these pages, by file. */
async function findFiles(
  db: Kysely<Schema>,
  { leftOut }: Scope,
  pages: readonly PageLikeness[],
): Promise<{ counts: Map<number, number>; hasMore: boolean }> {
  const bands = [...new Set(pages.flatMap(bandsToFind))]
  const counts = new Map<number, number>()
  let [found, hasMore] = [0, false]
  for (let at = 0; at < bands.length; at += BANDS_AT_ONCE) {
    const limit = Math.min(FOUND_AT_ONCE, FOUND_MAX - found)
    if (limit <= 0) return { counts, hasMore: true }
    const { rows } = await sql<{ file: number; count: number; pages: number }>`
      WITH wanted AS (SELECT unnest(${bands.slice(at, at + BANDS_AT_ONCE)}::integer[]) AS band),
      near AS MATERIALIZED (
        SELECT file_id, bands FROM page_signatures
        WHERE bands && ${bands.slice(at, at + BANDS_AT_ONCE)}::integer[] AND NOT (${leftOut})
        LIMIT ${limit}
      )
      SELECT file_id AS file, count(*)::integer AS count,
        (SELECT count(*)::integer FROM near) AS pages
      FROM near CROSS JOIN LATERAL unnest(near.bands) AS its (band)
      JOIN wanted ON wanted.band = its.band
      GROUP BY file_id`.execute(db)
    for (const { file, count } of rows) counts.set(file, (counts.get(file) ?? 0) + count)
    found += rows[0]?.pages ?? 0
    hasMore ||= rows[0]?.pages === limit
  }
  return { counts, hasMore }
}

/**
 * The documents with these files, those first that have most in common, and of equals the oldest: an
 * original is older than its copies. Drafts that nobody has submitted come last, whatever is in them.
 */
async function candidatesOf(
  db: Kysely<Schema>,
  { documents }: Scope,
  counts: ReadonlyMap<number, number>,
): Promise<(Newest & { readonly signed: number })[]> {
  const { rows } = await sql<Newest & { signed: number; isDraft: boolean }>`
    SELECT newest.*, least(coalesce(page_count, ${LIKENESS_MAX_PAGES}), ${LIKENESS_MAX_PAGES}) AS signed,
      NOT EXISTS (SELECT FROM document_versions v
        WHERE v.document_id = newest.document AND v.state <> 'draft') AS is_draft
    FROM (${documents} AND v.file_id = ANY (${[...counts.keys()]}::integer[])) AS newest`.execute(
    db,
  )
  const common = ({ file }: Newest) => counts.get(file) ?? 0
  return rows.sort(
    (one, other) =>
      Number(one.isDraft) - Number(other.isDraft) ||
      common(other) - common(one) ||
      one.document - other.document,
  )
}

/** The first of these with so many pages together, at least one. */
function untilPages<Each extends { readonly signed: number }>(all: Each[], most: number): Each[] {
  let pages = 0
  const end = all.findIndex(({ signed }) => {
    pages += signed
    return pages > most
  })
  return end < 0 ? all : all.slice(0, Math.max(1, end))
}

interface SignedFile {
  readonly file: number
  /** Packed. */
  readonly pages: Buffer
}

const emptyFile: SignedFile = { file: 0, pages: Buffer.alloc(0) }
const NO_SIGNATURE = Buffer.alloc(PLACES)

async function readFiles(db: Kysely<Schema>, files: readonly number[]): Promise<SignedFile[]> {
  const bit = (is: RawBuilder<unknown>, value: number) =>
    sql`CASE WHEN ${is} THEN ${sql.lit(value)} ELSE 0 END`
  const has = [
    bit(sql`has_words`, PACKED.hasWords),
    bit(sql`text IS NOT NULL`, PACKED.text),
    bit(sql`picture IS NOT NULL`, PACKED.picture),
  ]
  const { rows } = await sql<SignedFile>`
    SELECT file_id AS file, string_agg(
      set_byte('\\x00'::bytea, 0, ${sql.join(has, sql` + `)}) || coalesce(text, ${NO_SIGNATURE})
        || coalesce(picture, ${NO_SIGNATURE}), ''::bytea ORDER BY page) AS pages
    FROM page_signatures WHERE file_id = ANY (${files}::integer[]) GROUP BY file_id`.execute(db)
  return rows
}

/** How many files of other teachers are not signed yet. */
async function countWaiting(db: Kysely<Schema>, { teacher }: Newest): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer FROM (${NEWEST} AND f.likeness_due_at IS NOT NULL
      AND d.teacher_id <> ${teacher}) AS waiting`.execute(db)
  return rows[0]?.count ?? 0
}
