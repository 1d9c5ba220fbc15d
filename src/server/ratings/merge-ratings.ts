import { sql } from 'kysely'
import type { Tx } from '../database/transaction.ts'
import { lockRater } from './rate.ts'

/**
 * Moves one customer's ratings to another, whose own rating of the same document or teacher stays.
 * The database decides again which of them count, by the purchases of their new author.
 */
export async function mergeRatings(
  tx: Tx,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<void> {
  await lockRater(tx, Math.min(fromId, intoId))
  await lockRater(tx, Math.max(fromId, intoId))
  await sql`
    DELETE FROM ratings gone USING ratings kept
    WHERE gone.user_id = ${fromId} AND kept.user_id = ${intoId}
      AND (gone.document_id = kept.document_id OR gone.teacher_id = kept.teacher_id)`.execute(tx)
  await tx.updateTable('ratings').set({ userId: intoId }).where('userId', '=', fromId).execute()
}
