import {
  createAndPay,
  directPay,
  getBalance,
  initiateRecharge,
  payFromWallet,
  walletHistory,
} from '../../contract/wallet.ts'
import { HISTORY_PAGE_SIZE } from '../../rules/pager.ts'
import { requireCustomer } from '../http/identity.ts'
import { type Route, route } from '../http/route.ts'
import { requireKnown, usedNow } from './codes/apply.ts'
import { walletHistory as readHistory, waitingTopUps } from './history.ts'
import { walletBalance } from './ledger.ts'
import { payFromWallet as pay } from './purchase.ts'
import { payDirectly, topUp } from './start-payment.ts'

export const walletRoutes: Route[] = [
  route(getBalance, async ({ input, user, deps }) => {
    requireCustomer(user, input.query.userId)
    return { balance: await walletBalance(deps.database.kysely, user.id) }
  }),
  route(payFromWallet, async ({ input: { body }, user, key, deps, limits }) => {
    requireCustomer(user, body.userId)
    await requireKnown(deps, limits, body)
    const request = [payFromWallet.path, body]
    return pay(deps, { ...body, code: usedNow(deps, body), key, request, isOfCart: false })
  }),
  route(createAndPay, async ({ input: { body }, user, key, deps, limits }) => {
    requireCustomer(user, body.userId)
    await requireKnown(deps, limits, body)
    const request = [createAndPay.path, body]
    return pay(deps, { ...body, code: usedNow(deps, body), key, request, isOfCart: true })
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
  route(directPay, async ({ input: { body }, user, key, deps, limits }) => {
    requireCustomer(user, body.userId)
    await requireKnown(deps, limits, body)
    return payDirectly(deps, { body, key })
  }),
]
