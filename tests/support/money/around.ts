import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../../src/rules/payment-methods.ts'
import { ApiFault } from '../../../src/server/http/errors.ts'
import { expireOrders } from '../../../src/server/money/due-payments.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { confirmManual, refuseManual } from '../../../src/server/money/transfers.ts'
import * as rules from './model.ts'
import { poll, signal } from './signals.ts'
import { advanceClock, at, count, expectThat, type Step, type World } from './world.ts'

const gatewayPayments = ({ model }: World) =>
  model.payments.filter(({ kind, isSpoilt }) => kind === 'gateway' && !isSpoilt)
const transfers = ({ model }: World) => model.payments.filter(({ kind }) => kind === 'manual')

/** Actions of the gateway, the operator, the seller and time, in the shop and in the model. */
export const OUTSIDE_EVENTS = {
  async gatewayPays(world: World, { what, how }: Step) {
    const payment = at(
      gatewayPayments(world).filter(({ isPaid }) => !isPaid),
      what,
    )
    if (!payment) return
    const isWrong = how % 10 === 9
    world.konnect.pay(payment.reference, payment.amount + (isWrong ? 10 : 0))
    payment.isPaid = !isWrong
    count(world, isWrong ? 'wrong amount' : 'gateway pays')
    // After its expiry the shop stops polling: then it counts when the gateway sends a signal.
    await signal(world, payment, payment.isClosed ? 2 : how >> 4)
    payment.isSpoilt = isWrong
  },

  async signal(world: World, { what, how }: Step) {
    const payment = at(gatewayPayments(world), what)
    if (!payment) return
    await signal(world, payment, how)
    count(world, 'signal')
  },

  async poll(world: World) {
    await advanceClock(world, 61 * MINUTE_MS)
    await poll(world)
    count(world, 'poll')
  },

  async expire(world: World, { how }: Step) {
    if (how % 2 !== 0) return
    await OUTSIDE_EVENTS.poll(world)
    await advanceClock(world, ORDER_LIFETIME_MS + HOUR_MS)
    await poll(world)
    await expireOrders(world.app.deps)
    for (const payment of world.model.payments) payment.isClosed = true
    for (const order of world.model.orders) if (order.state === 'pending') order.state = 'ended'
    count(world, 'expiry')
  },

  async confirm(world: World, { what }: Step) {
    const payment = at(transfers(world), what)
    if (!payment) return
    try {
      await confirmManual(world.app.deps, payment.reference)
      count(world, 'transfer confirmed')
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error
      expectThat(payment.isSettled, 'only what was confirmed is refused', error.message)
    }
    rules.settle(world.model, payment)
  },

  async refuse(world: World, { what }: Step) {
    const payment = at(transfers(world), what)
    if (!payment) return
    try {
      await refuseManual(world.app.deps, payment.reference)
      rules.refuse(world.model, payment)
      count(world, 'transfer refused')
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error
    }
  },

  async price(world: World, { what, how }: Step) {
    const document = at(world.model.documents, what)
    if (!document) return
    document.price = dinars(how % 9 === 0 ? 0 : (1 + (how % 97)) * 0.25)
    await world.app.deps.database.kysely
      .updateTable('documents')
      .set({ price: document.price })
      .where('id', '=', document.id)
      .execute()
    count(world, 'price')
  },

  async refund(world: World, { what, how }: Step) {
    const order = at(world.model.orders, what)
    if (!order) return
    const document = how % 2 === 0 ? undefined : at(order.items, how >> 1)?.document
    const request = { orderId: order.id, ...(document && { documentId: document.id }) }
    const isDone = await refundOrder(world.app.deps, request).then(
      () => true,
      (error) => {
        if (error instanceof ApiFault) return false
        throw error
      },
    )
    const isExpected = rules.refund(world.model, order, document)
    expectThat(isDone === isExpected, `a refund ${isExpected} in the model`, isDone)
    count(world, isDone ? 'refund' : 'refund refused')
    const isOwed = world.model.teachers.some(({ balance }) => balance < 0)
    if (isDone && isOwed) count(world, 'refund after a payout')
  },
}
