import { type Kysely, sql } from 'kysely'
import type { AskedBundle, SharedBundle } from '../../contract/office-shared-bundles.ts'
import { BUNDLES_MAX, type BundleAnswer, isBundlePrice, sharesOf } from '../../rules/bundles.ts'
import type { Millimes } from '../../rules/money.ts'
import type { StaffActionName } from '../../rules/office-actions.ts'
import { documentTag } from '../../rules/page-tags.ts'
import type { Schema } from '../database/schema.ts'
import { fullNameIn, idList } from '../database/sql-parts.ts'
import { lock, type Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { enqueueMail } from '../mail/mail.ts'
import { changePages } from '../publishing/publishing.ts'
import { logStaff } from '../staff-log/staff-log.ts'

/** Which bundles to read, in which order; `teacherId`: who reads them. */
interface Wanted {
  readonly teacherId?: number
  readonly id?: number
  readonly page?: number
  readonly size?: number
}

interface Row extends Pick<SharedBundle, 'id' | 'price' | 'revision' | 'teachers'> {
  askedAt: Date
  isStopped: boolean
  total: number
  awaiting: number
  documents: Omit<SharedBundle['documents'][number], 'share'>[]
}

/** Bundles of several teachers: all, the ended ones last; or those that a teacher was asked about and that go on. */
export async function readShared(
  db: Kysely<Schema>,
  { teacherId, id, page = 0, size = 1 }: Wanted,
): Promise<{
  bundles: (SharedBundle & { answer: BundleAnswer | null })[]
  total: number
  awaiting: number
}> {
  const reader = teacherId ?? null
  const { rows } = await sql<Row>`
    SELECT b.id, b.price, b.revision, b.ended_at IS NOT NULL AS is_stopped,
      count(*) OVER ()::integer AS total,
      count(*) FILTER (WHERE own.teacher_id IS NOT NULL AND own.answer IS NULL) OVER ()::integer
        AS awaiting,
      (SELECT max(asked_at) FROM bundle_agreements WHERE bundle_id = b.id) AS asked_at,
      (SELECT json_agg(json_build_object('id', d.id, 'title', d.title,
          'teacher', ${fullNameIn('t')}, 'isOwn', d.teacher_id IS NOT DISTINCT FROM ${reader}::integer,
          'price', l.price, 'isPublished', d.is_published, 'priceNow', price_now(d))
          ORDER BY d.id)
        FROM bundle_documents l JOIN documents d ON d.id = l.document_id
        JOIN teachers t ON t.id = d.teacher_id WHERE l.bundle_id = b.id) AS documents,
      (SELECT json_agg(json_build_object('id', t.id, 'name', ${fullNameIn('t')}, 'answer', a.answer)
          ORDER BY t.id)
        FROM bundle_agreements a JOIN teachers t ON t.id = a.teacher_id
        WHERE a.bundle_id = b.id) AS teachers
    FROM bundles b
    LEFT JOIN bundle_agreements own ON own.bundle_id = b.id AND own.teacher_id = ${reader}::integer
    WHERE b.teacher_id IS NULL AND (${id ?? null}::integer IS NULL OR b.id = ${id ?? null}::integer)
      AND (${reader}::integer IS NULL OR (own.teacher_id IS NOT NULL AND b.ended_at IS NULL))
    ORDER BY b.ended_at IS NOT NULL, b.id DESC LIMIT ${size} OFFSET ${page * size}`.execute(db)
  const { total = 0, awaiting = 0 } = rows[0] ?? {}
  return { bundles: rows.map((row) => presentShared(row, teacherId)), total, awaiting }
}

function presentShared(row: Row, teacherId: number | undefined) {
  const { id, price, revision, teachers } = row
  const shares = sharesOf(
    price,
    row.documents.map((each) => each.price),
  )
  const documents = row.documents.map((each, at) => ({ ...each, share: shares[at] ?? 0 }))
  const answer = teachers.find((each) => each.id === teacherId)?.answer ?? null
  const askedAt = row.askedAt.toISOString()
  return { id, price, revision, state: stateOf(row), askedAt, documents, teachers, answer }
}

function stateOf({ isStopped, teachers, documents }: Row): SharedBundle['state'] {
  if (isStopped) return 'stopped'
  if (teachers.some(({ answer }) => answer === 'refused')) return 'refused'
  if (teachers.some(({ answer }) => answer === null)) return 'asking'
  const sells = documents.every((each) => each.isPublished && each.priceNow === each.price)
  return sells ? 'selling' : 'resting'
}

export async function readOne(db: Kysely<Schema>, id: number, teacherId?: number) {
  const { bundles } = await readShared(db, { id, ...(teacherId !== undefined && { teacherId }) })
  if (!bundles[0]) throw fault('bundle_not_found')
  return bundles[0]
}

export const presentAsked = ({
  teachers: _,
  ...bundle
}: SharedBundle & { answer: BundleAnswer | null }): AskedBundle => bundle

export interface Offer {
  readonly documentIds: readonly number[]
  readonly price: Millimes
}

/**
 * Asks the teachers of these documents whether they may be sold together, in place of the bundle `before` if there
 * is one: it does not sell until all have agreed. Throws as `offerBundle` and `changeSharedBundle` say.
 */
export function offer(
  deps: Deps,
  actor: string,
  { documentIds, price }: Offer,
  before?: { readonly id: number; readonly revision: number },
): Promise<SharedBundle> {
  const now = new Date(deps.now())
  return changePages(deps, async (tx, markStale) => {
    // Two calls at once would both find room, or both find the same documents not offered together.
    await lock(tx, 'shared bundles')
    if (before) {
      const { revision } = await lockOpen(tx, before.id)
      if (revision !== before.revision) throw fault('bundle_changed')
    }
    const { teachers, documents } = await requireOffered(tx, { documentIds, price }, before?.id)
    const terms = { price, stoppedAt: now, toldAt: null }
    const { id, revision } = before
      ? await tx
          .updateTable('bundles')
          .set({ ...terms, revision: before.revision + 1 })
          .where('id', '=', before.id)
          .returning(['id', 'revision'])
          .executeTakeFirstOrThrow()
      : await tx
          .insertInto('bundles')
          .values({ ...terms, teacherId: null })
          .returning(['id', 'revision'])
          .executeTakeFirstOrThrow()
    const { rows: left } = await sql<{ documentId: number }>`
      DELETE FROM bundle_documents WHERE bundle_id = ${id} RETURNING document_id`.execute(tx)
    await tx
      .insertInto('bundleDocuments')
      .values(documents.map((each) => ({ ...each, bundleId: id })))
      .execute()
    await sql`DELETE FROM bundle_agreements WHERE bundle_id = ${id}`.execute(tx)
    await tx
      .insertInto('bundleAgreements')
      .values(teachers.map((teacher) => ({ bundleId: id, teacherId: teacher.id, askedAt: now })))
      .execute()
    for (const { userId } of teachers) {
      await enqueueMail(tx, deps.jobs, 'bundle_asks', { userId, bundleId: id, revision })
    }
    markStale([...documentIds, ...left.map((each) => each.documentId)].map(documentTag))
    return logged(tx, actor, 'offer bundle', await readOne(tx, id))
  })
}

/** The lock of a bundle of several teachers that goes on: offers, answers and its end come one after the other. */
async function lockOpen(tx: Tx, id: number): Promise<{ revision: number }> {
  const found = await tx
    .selectFrom('bundles')
    .select('revision')
    .where('id', '=', id)
    .where('teacherId', 'is', null)
    .where('endedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw fault('bundle_not_found')
  return found
}

/** Documents that may be offered at this price, and their teachers; `bundleId`: in place of this bundle. */
async function requireOffered(tx: Tx, { documentIds, price }: Offer, bundleId = 0) {
  interface Offered {
    documentId: number
    price: Millimes
    teacherId: number
    userId: number | null
  }
  const { rows } = await sql<Offered>`
    SELECT d.id AS document_id, price_now(d) AS price, d.teacher_id, t.user_id
    FROM documents d JOIN teachers t ON t.id = d.teacher_id
    WHERE d.id = ANY (${idList(documentIds)}) AND d.is_published`.execute(tx)
  if (rows.length < documentIds.length) throw fault('document_not_found')
  const users = new Map(rows.map(({ teacherId, userId }) => [teacherId, userId]))
  if (users.size < 2) throw fault('bundle_of_one_teacher')
  const teachers = [...users].flatMap(([id, userId]) => (userId === null ? [] : { id, userId }))
  if (teachers.length < users.size) throw fault('teacher_cannot_agree')
  const { rows: open } = await sql<{ isSame: boolean }>`
    SELECT (SELECT array_agg(document_id ORDER BY document_id) FROM bundle_documents
      WHERE bundle_id = b.id) = ${[...documentIds].sort((a, b) => a - b)}::integer[] AS is_same
    FROM bundles b
    WHERE b.teacher_id IS NULL AND b.ended_at IS NULL AND b.id <> ${bundleId}`.execute(tx)
  if (open.some(({ isSame }) => isSame)) throw fault('bundle_exists')
  if (open.length >= BUNDLES_MAX) throw fault('bundles_full')
  const documents = rows.map((row) => ({ documentId: row.documentId, price: row.price }))
  const prices = documents.map((each) => each.price)
  if (!isBundlePrice(price, prices)) throw fault('bundle_not_cheaper')
  return { teachers, documents }
}

/** Logs what was done to a bundle at each of its teachers, or at the one who did it. */
async function logged<Shared extends SharedBundle>(
  tx: Tx,
  actor: string,
  action: StaffActionName,
  bundle: Shared,
  teacherIds = bundle.teachers.map(({ id }) => id),
): Promise<Shared> {
  const { id, documents, price } = bundle
  const reason = `${id}: ${documents.map((each) => each.id).join(', ')}; ${price / 1000}`
  const lines = teacherIds.map((teacherId) => {
    return { actor, action, subject: { kind: 'teacher', id: teacherId }, reason }
  })
  await logStaff(tx, ...lines)
  return bundle
}

interface Answered {
  readonly id: number
  readonly teacherId: number
  readonly actor: string
  readonly revision: number
  readonly answer: BundleAnswer
}

/** Keeps a teacher's answer: with the last agreement the bundle sells, with a refusal it does not. */
export function answer(
  deps: Deps,
  { id, teacherId, actor, revision, answer: given }: Answered,
): Promise<AskedBundle> {
  const now = new Date(deps.now())
  return changePages(deps, async (tx, markStale) => {
    const open = await lockOpen(tx, id)
    const before = await readOne(tx, id, teacherId)
    // A refusal refuses whatever it has become.
    if (open.revision !== revision && given === 'agreed') throw fault('bundle_changed')
    if (before.answer === given) return presentAsked(before)
    await tx
      .updateTable('bundleAgreements')
      .set({ answer: given, answeredAt: now })
      .where('bundleId', '=', id)
      .where('teacherId', '=', teacherId)
      .execute()
    await sql`
      UPDATE bundles SET stopped_at = CASE WHEN EXISTS (SELECT FROM bundle_agreements
        WHERE bundle_id = ${id} AND answer IS DISTINCT FROM 'agreed') THEN coalesce(stopped_at, ${now}) END
      WHERE id = ${id}`.execute(tx)
    const after = await readOne(tx, id, teacherId)
    markStale(after.documents.map((each) => documentTag(each.id)))
    const action = given === 'agreed' ? 'agree to bundle' : 'refuse bundle'
    return presentAsked(await logged(tx, actor, action, after, [teacherId]))
  })
}

/** Ends a bundle for good. */
export async function end(deps: Deps, actor: string, id: number): Promise<SharedBundle> {
  const bundle = await readOne(deps.database.kysely, id)
  if (bundle.state === 'stopped') return bundle
  const now = new Date(deps.now())
  return changePages(deps, async (tx, markStale) => {
    await lockOpen(tx, id)
    await sql`
      UPDATE bundles SET ended_at = ${now}, stopped_at = coalesce(stopped_at, ${now})
      WHERE id = ${id}`.execute(tx)
    markStale(bundle.documents.map((each) => documentTag(each.id)))
    return logged(tx, actor, 'stop bundle', await readOne(tx, id))
  })
}
