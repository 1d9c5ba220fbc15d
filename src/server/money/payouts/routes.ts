import {
  cancelPayout as cancelCall,
  getBankAccount,
  listPayouts,
  requestPayout as requestCall,
  setBankAccount,
} from '../../../contract/payouts.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { transaction } from '../../database/transaction.ts'
import { once } from '../../http/idempotency.ts'
import { pageOf } from '../../http/page-of.ts'
import { type Route, route } from '../../http/route.ts'
import { bankAccountOf, keepBankAccount } from './bank-accounts.ts'
import { cancelPayout, payoutsOf, requestPayout } from './payouts.ts'
import { presentPayout } from './present.ts'

/** A teacher's own payouts and bank account. */
export const payoutRoutes: Route[] = [
  route(listPayouts, async ({ input: { query }, user: { teacherId }, deps }) => {
    const { page = 0, size = PAGE_SIZE } = query
    const { payouts, total } = await payoutsOf(deps.database.kysely, { teacherId, page, size })
    return pageOf(payouts.map(presentPayout), { total, page, size })
  }),

  route(requestCall, ({ input: { body }, user, key, deps }) =>
    transaction(deps.database, (tx) =>
      once(tx, { userId: user.id, key, request: [requestCall.path, body] }, async () =>
        presentPayout(
          await requestPayout(tx, {
            actor: user.actor,
            teacherId: user.teacherId,
            amount: body.amount,
            at: deps.now(),
          }),
        ),
      ),
    ),
  ),

  route(cancelCall, async ({ input: { params }, user, deps }) => {
    const request = { actor: user.actor, teacherId: user.teacherId, payoutId: params.id }
    return presentPayout(
      await transaction(deps.database, (tx) => cancelPayout(tx, { ...request, at: deps.now() })),
    )
  }),

  route(getBankAccount, async ({ user, deps }) => ({
    account: await bankAccountOf(deps.database.kysely, user.teacherId),
  })),

  route(setBankAccount, async ({ input: { body: account }, user, deps }) => {
    await keepBankAccount(deps, {
      userId: user.id,
      actor: user.actor,
      teacherId: user.teacherId,
      account,
    })
    return { account }
  }),
]
