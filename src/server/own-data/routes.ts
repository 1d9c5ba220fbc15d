import { sql } from 'kysely'
import * as contract from '../../contract/own-account.ts'
import { endLogIn, endOtherLogIns, listLogIns } from '../accounts/accounts.ts'
import type { Deps } from '../deps.ts'
import { type Route, route, type User, userAgentOf } from '../http/route.ts'
import { walletBalance } from '../money/money.ts'

/** What a person may ask of the shop about themselves: docs/shop.md, "One's own data". */
export const ownDataRoutes: Route[] = [
  route(contract.getOwnAccount, async ({ user, deps }) => ({
    ...(await readAccount(deps, user)),
    logIns: await listLogIns(deps, user),
  })),
  route(contract.endLogIn, ({ input, user, deps }) => endLogIn(deps, user.id, input.params.id)),
  route(contract.endOtherLogIns, async ({ user, deps, reply }) => ({
    accessToken: await endOtherLogIns(deps, user, userAgentOf(reply)),
  })),
]

async function readAccount({ database: { kysely } }: Pick<Deps, 'database'>, { id, role }: User) {
  const { createdAt, emailConfirmedAt, ...account } = await kysely
    .selectFrom('users')
    .select(['username', 'firstName', 'lastName', 'phone', 'email', 'locale as language'])
    .select(['createdAt', 'emailConfirmedAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<contract.OwnAccount['kept']>`
    SELECT
      (SELECT count(*)::integer FROM purchases WHERE user_id = ${id}) AS documents,
      (SELECT count(*)::integer FROM orders WHERE buyer_id = ${id}) AS orders,
      (SELECT count(*)::integer FROM ratings
        WHERE user_id = ${id} AND withdrawn_at IS NULL) AS ratings,
      (SELECT count(*)::integer FROM wishlist_items WHERE user_id = ${id}) AS wishes,
      (SELECT count(*)::integer FROM shelves WHERE user_id = ${id}) AS shelves,
      (SELECT count(*)::integer FROM chat_rooms
        WHERE customer_id = ${id} AND last_message_id IS NOT NULL) AS conversations`.execute(kysely)
  return {
    ...account,
    since: createdAt.toISOString(),
    isEmailConfirmed: emailConfirmedAt !== null,
    kept: rows[0] as contract.OwnAccount['kept'],
    balance: role === 'PARENT' ? await walletBalance(kysely, id) : null,
  }
}
