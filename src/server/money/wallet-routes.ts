import type { AnyCall } from '../../contract/call.ts'
import {
  createAndPay,
  directPay,
  getBalance,
  initiateRecharge,
  type PurchaseResult,
  payFromWallet,
  walletHistory,
} from '../../contract/wallet.ts'
import { HISTORY_PAGE_SIZE } from '../../rules/pager.ts'
import { takeOutOfCart } from '../carts/carts.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { once } from '../http/idempotency.ts'
import { requireCustomer } from '../http/identity.ts'
import { type Route, route } from '../http/route.ts'
import { enqueueMail } from '../mail/mail.ts'
import { payDirectly } from './direct-payment.ts'
import { walletHistory as readHistory, waitingTopUps } from './history.ts'
import { walletBalance } from './ledger.ts'
import { presentPurchase } from './present-purchase.ts'
import { type Purchase, purchase } from './purchase.ts'
import { tagsOfSale } from './sale.ts'
import { topUp } from './top-ups.ts'

/** The wallet: balance, history, top-ups, and paying for documents. */
export const walletRoutes: Route[] = [
  route(getBalance, async ({ input, user, deps }) => {
    requireCustomer(user, input.query.userId)
    return { balance: await walletBalance(deps.database.kysely, user.id) }
  }),
  route(payFromWallet, async ({ input, user, key, deps }) => {
    requireCustomer(user, input.body.userId)
    return pay(deps, { call: payFromWallet, key, body: input.body }, async () => {})
  }),
  route(createAndPay, async ({ input, user, key, deps }) => {
    requireCustomer(user, input.body.userId)
    return pay(deps, { call: createAndPay, key, body: input.body }, (tx) =>
      takeOutOfCart(tx, input.body.userId, input.body.documentIds),
    )
  }),
  route(walletHistory, async ({ input, user, deps }) => {
    const { userId, page = 0, size = HISTORY_PAGE_SIZE } = input.query
    requireCustomer(user, userId)
    const { content, total } = await readHistory(deps.database.kysely, { userId, page, size })
    return {
      content,
      totalPages: Math.ceil(total / size),
      totalElements: total,
      number: page,
      ...(page === 0 && { waiting: await waitingTopUps(deps, userId) }),
    }
  }),
  route(initiateRecharge, async ({ input: { body }, user, key, deps }) => {
    requireCustomer(user, body.userId)
    return topUp(deps, { body, key })
  }),
  route(directPay, async ({ input: { body }, user, key, deps }) => {
    requireCustomer(user, body.userId)
    return payDirectly(deps, { body, key })
  }),
]

interface PayBody {
  userId: number
  documentIds: number[]
}

/** Pays once for a key, with `also` in the same transaction; refreshes the public pages and mails the buyer. */
async function pay(
  deps: Deps,
  { call, key, body }: { call: AnyCall; key: string; body: PayBody },
  also: (tx: Tx) => Promise<void>,
): Promise<PurchaseResult> {
  let done: Purchase | undefined
  const result = await transaction(deps.database, (tx) =>
    once(tx, { userId: body.userId, key, request: [call.path, body] }, async () => {
      // First what only this buyer touches: the purchase ends at rows that all buyers lock.
      await also(tx)
      done = await purchase(tx, {
        buyerId: body.userId,
        documentIds: body.documentIds,
        onOrder: (orderId) => enqueueMail(tx, deps.jobs, 'receipt', { orderId }),
      })
      return presentPurchase(done)
    }),
  )
  if (done?.orderId) deps.publisher.changedSoon(tagsOfSale(done.bought))
  return result
}
