import { setImmediate } from 'node:timers/promises'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ChosenDocuments } from '../../../contract/office-bulk-changes.ts'
import {
  addDetails,
  BULK_CHANGE_MAX,
  BULK_PREVIEW_MS,
  type BulkChange,
  type BulkObstacle,
  changeGoods,
  type Goods,
  isSameGoods,
} from '../../../rules/bulk-change.ts'
import type { Schema } from '../../database/schema.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { changePages } from '../../publishing/publishing.ts'
import { doneBefore, logStaff } from '../../staff-log/staff-log.ts'
import { tagsOf } from '../locked.ts'
import { detailReader } from '../propose-facts.ts'
import { chooseIds } from './choose.ts'
import { type FoundGoods, lockGoods, readGoods, writeGoods } from './goods.ts'

/** How many documents one transaction changes; buyers of these documents wait for it. */
const WRITTEN_AT_ONCE = 200

/** How many documents a preview computes before it lets other calls be answered. */
const COMPUTED_AT_ONCE = 100

/** How many documents one statement reads or records. */
const READ_AT_ONCE = 1000

type Shop = Pick<Deps, 'database' | 'publisher' | 'now'>
export type BulkChangeRow = Selectable<Schema['bulkChanges']>

const subjectOfChange = (id: number) => ({ kind: 'bulk change', id })

interface Line {
  readonly documentId: number
  readonly revision: number
  readonly before: Goods
  readonly after: Goods | null
  readonly obstacle: BulkObstacle | null
}

/**
 * Computes what a bulk change would do to the chosen documents, and stores that preview for its
 * actor to apply. Throws `no_documents`, `too_many_documents`.
 */
export async function previewChange(
  { database, now, catalogue }: Pick<Deps, 'database' | 'now' | 'catalogue'>,
  { actor, change, chosen }: { actor: string; change: BulkChange; chosen: ChosenDocuments },
): Promise<number> {
  const at = now()
  const changed = await changerFor(catalogue, change)
  return transaction(database, async (tx) => {
    await tx
      .deleteFrom('bulkChanges')
      .where('state', '=', 'previewed')
      .where('previewedAt', '<', new Date(at - BULK_PREVIEW_MS))
      .execute()
    const ids = await idsOf(tx, chosen)
    if (ids.length > BULK_CHANGE_MAX) throw fault('too_many_documents')
    const found = await readGoods(tx, ids, at)
    if (found.length === 0) throw fault('no_documents')
    const { id } = await tx
      .insertInto('bulkChanges')
      .values({
        change: JSON.stringify(change),
        actor,
        state: 'previewed',
        previewedAt: new Date(at),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const lines: Line[] = []
    for (const [place, document] of found.entries()) {
      // Titles take long to read: other calls are answered meanwhile.
      if (place % COMPUTED_AT_ONCE === 0) await setImmediate()
      const { id: documentId, revision } = document
      const { before, outcome } = changed(document)
      const isKept = typeof outcome === 'string'
      const [after, obstacle] = isKept ? [null, outcome] : [outcome, null]
      lines.push({ documentId, revision, before, after, obstacle })
    }
    await noteLines(tx, id, lines)
    return id
  })
}

/**
 * Previews the facts that the titles of a teacher's own papers state and these lack: of those with these ids,
 * or of all. The teacher's former preview goes. Throws `no_documents` where none lacks facts.
 */
export async function previewOwnFacts(
  shop: Pick<Deps, 'database' | 'now' | 'catalogue'>,
  { actor, teacherId }: { readonly actor: string; readonly teacherId: number },
  ids: readonly number[] | null,
): Promise<number> {
  const { kysely } = shop.database
  const own = await chooseIds(kysely, { teacher: teacherId, facts: 'missing' }, BULK_CHANGE_MAX)
  await kysely
    .deleteFrom('bulkChanges')
    .where('state', '=', 'previewed')
    .where('actor', '=', actor)
    .execute()
  const chosen = { ids: ids ? own.filter((id) => ids.includes(id)) : own }
  return previewChange(shop, { actor, change: { kind: 'facts' }, chosen })
}

/** What a change makes of a document; only one of facts waits for the words of the catalogue. */
async function changerFor(catalogue: Deps['catalogue'], change: BulkChange) {
  if (change.kind !== 'facts') {
    return ({ goods, isComplete }: FoundGoods) => {
      return { before: goods, outcome: changeGoods(goods, change, isComplete) }
    }
  }
  const stated = await detailReader({ catalogue })
  return (document: FoundGoods) => {
    const before = withDetails(document)
    return { before, outcome: addDetails(before, stated(document.title, document.category)) }
  }
}

const withDetails = ({ goods, details }: FoundGoods): Goods => ({ ...goods, details })

async function idsOf(tx: Tx, { ids, filters }: ChosenDocuments): Promise<readonly number[]> {
  if (ids && !filters) return ids
  if (ids || !filters) throw fault('invalid_input', { fields: { chosen: 'invalid' } })
  return chooseIds(tx, filters, BULK_CHANGE_MAX + 1)
}

async function noteLines(tx: Tx, bulkChangeId: number, lines: readonly Line[]): Promise<void> {
  for (let start = 0; start < lines.length; start += READ_AT_ONCE) {
    const values = lines.slice(start, start + READ_AT_ONCE).map((line) => ({
      ...line,
      bulkChangeId,
      before: JSON.stringify(line.before),
      after: line.after && JSON.stringify(line.after),
    }))
    await tx.insertInto('bulkChangedDocuments').values(values).execute()
  }
}

/**
 * Applies a bulk change that its actor has previewed; continues one that was interrupted; repeating
 * a finished one changes nothing. Throws `bulk_change_not_found`, `preview_expired`.
 */
export async function applyChange(
  shop: Shop,
  id: number,
  { actor, reason }: { actor: string; reason: string },
): Promise<void> {
  const at = shop.now()
  await transaction(shop.database, async (tx) => {
    const bulk = await lockChange(tx, id)
    if (bulk?.actor !== actor) throw fault('bulk_change_not_found')
    if (bulk.state !== 'previewed') return
    const isEnded = bulk.change.kind === 'discount' && bulk.change.until <= at
    if (isEnded || bulk.previewedAt.getTime() < at - BULK_PREVIEW_MS) throw fault('preview_expired')
    await tx
      .updateTable('bulkChanges')
      .set({ state: 'running', appliedAt: new Date(at), reason })
      .where('id', '=', id)
      .execute()
    await logStaff(tx, { actor, action: 'change documents', subject: subjectOfChange(id), reason })
  })
  await finish(shop, id)
}

/** Continues bulk changes that were interrupted when the shop stopped. */
export async function resumeBulkChanges(shop: Shop): Promise<void> {
  const begun = await shop.database.kysely
    .selectFrom('bulkChanges')
    .select('id')
    .where('state', '=', 'running')
    .orderBy('id')
    .execute()
  for (const { id } of begun) await finish(shop, id)
}

async function finish(shop: Shop, id: number): Promise<void> {
  while (await writeSome(shop, id));
}

/** Changes some of the documents; returns whether there may be more. */
async function writeSome(shop: Shop, id: number): Promise<boolean> {
  return await changePages(shop, async (tx, markStale) => {
    // Locks the bulk change, since several processes may continue it.
    const bulk = await lockChange(tx, id)
    if (bulk?.state !== 'running') return false
    const lines = await openLines(tx, id)
    if (lines.length < WRITTEN_AT_ONCE) {
      await tx.updateTable('bulkChanges').set({ state: 'done' }).where('id', '=', id).execute()
    }
    const at = shop.now()
    const ids = lines.map(({ documentId }) => documentId)
    const byId = new Map((await lockGoods(tx, ids, at)).map((document) => [document.id, document]))
    const written = lines.flatMap(({ documentId, revision, before, after }) => {
      const document = byId.get(documentId)
      return after && document?.revision === revision
        ? [{ id: documentId, teacherId: document.teacherId, before, after }]
        : []
    })
    await writeGoods(tx, written, { actor: bulk.actor, reason: bulk.reason, now: at })
    const changed = written.map((one) => one.id)
    await sql`
      UPDATE bulk_changed_documents SET is_changed = document_id = ANY (${changed}::integer[]),
        obstacle = CASE WHEN document_id = ANY (${changed}::integer[]) THEN NULL
          ELSE 'changed_since' END
      WHERE bulk_change_id = ${id} AND document_id = ANY (${ids}::integer[])`.execute(tx)
    markStale(written.flatMap(tagsOf))
    return lines.length === WRITTEN_AT_ONCE
  })
}

function lockChange(tx: Tx, id: number): Promise<BulkChangeRow | undefined> {
  return tx
    .selectFrom('bulkChanges')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

function openLines(db: Kysely<Schema>, id: number) {
  return db
    .selectFrom('bulkChangedDocuments')
    .select(['documentId', 'revision', 'before', 'after'])
    .where('bulkChangeId', '=', id)
    .where('obstacle', 'is', null)
    .where('isChanged', '=', false)
    .orderBy('documentId')
    .limit(WRITTEN_AT_ONCE)
    .execute()
}

/**
 * Restores the former values of documents that nothing else has changed since a bulk change, by
 * another bulk change; returns its id. Throws `bulk_change_not_found`, `bulk_change_not_done`,
 * `done_before`.
 */
export async function undoChange(
  shop: Shop,
  id: number,
  { actor, reason }: { actor: string; reason: string },
): Promise<number> {
  const at = shop.now()
  const undoing = await transaction(shop.database, async (tx) => {
    const bulk = await lockChange(tx, id)
    if (!bulk || bulk.state === 'previewed') throw fault('bulk_change_not_found')
    if (bulk.state === 'running' || bulk.undoes !== null) throw fault('bulk_change_not_done')
    const isUndone = await tx
      .selectFrom('bulkChanges')
      .select('id')
      .where('undoes', '=', id)
      .executeTakeFirst()
    const subject = subjectOfChange(id)
    const actions = ['undo change of documents'] as const
    if (isUndone) throw (await doneBefore(tx, { subject, actions })) ?? fault('done_before')
    const moment = new Date(at)
    const { id: newId } = await tx
      .insertInto('bulkChanges')
      .values({
        change: JSON.stringify(bulk.change),
        actor,
        state: 'running',
        previewedAt: moment,
        appliedAt: moment,
        reason,
        undoes: id,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await noteLines(tx, newId, await reversedLines(tx, id, at))
    await logStaff(tx, { actor, action: 'undo change of documents', subject, reason })
    return newId
  })
  await finish(shop, undoing)
  return undoing
}

async function reversedLines(tx: Tx, id: number, at: number): Promise<Line[]> {
  const changed = await tx
    .selectFrom('bulkChangedDocuments')
    .select(['documentId', 'before', 'after'])
    .where('bulkChangeId', '=', id)
    .where('isChanged', '=', true)
    .execute()
  const byId = new Map(changed.map((line) => [line.documentId, line]))
  const found = await readGoods(tx, [...byId.keys()], at)
  return found.map((document) => {
    const { id: documentId, revision } = document
    const line = byId.get(documentId)
    const goods = line?.after?.details ? withDetails(document) : document.goods
    const isSame = line?.after && isSameGoods(goods, line.after)
    return {
      documentId,
      revision,
      before: goods,
      after: isSame ? line.before : null,
      obstacle: isSame ? null : 'changed_since',
    }
  })
}
