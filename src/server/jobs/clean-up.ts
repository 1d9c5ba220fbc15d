import { sql } from 'kysely'
import { DAY_MS } from '../../rules/durations.ts'
import { REPEATED_CALLS_MAX, RETENTION } from '../../rules/retention.ts'
import { tunisianDay } from '../../rules/tunisia-time.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { forgetFaults } from '../workers/workers.ts'

/** How long it is known that a process ended during a job: longer than a job is retried. */
const JOB_DEATHS_KEPT_MS = 30 * DAY_MS
/** How long the sandbox keeps a payment after its start. */
export const SANDBOX_LIFETIME_MS = 30 * DAY_MS

/** How many expired counts are deleted by one statement: a flood leaves many. */
const COUNTS_AT_ONCE = 20_000

/**
 * Deletes codes that have expired, and the counts of attempts whose windows are over; more often than the rest, since strangers
 * cause them. Those that an attempt is just renewing are left to it.
 */
export async function forgetAttempts({ database, now }: Pick<Deps, 'database' | 'now'>) {
  await database.kysely.deleteFrom('phoneCodes').where('expiresAt', '<', new Date(now())).execute()
  // A registration's request may have its code sent again as long as its account waits.
  await database.kysely
    .deleteFrom('codeRequests')
    .where('expiresAt', '<', new Date(now() - RETENTION.phoneCodes))
    .execute()
  for (;;) {
    const { numDeletedRows } = await database.kysely
      .deleteFrom('attemptCounts')
      .where('key', 'in', (db) =>
        db
          .selectFrom('attemptCounts')
          .select('key')
          .where('endsAt', '<', new Date(now()))
          .limit(COUNTS_AT_ONCE)
          .forUpdate()
          .skipLocked(),
      )
      .executeTakeFirstOrThrow()
    if (numDeletedRows < COUNTS_AT_ONCE) return
  }
}

/**
 * Deletes what `RETENTION` says and what has expired, each kind in a separate statement, so that
 * locks do not accumulate.
 */
export async function cleanUp({ database, mail, now }: Pick<Deps, 'database' | 'mail' | 'now'>) {
  const { kysely } = database
  const at = now()
  const before = (age: number) => new Date(at - age)
  await kysely
    .deleteFrom('idempotentRequests')
    .where('createdAt', '<', before(RETENTION.repeatedCalls))
    .execute()
  await sql`
    DELETE FROM idempotent_requests WHERE (user_id, key) IN (
      SELECT user_id, key FROM (
        SELECT user_id, key, created_at, row_number() OVER (
          PARTITION BY user_id ORDER BY created_at DESC) AS place FROM idempotent_requests) AS kept
      WHERE place > ${REPEATED_CALLS_MAX} AND created_at < ${before(DAY_MS)})`.execute(kysely)
  await forgetUnpaidOrders(database, before(RETENTION.unpaidOrders))
  await kysely.deleteFrom('jobDeaths').where('lastAt', '<', before(JOB_DEATHS_KEPT_MS)).execute()
  await kysely.deleteFrom('endedTokens').where('expiresAt', '<', before(0)).execute()
  await kysely.deleteFrom('logIns').where('expiresAt', '<', before(0)).execute()
  await kysely.deleteFrom('passwordResets').where('expiresAt', '<', before(0)).execute()
  await kysely.deleteFrom('staffInvitations').where('expiresAt', '<', before(0)).execute()
  await kysely.deleteFrom('secondFactorSetups').where('expiresAt', '<', before(0)).execute()
  await kysely
    .deleteFrom('joinRequests')
    .where((row) =>
      row.or([
        row.and([
          row('confirmedAt', 'is', null),
          row('askedAt', '<', before(RETENTION.unconfirmedJoining)),
        ]),
        row('decidedAt', '<', before(RETENTION.joinRequests)),
      ]),
    )
    .execute()
  await kysely
    .deleteFrom('emptySearches')
    .where('day', '<', tunisianDay(before(RETENTION.searches)))
    .execute()
  await kysely
    .deleteFrom('linkVisits')
    .where('day', '<', tunisianDay(before(RETENTION.linkFigures)))
    .execute()
  await sql`
    DELETE FROM order_links USING orders o
    WHERE o.id = order_id AND o.created_at < ${before(RETENTION.linkFigures)}`.execute(kysely)
  await kysely.deleteFrom('emailConfirmations').where('expiresAt', '<', before(0)).execute()
  await kysely.deleteFrom('sentTexts').where('sentAt', '<', before(RETENTION.sentTexts)).execute()
  await kysely
    .deleteFrom('newcomerTexts')
    .where('askedAt', '<', before(RETENTION.sentTexts))
    .execute()
  await kysely
    .deleteFrom('correctionWaits')
    .where('addedAt', '<', before(RETENTION.correctionWaits))
    .execute()
  await kysely
    .deleteFrom('toldCorrections')
    .where('toldAt', '<', before(RETENTION.toldCorrections))
    .execute()
  await kysely.deleteFrom('examMarks').where('satAt', '<', before(RETENTION.examMarks)).execute()
  await kysely
    .deleteFrom('knownPlaces')
    .where('seenAt', '<', before(RETENTION.knownPlaces))
    .execute()
  await kysely
    .deleteFrom('contactChanges')
    .where('dueAt', 'is', null)
    .where('askedAt', '<', before(RETENTION.contactChanges))
    .execute()
  await kysely
    .deleteFrom('formerContacts')
    .where('changedAt', '<', before(RETENTION.formerContacts))
    .execute()
  await forgetFaults(kysely, { before: at })
  await kysely.deleteFrom('mailCounts').where('windowEndsAt', '<', before(0)).execute()
  // A payment that expired says by itself when; `settled_at` is of those that somebody ended.
  await sql`
    DELETE FROM receipt_photos USING payments
    WHERE payments.id = payment_id AND payments.status <> 'pending'
      AND coalesce(settled_at, expires_at) < ${before(RETENTION.receiptPhotos)}`.execute(kysely)
  await sql`
    DELETE FROM anonymous_cart_items WHERE session_id IN (
      SELECT session_id FROM anonymous_cart_items
      GROUP BY session_id HAVING max(added_at) < ${before(RETENTION.anonymousCarts)})`.execute(
    kysely,
  )
  await sql`
    DELETE FROM sandbox_payments USING payments
    WHERE payments.reference = sandbox_payments.order_reference
      AND payments.created_at < ${before(SANDBOX_LIFETIME_MS)}`.execute(kysely)
  await mail.forgetBefore?.(before(RETENTION.outbox))
  await forgetReports(kysely, before(RETENTION.closedReports))
  await forgetWords(database, before)
}

/**
 * Deletes orders that ended without a payment: a buyer may replace one by another any number of
 * times. An order with a payment that ever began stays.
 */
async function forgetUnpaidOrders(database: Deps['database'], before: Date) {
  await sql`
    WITH gone AS (
      SELECT id FROM orders o
      WHERE status IN ('replaced', 'cancelled', 'expired') AND created_at < ${before}
        AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = o.id)
        AND NOT EXISTS (SELECT FROM receipts r WHERE r.order_id = o.id)
    ), items AS (DELETE FROM order_items USING gone WHERE order_id = gone.id)
    DELETE FROM orders USING gone WHERE orders.id = gone.id`.execute(database.kysely)
}

/** A case leaves its existence and its end behind, since the log of the office names it. */
async function forgetReports(db: Deps['database']['kysely'], before: Date) {
  await sql`
    UPDATE reports SET words = '', email = NULL, user_id = NULL FROM report_cases c
    WHERE c.id = case_id AND c.closed_at < ${before}
      AND (words <> '' OR email IS NOT NULL OR user_id IS NOT NULL)`.execute(db)
  await sql`
    UPDATE report_cases SET answer = NULL, reply = ''
    WHERE closed_at < ${before} AND (answer IS NOT NULL OR reply <> '')`.execute(db)
}

/** Messages go with their words; of the log of staff, the words alone. */
async function forgetWords(database: Deps['database'], before: (age: number) => Date) {
  await transaction(database, async (tx) => {
    await sql`
      WITH gone AS (
        DELETE FROM chat_messages WHERE created_at < ${before(RETENTION.messages)}
        RETURNING room_id, id
      )
      UPDATE chat_rooms SET last_message_id = NULL, unanswered_since = NULL
      FROM gone WHERE gone.room_id = chat_rooms.id AND gone.id = last_message_id`.execute(tx)
    // The log lets words go in such a transaction alone.
    await sql`SELECT set_config('karras.deletes_person', 'on', true)`.execute(tx)
    await sql`
      UPDATE staff_log SET reason = NULL
      WHERE reason IS NOT NULL AND made_at < ${before(RETENTION.staffLog)}`.execute(tx)
  })
}
