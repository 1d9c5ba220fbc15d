import {
  cancelPayout as cancelCall,
  getBankAccount,
  listPayouts,
  type OwnBankAccount,
  requestPayout as requestCall,
  setBankAccount,
} from '../../contract/payouts.ts'
import { PAGE_SIZE } from '../../rules/pager.ts'
import { readSecondFactor, requireProof } from '../accounts/accounts.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { once } from '../http/idempotency.ts'
import { pageOf, type Route, route } from '../http/route.ts'
import {
  bankAccountOf,
  cancelPayout,
  keepBankAccount,
  payoutsOf,
  payoutsWaitUntil,
  presentPayout,
  requestPayout,
} from '../money/money.ts'

/** A teacher's payouts and bank account; what sends money somewhere needs the password. */
export const payoutRoutes: Route[] = [
  route(listPayouts, async ({ input: { query }, user: { teacherId }, deps }) => {
    const { page = 0, size = PAGE_SIZE } = query
    const { payouts, total } = await payoutsOf(deps.database.kysely, { teacherId, page, size })
    return pageOf(payouts.map(presentPayout), { total, page, size })
  }),

  route(requestCall, async ({ input: { body }, user, key, deps, limits }) => {
    const { amount, ...proof } = body
    await requireProof(deps, limits, user.id, proof)
    return transaction(deps.database, (tx) =>
      once(tx, { userId: user.id, key, request: [requestCall.path, { amount }] }, async () => {
        const { actor, teacherId } = user
        return presentPayout(await requestPayout(tx, { actor, teacherId, amount, at: deps.now() }))
      }),
    )
  }),

  route(cancelCall, async ({ input: { params }, user, deps }) => {
    const request = { actor: user.actor, teacherId: user.teacherId, payoutId: params.id }
    return presentPayout(
      await transaction(deps.database, (tx) => cancelPayout(tx, { ...request, at: deps.now() })),
    )
  }),

  route(getBankAccount, ({ user, deps }) => ownBankAccount(deps, user)),

  route(setBankAccount, async ({ input, user, deps, limits }) => {
    const { password, code, ...account } = input.body
    await requireProof(deps, limits, user.id, { password, code })
    const { id: userId, actor, teacherId } = user
    await keepBankAccount(deps, { userId, actor, teacherId, account })
    return ownBankAccount(deps, user)
  }),
]

async function ownBankAccount(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  { id, teacherId }: { id: number; teacherId: number },
): Promise<OwnBankAccount> {
  const waitsUntil = await payoutsWaitUntil(database.kysely, teacherId, now())
  return {
    account: await bankAccountOf(database.kysely, teacherId),
    payableFrom: waitsUntil?.toISOString() ?? null,
    asksCode: (await readSecondFactor(database, id)).isOn,
  }
}
