import { sql } from 'kysely'
import { DAY_MS } from '../../rules/durations.ts'
import { CONFIRMATION_LINK_LIFETIME_MS } from '../../rules/roles.ts'
import { tunisianDay } from '../../rules/tunisia-time.ts'
import { EMPTY_SEARCH_DAYS } from '../../rules/visits.ts'
import type { Deps } from '../deps.ts'
import { forgetFaults } from '../workers/workers.ts'

/** How long a repeated request gets the result of the first one: longer than any retry takes. */
export const IDEMPOTENCY_LIFETIME_MS = 7 * DAY_MS
/** A visitor's cart is deleted after this long without a new document. */
export const ABANDONED_CART_MS = 90 * DAY_MS
/** A request to join is deleted after this long without a confirmed address. */
const UNCONFIRMED_JOINING_MS = 7 * DAY_MS
/** How long a request to join is kept after its answer. */
const DECIDED_JOINING_MS = 90 * DAY_MS
/** How long it is known that a process ended during a job: longer than a job is retried. */
const JOB_DEATHS_KEPT_MS = 30 * DAY_MS
/** How long the sandbox keeps a payment after its start. */
export const SANDBOX_LIFETIME_MS = 30 * DAY_MS

/** How many expired counts are deleted by one statement: a flood leaves many. */
const COUNTS_AT_ONCE = 20_000

/**
 * Deletes the counts of attempts whose windows are over; more often than the rest, since strangers
 * cause them. Those that an attempt is just renewing are left to it.
 */
export async function forgetAttempts({ database, now }: Pick<Deps, 'database' | 'now'>) {
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

/** Deletes expired rows, each kind in a separate statement, so that locks do not accumulate. */
export async function cleanUp({ database: { kysely }, now }: Pick<Deps, 'database' | 'now'>) {
  const at = now()
  const before = (age: number) => new Date(at - age)
  await kysely
    .deleteFrom('idempotentRequests')
    .where('createdAt', '<', before(IDEMPOTENCY_LIFETIME_MS))
    .execute()
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
          row('askedAt', '<', before(UNCONFIRMED_JOINING_MS)),
        ]),
        row('decidedAt', '<', before(DECIDED_JOINING_MS)),
      ]),
    )
    .execute()
  await kysely
    .deleteFrom('emptySearches')
    .where('day', '<', tunisianDay(before(EMPTY_SEARCH_DAYS * DAY_MS)))
    .execute()
  await kysely.deleteFrom('emailConfirmations').where('expiresAt', '<', before(0)).execute()
  await kysely.deleteFrom('phoneCodes').where('expiresAt', '<', before(0)).execute()
  await kysely.deleteFrom('sentTexts').where('sentAt', '<', before(JOB_DEATHS_KEPT_MS)).execute()
  await kysely
    .deleteFrom('contactChanges')
    .where('dueAt', 'is', null)
    .where('askedAt', '<', before(CONFIRMATION_LINK_LIFETIME_MS))
    .execute()
  await forgetFaults(kysely, { before: at })
  await kysely.deleteFrom('mailCounts').where('windowEndsAt', '<', before(0)).execute()
  await sql`
    DELETE FROM anonymous_cart_items WHERE session_id IN (
      SELECT session_id FROM anonymous_cart_items
      GROUP BY session_id HAVING max(added_at) < ${before(ABANDONED_CART_MS)})`.execute(kysely)
  await sql`
    DELETE FROM sandbox_payments USING payments
    WHERE payments.reference = sandbox_payments.order_reference
      AND payments.created_at < ${before(SANDBOX_LIFETIME_MS)}`.execute(kysely)
}
