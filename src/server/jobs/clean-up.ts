import { sql } from 'kysely'
import { DAY_MS } from '../../rules/durations.ts'
import { EMPTY_SEARCH_DAYS } from '../../rules/empty-searches.ts'
import { tunisianDay } from '../../rules/tunisia-time.ts'
import type { Deps } from '../deps.ts'

/** A request sent again is answered with its first result that long: more than any retry takes. */
export const IDEMPOTENCY_LIFETIME_MS = 7 * DAY_MS
/** A visitor's cart that nothing was put into for so long is given up. */
export const ABANDONED_CART_MS = 90 * DAY_MS
/** A request to join whose address nobody has confirmed is deleted after that long. */
export const UNCONFIRMED_JOINING_MS = 7 * DAY_MS
/** What was said in a request to join is kept that long after its answer. */
export const DECIDED_JOINING_MS = 90 * DAY_MS
/** The sandbox forgets a payment that long after it was started. */
export const SANDBOX_LIFETIME_MS = 30 * DAY_MS

/** Deletes what nobody can use any more. Each is a statement of its own: none waits for another. */
export async function cleanUp({ database: { kysely }, now }: Pick<Deps, 'database' | 'now'>) {
  const at = now()
  const before = (age: number) => new Date(at - age)
  await kysely
    .deleteFrom('idempotentRequests')
    .where('createdAt', '<', before(IDEMPOTENCY_LIFETIME_MS))
    .execute()
  await kysely.deleteFrom('endedTokens').where('expiresAt', '<', before(0)).execute()
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
