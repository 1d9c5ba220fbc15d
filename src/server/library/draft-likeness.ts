import { type Kysely, sql } from 'kysely'
import type { AlikeDrafts } from '../../contract/office-documents.ts'
import { DRAFTS_MAX } from '../../rules/document-life.ts'
import { TOLD_FROM } from '../../rules/likeness.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import type { Deps } from '../deps.ts'
import { inTime, WorkersBusy } from '../workers/workers.ts'
import { compareWith, FILES, NEWEST, type Newest, type Scope } from './likeness.ts'

/** How many drafts one call compares; the others wait for the next. */
const COMPARED_AT_ONCE = 3

/** How many documents are named for a draft. */
const SHOWN = 3

/**
 * A teacher's drafts are compared with their own documents, and with what others have for sale: of
 * what others only prepare, they learn nothing.
 */
const forTeacher = ({ teacher, document, file }: Newest): Scope => ({
  leftOut: sql`file_id = ${file}`,
  documents: sql`${FILES} WHERE d.id <> ${document} AND ${isTold(teacher)}`,
  account: `likeness of ${teacher}`,
})

/** Whether a teacher may learn of a document, and of this file of it. */
const isTold = (teacher: number) =>
  sql`(d.teacher_id = ${teacher} OR (d.is_published AND v.file_id = d.file_id))`

interface Pair {
  readonly draft: number
  readonly of: number
  /** How much of the draft is like it, from 0 to 1. */
  readonly alike: number
}

/**
 * What of a teacher's drafts is like, or the same as, another document. A few of those whose pages
 * have been read since the last call are compared; the rest waits, as do those that are not read yet.
 */
export async function findAlikeDrafts(
  deps: Pick<Deps, 'database' | 'files' | 'workers'>,
  teacherId: number,
): Promise<AlikeDrafts> {
  const { kysely: db } = deps.database
  const { rows: drafts } = await sql<Newest>`
    ${NEWEST} AND d.teacher_id = ${teacherId} AND d.state = 'draft' ORDER BY d.id DESC
    LIMIT ${DRAFTS_MAX}`.execute(db)
  const pairs: Pair[] = [...(await sameFiles(db, teacherId, drafts))]
  let left = COMPARED_AT_ONCE
  let waiting = 0
  for (const draft of drafts) {
    const found = draft.isDue ? null : await compared(deps, draft, () => left-- > 0)
    if (found) pairs.push(...found)
    else waiting++
  }
  return { drafts: await named(db, drafts, pairs, teacherId), waiting }
}

/** What a draft's file is like, which is found once for each file; null: not known yet. */
async function compared(
  deps: Pick<Deps, 'database' | 'files' | 'workers'>,
  draft: Newest,
  mayCompare: () => boolean,
): Promise<Pair[] | null> {
  const name = `likeness/draft-${draft.document}/${draft.file}.json`
  const kept = deps.files.made.kept(name, async () => {
    if (!mayCompare()) return null
    const { compared: found } = await compareWith(deps, draft, forTeacher(draft))
    const told = found.alike.filter(({ alike }) => alike >= TOLD_FROM)
    return Buffer.from(JSON.stringify(told.map(({ of, alike }) => ({ of, alike }))))
  })
  try {
    const found = await inTime(kept)
    if (!found) return null
    const pairs = JSON.parse(String(found)) as Pick<Pair, 'of' | 'alike'>[]
    // Pages that say the same are not yet the same file.
    return pairs.map(({ of, alike }) => ({
      draft: draft.document,
      of,
      alike: Math.min(alike, 0.99),
    }))
  } catch (error) {
    if (error instanceof WorkersBusy) return null
    throw error
  }
}

/** Documents with the very bytes of these drafts, which are known without reading their pages. */
async function sameFiles(
  db: Kysely<Schema>,
  teacher: number,
  drafts: readonly Newest[],
): Promise<Pair[]> {
  const { rows } = await sql<Pair>`
    SELECT DISTINCT own.document AS draft, d.id AS of, 1 AS alike
    FROM unnest(${drafts.map(({ document }) => document)}::integer[],
      ${drafts.map(({ file }) => file)}::integer[]) AS own (document, file)
    JOIN files mine ON mine.id = own.file
    -- The key of a file is the hash of its bytes.
    JOIN files f ON f.storage_key = mine.storage_key
    JOIN document_versions v ON v.file_id = f.id AND v.document_id <> own.document
    JOIN documents d ON d.id = v.document_id
    WHERE ${isTold(teacher)} ORDER BY draft, of`.execute(db)
  return rows
}

/** Each draft with the documents most like it. Of two drafts that are alike, both say so. */
async function named(
  db: Kysely<Schema>,
  drafts: readonly Newest[],
  pairs: readonly Pair[],
  teacher: number,
): Promise<AlikeDrafts['drafts']> {
  const { rows } = await sql<{ id: number; title: string; teacher: string | null }>`
    SELECT d.id, d.title, CASE WHEN t.id <> ${teacher} THEN ${fullNameIn('t')} END AS teacher
    FROM documents d JOIN teachers t ON t.id = d.teacher_id
    WHERE d.id = ANY (${pairs.flatMap(({ draft, of }) => [draft, of])}::integer[])
      AND (t.id = ${teacher} OR d.is_published)`.execute(db)
  const mirrored = pairs.map(({ draft, of, alike }) => ({ draft: of, of: draft, alike }))
  const all = [...pairs, ...mirrored]
  const titles = new Map(rows.map((row) => [row.id, row]))
  return drafts.flatMap(({ document }) => {
    const own = all.filter(({ draft }) => draft === document)
    const best = new Map(own.toSorted((a, b) => a.alike - b.alike).map((pair) => [pair.of, pair]))
    const alike = [...best.values()]
      .toSorted((a, b) => b.alike - a.alike)
      .flatMap(({ of, alike }) => {
        const known = titles.get(of)
        return known ? [{ ...known, percent: Math.round(alike * 100) }] : []
      })
    return alike.length > 0 ? [{ document, alike: alike.slice(0, SHOWN) }] : []
  })
}
