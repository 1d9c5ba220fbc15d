import { type RawBuilder, sql } from 'kysely'
import type { WaitingKind } from '../../contract/office-desk.ts'
import { DAY_MS } from '../../rules/durations.ts'
import type { Trouble, UpkeepTask } from '../../rules/upkeep.ts'
import { WAITING_FOR_REVIEW } from '../documents/documents.ts'
import { SCHEMA } from '../jobs/jobs.ts'
import { userActor } from '../staff-log/staff-log.ts'

/** How long, in milliseconds, a failed import is shown. */
const FAILED_IMPORT_SHOWN_MS = 7 * DAY_MS

interface Reader {
  /** The administrator who reads the list. */
  readonly userId: number
  /** Milliseconds since 1970. */
  readonly now: number
}

const JOBS = sql.id(SCHEMA, 'job')

/**
 * The waiting items of each kind, as rows of `id, name, amount, since`. Each query reads an index
 * that holds only waiting items, so that it costs the same in a shop with a million orders.
 */
export function queuesFor({
  userId,
  now,
}: Reader): Readonly<Record<Exclude<WaitingKind, UpkeepTask | Trouble>, RawBuilder<unknown>>> {
  return {
    documents: sql`
      SELECT w.id::text, d.title AS name, NULL::bigint AS amount, w.since
      FROM ${WAITING_FOR_REVIEW} w JOIN documents d ON d.id = w.id`,
    joining: sql`
      SELECT id::text, trim(first_name || ' ' || last_name), NULL::bigint, confirmed_at
      FROM join_requests WHERE confirmed_at IS NOT NULL AND decided_at IS NULL`,
    transfers: sql`
      SELECT p.reference, trim(u.first_name || ' ' || u.last_name), p.amount, p.created_at
      FROM payments p JOIN users u ON u.id = p.user_id
      WHERE p.provider = 'manual' AND p.status = 'pending'`,
    differences: sql`
      SELECT d.id::text, trim(u.first_name || ' ' || u.last_name), d.reported_amount, d.noted_at
      FROM payment_differences d JOIN payments p ON p.id = d.payment_id JOIN users u ON u.id = p.user_id
      WHERE d.outcome IS NULL`,
    // The proposer of an adjustment cannot confirm it.
    adjustments: sql`
      SELECT a.id::text, trim(u.first_name || ' ' || u.last_name), a.amount, a.proposed_at
      FROM adjustments a JOIN users u ON u.id = a.user_id
      WHERE a.state = 'proposed' AND a.proposer <> ${userActor(userId)}`,
    payouts: sql`
      SELECT p.id::text, trim(t.first_name || ' ' || t.last_name), p.amount, p.requested_at
      FROM payouts p JOIN teachers t ON t.id = p.teacher_id WHERE p.status = 'requested'`,
    // Conversations of the common inbox, which any administrator may answer, and this
    // administrator's own.
    conversations: sql`
      SELECT room.id, trim(u.first_name || ' ' || u.last_name), NULL::bigint, room.unanswered_since
      FROM chat_rooms room JOIN users u ON u.id = room.customer_id
      WHERE room.unanswered_since IS NOT NULL AND room.administrator_id IN (
        SELECT id FROM users WHERE role = 'SHOP' UNION ALL SELECT ${userId}::integer)`,
    mails: sql`
      SELECT id::text, data->>'kind', NULL::bigint, created_on
      FROM ${JOBS} WHERE name = 'failed_mail' AND state < 'active' AND NOT blocked`,
    // A failed import is settled once its teacher has begun another.
    imports: sql`
      SELECT i.id::text, trim(u.first_name || ' ' || u.last_name), NULL::bigint, i.changed_at
      FROM imports i JOIN users u ON u.id = i.user_id
      WHERE i.phase = 'failed' AND i.changed_at > ${new Date(now - FAILED_IMPORT_SHOWN_MS)}
        AND NOT EXISTS (
          SELECT FROM imports later WHERE later.user_id = i.user_id AND later.begun_at > i.begun_at)`,
    // Only the last turn of each counts: a failure is settled by a later success.
    turns: sql`
      SELECT turn AS id, turn, NULL::bigint, completed_on FROM (
        SELECT DISTINCT ON (data->>'name') data->>'name' AS turn, state, completed_on
        FROM ${JOBS} WHERE name = 'clock' AND state IN ('completed', 'failed')
        ORDER BY data->>'name', completed_on DESC
      ) AS last WHERE state = 'failed'`,
  }
}
