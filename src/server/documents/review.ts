import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { NamedEvent, REVIEWED, SameFile } from '../../contract/office-review.ts'
import * as contract from '../../contract/office-review.ts'
import type { DocumentField } from '../../rules/document-fields.ts'
import type { DocumentAction } from '../../rules/document-life.ts'
import { conditionsOf } from '../catalogue/catalogue.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn } from '../database/sql-parts.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { type ApiFault, fault } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import { announceVersion, findAlike, signPreview } from '../library/library.ts'
import { actorNames, doneBefore } from '../staff-log/staff-log.ts'
import { paperOf } from './corrections.ts'
import { eventsOf, noteChange, subjectOf, type VersionRow, versionsOf } from './history.ts'
import { type Changing, changeDocument, requireComplete } from './locked.ts'
import { presentEvent, presentOwn, presentVersion } from './present.ts'
import { type DocumentRow, findDocument, readDocuments } from './read-documents.ts'
import { decideVersion, type Newest, newestVersion } from './versions.ts'

interface Decided {
  readonly id: number
  readonly actor: string
  /** The document's revision that was reviewed; absent to decide about the current state. */
  readonly revision?: number
}

/**
 * Publishes a submitted document, or releases the new version of its file to buyers. Throws
 * `done_before`, `review_not_waiting`, `review_changed`, `document_incomplete`.
 */
export function accept(deps: Deps, { id, actor, revision }: Decided): Promise<DocumentRow> {
  return changeDocument(deps, { id, editor: { actor } }, async (changing) => {
    const { tx, document, update } = changing
    const version = await waitingIn(changing, revision)
    if (version)
      await decideVersion(tx, { documentId: id, ...version }, { actor, state: 'accepted' })
    if (version && document.firstPublishedAt) {
      await announceVersion(tx, { documentId: id, version: version.number })
    }
    const fileId = version?.fileId ?? document.fileId
    if (document.state !== 'submitted') {
      await update({ fileId })
      const action = 'accept version'
      return await noteChange(tx, { documentId: id, actor, action, version: version?.number })
    }
    requireComplete({ ...document, fileId })
    const now = new Date(deps.now())
    await update({
      fileId,
      state: 'published',
      isTakenDown: false,
      // A document counts as new from its first sale, not from its first draft.
      ...(document.firstPublishedAt ? {} : { firstPublishedAt: now, uploadedAt: now }),
    })
    await noteChange(tx, { documentId: id, actor, action: 'publish', version: version?.number })
  })
}

/**
 * Returns a document or version that waits for review to its teacher, with the reason and the field
 * concerned. Throws `done_before`, `review_not_waiting`, `review_changed`.
 */
export function returnToTeacher(
  deps: Deps,
  { id, actor, revision }: Decided,
  why: { reason: string; field: DocumentField | null },
): Promise<DocumentRow> {
  return changeDocument(deps, { id, editor: { actor } }, async (changing) => {
    const { tx, document, update } = changing
    const version = await waitingIn(changing, revision)
    const isDocument = document.state === 'submitted'
    if (version) {
      const { reason } = why
      await decideVersion(tx, { documentId: id, ...version }, { actor, state: 'returned', reason })
    }
    await update(isDocument ? { state: 'returned' } : {})
    const action = isDocument ? 'return' : 'return version'
    await noteChange(tx, { documentId: id, actor, action, version: version?.number, ...why })
  })
}

/**
 * The version that waits, if any; throws if nothing waits, or if it is not the part that was
 * reviewed.
 */
async function waitingIn(
  { tx, document }: Changing,
  revision: number | undefined,
): Promise<Newest | null> {
  const newest = await newestVersion(tx, document.id)
  const version = newest?.state === 'submitted' ? newest : null
  if (document.state !== 'submitted' && !version) throw await whyNothingWaits(tx, document.id)
  if (revision !== undefined && revision !== document.revision) throw fault('review_changed')
  return version
}

const DECISIONS: readonly DocumentAction[] = [
  'publish',
  'return',
  'accept version',
  'return version',
]

/** The fault if nothing waits: somebody has decided about it, or its teacher has withdrawn it. */
async function whyNothingWaits(tx: Tx, id: number): Promise<ApiFault> {
  const { rows } = await sql<{ action: DocumentAction }>`
    SELECT action FROM document_events WHERE document_id = ${id} ORDER BY id DESC LIMIT 1`.execute(
    tx,
  )
  const [last] = rows
  const isDecided = last !== undefined && DECISIONS.includes(last.action)
  const actions = DECISIONS.map((action) => `document: ${action}` as const)
  const done = isDecided ? await doneBefore(tx, { subject: subjectOf(id), actions }) : undefined
  return done ?? fault('review_not_waiting')
}

interface Waits {
  readonly id: number
  readonly what: (typeof REVIEWED)[number]
  readonly since: Date
}

type WaitingRow = DocumentRow & Waits

/**
 * Everything that waits for review: `id, what, since`. The wait of a document begins when it is
 * submitted, not at its last change: its price may change meanwhile.
 */
export const WAITING_FOR_REVIEW = sql`(
  SELECT d.id, 'document' AS what, coalesce((
      SELECT made_at FROM document_events
      WHERE document_id = d.id AND action = 'submit' ORDER BY id DESC LIMIT 1
    ), d.changed_at) AS since
  FROM documents d WHERE d.state = 'submitted'
  UNION ALL
  SELECT v.document_id, 'version', v.created_at
  FROM document_versions v JOIN documents d ON d.id = v.document_id
  WHERE v.state = 'submitted' AND d.state <> 'submitted'
)`

/** Filters by kind, and by words of title, subject and teacher. */
interface WaitingFilters {
  readonly what?: Waits['what'] | undefined
  readonly q?: string | undefined
  readonly limit?: number
  readonly offset?: number
}

/** A page of the items that wait for review, oldest first, and their total number. */
async function readWaiting(
  db: Kysely<Schema>,
  { what, q = '', limit, offset = 0 }: WaitingFilters = {},
): Promise<{ rows: WaitingRow[]; total: number }> {
  const conditions: RawBuilder<unknown>[] = [
    sql`true`,
    ...(what ? [sql`w.what = ${what}`] : []),
    ...(await conditionsOf(db, q)),
  ]
  const from = sql`FROM ${WAITING_FOR_REVIEW} w JOIN documents d ON d.id = w.id
    WHERE ${sql.join(conditions, sql` AND `)}`
  const { rows: waiting } = await sql<Waits>`
    SELECT w.* ${from} ORDER BY w.since, w.id LIMIT ${limit ?? null} OFFSET ${offset}`.execute(db)
  const { rows: counts } = await sql<{ total: number }>`
    SELECT count(*)::integer AS total ${from}`.execute(db)
  const ids = waiting.map(({ id }) => id)
  const documents = await readDocuments(db, sql`d.id = ANY (${ids}::integer[])`)
  const byId = new Map(documents.map((document) => [document.id, document]))
  return {
    // A document deleted since the first statement is left out.
    rows: waiting.flatMap((one) => {
      const document = byId.get(one.id)
      return document ? [{ ...document, ...one }] : []
    }),
    total: counts[0]?.total ?? 0,
  }
}

async function readReview(db: Kysely<Schema>, id: number) {
  const document = await findDocument(db, id)
  if (!document) return undefined
  const { rows } = await sql<Waits>`
    SELECT w.* FROM ${WAITING_FOR_REVIEW} w WHERE w.id = ${id}`.execute(db)
  const versions = await versionsOf(db, id)
  return {
    document,
    waits: rows[0] ?? null,
    versions,
    ...shownOf(versions),
    history: await namedHistory(db, document),
    sameFile: await sameFileAs(db, id),
    paper: await readPaper(db, document),
  }
}

async function readPaper(db: Kysely<Schema>, document: DocumentRow) {
  const paper = await paperOf(db, document)
  if (!paper) return null
  const versions = await versionsOf(db, paper.id)
  const { current, proposed } = shownOf(versions)
  const version = current ?? proposed
  const { pageCount } = versions.find(({ number }) => number === version) ?? {}
  return { ...paper, version, pageCount: pageCount ?? 1 }
}

/** The version that buyers have, or would get: the newest one whose file still exists. */
function shownOf(versions: readonly VersionRow[]) {
  const kept = versions.filter(({ fileId }) => fileId !== null)
  const proposed = kept[0]?.number ?? null
  const accepted = kept.find(({ state }) => state === 'accepted')?.number ?? null
  return { proposed, current: accepted === proposed ? null : accepted }
}

/** The history of a document, with the name of the person who caused each event. */
export async function namedHistory(
  db: Kysely<Schema>,
  document: DocumentRow,
): Promise<NamedEvent[]> {
  const events = await eventsOf(db, document.id)
  const names = await actorNames(db, [...new Set(events.map(({ actor }) => actor))])
  return events.map((event) => {
    const presented = presentEvent(event, document)
    const who = presented.by === 'teacher' ? document.teacherName : names.get(event.actor)
    return { ...presented, who: who ?? event.actor }
  })
}

/** How many documents with the same file are named at most. */
const SAME_FILES_SHOWN = 5

/** Other documents that have, or had, a file with the same bytes as the newest of this one. */
async function sameFileAs(db: Kysely<Schema>, id: number): Promise<SameFile[]> {
  const { rows } = await sql<SameFile>`
    SELECT DISTINCT d.id, d.title, ${fullNameIn('t')} AS teacher
    FROM (
      SELECT f.storage_key FROM document_versions v JOIN files f ON f.id = v.file_id
      WHERE v.document_id = ${id} ORDER BY v.number DESC LIMIT 1
    ) AS newest
    -- The key of a file is the hash of its bytes.
    JOIN files f ON f.storage_key = newest.storage_key
    JOIN document_versions v ON v.file_id = f.id AND v.document_id <> ${id}
    JOIN documents d ON d.id = v.document_id
    JOIN teachers t ON t.id = d.teacher_id
    ORDER BY d.id LIMIT ${SAME_FILES_SHOWN}`.execute(db)
  return rows
}

/** How many rows a page of the list shows. */
const PAGE_SIZE = 20

/** The review of what teachers submit, by administrators. */
export const reviewRoutes: Route[] = [
  route(contract.listReview, async ({ input, deps }) => {
    const { page = 0, size = PAGE_SIZE, what, q } = input.query
    const filter = { what, q, limit: size, offset: page * size }
    const { rows, total } = await readWaiting(deps.database.kysely, filter)
    return {
      content: rows.map((row) => ({
        ...presentOwn(row),
        what: row.what,
        since: row.since.toISOString(),
      })),
      totalElements: total,
      totalPages: Math.ceil(total / size),
      number: page,
      size,
    }
  }),
  route(contract.getReview, async ({ input, deps }) => {
    const review = await readReview(deps.database.kysely, input.params.id)
    if (!review) throw fault('document_not_found')
    const { document, versions, waits, ...shown } = review
    return {
      ...shown,
      document: presentOwn(document),
      what: waits?.what ?? null,
      since: waits?.since.toISOString() ?? null,
      versions: versions.map(presentVersion),
    }
  }),
  route(contract.listAlike, async ({ input, deps }) => {
    const { kysely } = deps.database
    const { id } = input.params
    if (!(await findDocument(kysely, id))) throw fault('document_not_found')
    return findAlike(deps, id)
  }),
  route(contract.previewReview, async ({ input, user, deps, reply }) => {
    const { kysely } = deps.database
    const { id: documentId } = input.params
    const { version } = input.query
    const versions = await versionsOf(kysely, documentId)
    const isKept = versions.some(({ number, fileId }) => number === version && fileId !== null)
    if (!isKept) throw fault('document_not_found')
    const token = signPreview(deps.secret, { documentId, userId: user.id, version }, deps.now())
    return reply.type('text/plain; charset=utf-8').send(`/preview/${token}`)
  }),
  route(contract.acceptReview, async ({ input, user, deps }) => {
    const { id } = input.params
    await accept(deps, { id, actor: user.actor, ...input.body })
    return next(deps)
  }),
  route(contract.returnReview, async ({ input, user, deps }) => {
    const { id } = input.params
    const { revision, ...why } = input.body
    await returnToTeacher(deps, { id, actor: user.actor, revision }, why)
    return next(deps)
  }),
]

async function next({ database }: Deps): Promise<contract.Next> {
  const { rows, total } = await readWaiting(database.kysely, { limit: 1 })
  return { next: rows[0]?.id ?? null, left: total }
}
