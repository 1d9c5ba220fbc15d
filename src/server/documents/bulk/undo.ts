import { isSameGoods } from '../../../rules/bulk-change.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import { fault } from '../../http/errors.ts'
import { doneBefore, logStaff } from '../../staff-log/staff-log.ts'
import {
  finish,
  type Line,
  lockChange,
  noteLines,
  type Shop,
  subjectOfChange,
} from './bulk-changes.ts'
import { readGoods } from './read-goods.ts'

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

/** The reversed lines of a bulk change. */
async function reversedLines(tx: Tx, id: number, at: number): Promise<Line[]> {
  const changed = await tx
    .selectFrom('bulkChangedDocuments')
    .select(['documentId', 'before', 'after'])
    .where('bulkChangeId', '=', id)
    .where('isChanged', '=', true)
    .execute()
  const byId = new Map(changed.map((line) => [line.documentId, line]))
  const found = await readGoods(tx, [...byId.keys()], at)
  return found.map(({ id: documentId, revision, goods }) => {
    const line = byId.get(documentId)
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
