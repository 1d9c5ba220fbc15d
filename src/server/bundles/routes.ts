import { type Kysely, sql } from 'kysely'
import { listBundles } from '../../contract/bundles.ts'
import type { OwnBundle } from '../../contract/office-bundles.ts'
import * as contract from '../../contract/office-bundles.ts'
import { BUNDLES_MAX, isBundlePrice } from '../../rules/bundles.ts'
import type { Millimes } from '../../rules/money.ts'
import type { StaffActionName } from '../../rules/office-actions.ts'
import { documentTag } from '../../rules/page-tags.ts'
import { PAGE_SIZE } from '../../rules/pager.ts'
import { presentKept } from '../catalogue/catalogue.ts'
import type { Schema } from '../database/schema.ts'
import { idList } from '../database/sql-parts.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { pageOf, type Route, route } from '../http/route.ts'
import { changePages } from '../publishing/publishing.ts'
import { logStaff } from '../staff-log/staff-log.ts'
import { bundlesWith } from './bundles.ts'

interface OwnRow extends Omit<OwnBundle, 'state' | 'createdAt'> {
  createdAt: Date
  isStopped: boolean
}

const OWN = sql`
  SELECT b.id, b.price, b.created_at, b.stopped_at IS NOT NULL AS is_stopped, (
    SELECT json_agg(json_build_object('id', d.id, 'title', d.title, 'price', price_now(d),
      'isPublished', d.is_published) ORDER BY d.id)
    FROM bundle_documents l JOIN documents d ON d.id = l.document_id
    WHERE l.bundle_id = b.id) AS documents
  FROM bundles b`

function presentOwn({ isStopped, createdAt, ...row }: OwnRow): OwnBundle {
  const prices = row.documents.map(({ price, isPublished }) => (isPublished ? price : 0))
  const sells = isBundlePrice(row.price, prices)
  return {
    ...row,
    state: isStopped ? 'stopped' : sells ? 'selling' : 'resting',
    createdAt: createdAt.toISOString(),
  }
}

async function readOwn(db: Kysely<Schema>, id: number, teacherId: number): Promise<OwnBundle> {
  const { rows } = await sql<OwnRow>`${OWN}
    WHERE b.id = ${id} AND b.teacher_id = ${teacherId}`.execute(db)
  if (!rows[0]) throw fault('bundle_not_found')
  return presentOwn(rows[0])
}

interface Editor {
  readonly actor: string
  readonly teacherId: number
}

/** Writes a bundle under its teacher's lock, logs it and refreshes the pages of its documents. */
function change(
  deps: Deps,
  { actor, teacherId }: Editor,
  action: StaffActionName,
  write: (tx: Tx) => Promise<number>,
): Promise<OwnBundle> {
  return changePages(deps, async (tx, markStale) => {
    // Two calls at once would both find room, or both find the same documents not sold together.
    await sql`SELECT FROM teachers WHERE id = ${teacherId} FOR NO KEY UPDATE`.execute(tx)
    const bundle = await readOwn(tx, await write(tx), teacherId)
    const ids = bundle.documents.map(({ id }) => id)
    const reason = `${bundle.id}: ${ids.join(', ')}; ${bundle.price / 1000}`
    await logStaff(tx, { actor, action, subject: { kind: 'teacher', id: teacherId }, reason })
    markStale(ids.map(documentTag))
    return bundle
  })
}

async function requireCheaper(tx: Tx, price: Millimes, documentIds: readonly number[]) {
  const { rows } = await sql<{ price: Millimes }>`
    SELECT price_now(d) AS price FROM documents d WHERE d.id = ANY (${idList(documentIds)})`.execute(
    tx,
  )
  const prices = rows.map((row) => row.price)
  if (!isBundlePrice(price, prices)) throw fault('bundle_not_cheaper')
}

async function create(
  tx: Tx,
  teacherId: number,
  { documentIds, price }: { documentIds: readonly number[]; price: Millimes },
): Promise<number> {
  const { rows } = await sql<{ found: number; open: number; isThere: boolean }>`
    SELECT (SELECT count(*)::integer FROM documents WHERE id = ANY (${idList(documentIds)})
        AND teacher_id = ${teacherId} AND is_published) AS found,
      count(*)::integer AS open,
      coalesce(bool_or((SELECT array_agg(document_id ORDER BY document_id) FROM bundle_documents
        WHERE bundle_id = b.id) = ${[...documentIds].sort((a, b) => a - b)}::integer[]), false) AS is_there
    FROM bundles b WHERE b.teacher_id = ${teacherId} AND b.stopped_at IS NULL`.execute(tx)
  const { found, open, isThere } = rows[0] ?? { found: 0, open: 0, isThere: false }
  if (found < documentIds.length) throw fault('document_not_found')
  if (isThere) throw fault('bundle_exists')
  if (open >= BUNDLES_MAX) throw fault('bundles_full')
  await requireCheaper(tx, price, documentIds)
  const { id: bundleId } = await tx
    .insertInto('bundles')
    .values({ teacherId, price })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rowsOf = documentIds.map((documentId) => ({ bundleId, documentId }))
  await tx.insertInto('bundleDocuments').values(rowsOf).execute()
  return bundleId
}

/** What buyers see of bundles, and a teacher's own; the teacher comes from the token alone. */
export const bundleRoutes: Route[] = [
  route(listBundles, async ({ input, deps }) => {
    const bundles = await bundlesWith(deps.database.kysely, input.params.id)
    return bundles.map(({ id, price, documents }) => ({
      id,
      price,
      documents: documents.map((each) => ({ ...presentKept(each), bundle: each.bundle })),
    }))
  }),
  route(contract.listOwnBundles, async ({ input, user: { teacherId }, deps }) => {
    const { page = 0, size = PAGE_SIZE, documentId = null } = input.query
    const { kysely } = deps.database
    const own = sql`b.teacher_id = ${teacherId} AND (${documentId}::integer IS NULL OR EXISTS (
      SELECT FROM bundle_documents WHERE bundle_id = b.id AND document_id = ${documentId}))`
    const { rows } = await sql<OwnRow>`${OWN} WHERE ${own}
      ORDER BY b.stopped_at IS NOT NULL, b.id DESC LIMIT ${size} OFFSET ${page * size}`.execute(
      kysely,
    )
    const { rows: counts } = await sql<{ total: number }>`
      SELECT count(*)::integer AS total FROM bundles b WHERE ${own}`.execute(kysely)
    return pageOf(rows.map(presentOwn), { total: counts[0]?.total ?? 0, page, size })
  }),
  route(contract.createBundle, ({ input: { body }, user, deps, limits }) => {
    limits.bound('bundle', user.teacherId)
    return change(deps, user, 'make bundle', (tx) => create(tx, user.teacherId, body))
  }),
  route(contract.setBundlePrice, ({ input: { params, body }, user, deps, limits }) => {
    limits.bound('bundle', user.teacherId)
    return change(deps, user, 'change bundle', async (tx) => {
      const { state, documents } = await readOwn(tx, params.id, user.teacherId)
      if (state === 'stopped') throw fault('bundle_not_found')
      const ids = documents.map(({ id }) => id)
      await requireCheaper(tx, body.price, ids)
      const { price } = body
      await tx.updateTable('bundles').set({ price }).where('id', '=', params.id).execute()
      return params.id
    })
  }),
  route(contract.stopBundle, async ({ input: { params }, user, deps }) => {
    const bundle = await readOwn(deps.database.kysely, params.id, user.teacherId)
    // So that repeated calls neither fill the log nor renew pages.
    if (bundle.state === 'stopped') return bundle
    return change(deps, user, 'stop bundle', async (tx) => {
      await tx
        .updateTable('bundles')
        .set({ stoppedAt: new Date(deps.now()) })
        .where('id', '=', params.id)
        .where('stoppedAt', 'is', null)
        .execute()
      return params.id
    })
  }),
]
