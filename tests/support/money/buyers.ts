import { cancelOrder, createOrder, initiatePayment } from '../../../src/contract/orders.ts'
import { directPay, initiateRecharge, payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars, inDinars } from '../../../src/rules/money.ts'
import { MOST_OPEN_TRANSFERS } from '../../../src/rules/payment-methods.ts'
import { CHECK_PAUSE_MAX_MS } from '../../../src/server/money/gateway-checks.ts'
import * as rules from './model.ts'
import type { ModelDocument } from './model-books.ts'
import {
  advanceClock,
  at,
  callOrRefusal,
  count,
  expectThat,
  isRefused,
  payerOf,
  type Step,
  started,
  type World,
} from './world.ts'

function chosen(world: World, { who, what, how }: Step) {
  const index = who % world.people.length
  const person = world.people[index]
  const customer = world.model.customers[index]
  if (!person || !customer) throw new Error('there is nobody')
  const documents = world.model.documents.filter(
    (_, place) => (what >> place) % 2 === 1 || place === what % world.model.documents.length,
  )
  return { person, customer, documents: documents.slice(0, 1 + (how % 4)) }
}

const idsOf = (documents: readonly ModelDocument[]) => documents.map(({ id }) => id)

/** Actions of customers: the calls to the shop, and the model's expectations. */
export const BUYERS = {
  async order(world: World, command: Step) {
    const { person, customer, documents } = chosen(world, command)
    const orderDocs = idsOf(documents).map((documentId) => ({ documentId }))
    const key = `k${world.keys++}`
    const body = { userId: person.id, orderDocs }
    const made = await callOrRefusal(world, createOrder, { as: person, key, body })
    const refusal = rules.refusalOf(world.model, customer, documents)
    expectThat(
      isRefused(made) ? made.refused === refusal : refusal === null,
      `${refusal} decides about an order`,
      made,
    )
    if (isRefused(made)) return count(world, `order refused: ${made.refused}`)
    const order = rules.orderOf(made.id, customer, documents)
    rules.place(world.model, order)
    if (rules.totalOf(order) === 0) rules.payFree(world.model, order)
    count(world, 'order')
  },

  async initiate(world: World, { what, how }: Step) {
    const order = at(world.model.orders, what)
    if (!order) return
    const method = (['card', 'card', 'bank_transfer', 'd17'] as const)[how % 4] ?? 'card'
    const answer = await callOrRefusal(world, initiatePayment, {
      as: payerOf(world, order.buyer),
      key: `k${world.keys++}`,
      params: { provider: 'konnect' },
      query: { orderId: order.id, method },
    })
    if (isRefused(answer)) {
      if (answer.refused === 'nothing_to_pay') {
        expectThat(order.state === 'replaced', 'only what was replaced has nothing to pay', answer)
      }
      return count(world, `initiate refused: ${answer.refused}`)
    }
    expectThat(order.state === 'pending', 'only what waits is paid', answer)
    const kind = method === 'card' ? 'gateway' : 'manual'
    const amount = rules.totalOf(order)
    started(world, { reference: answer.paymentRef, kind, payer: order.buyer, order, amount })
    const open = rules.openTransfers(world.model, order.buyer).length
    expectThat(open <= MOST_OPEN_TRANSFERS, 'no more transfers wait than may', open)
    count(world, `initiate ${method}`)
  },

  async cancel(world: World, { what }: Step) {
    const order = at(world.model.orders, what)
    if (!order) return
    await advanceClock(world, CHECK_PAUSE_MAX_MS)
    // An order that the gateway has been paid for by now is not cancelled.
    if (order.state === 'pending') {
      for (const payment of world.model.payments) {
        if (payment.order === order && payment.isPaid) rules.settle(world.model, payment)
      }
    }
    const as = payerOf(world, order.buyer)
    const answer = await callOrRefusal(world, cancelOrder, { as, params: { id: order.id } })
    const isPaid = order.state === 'paid'
    expectThat(isRefused(answer) === isPaid, `paid ${isPaid} decides about cancelling`, answer)
    if (isRefused(answer)) return count(world, 'cancel refused')
    if (order.state !== 'pending') return count(world, 'cancel again')
    rules.end(world.model, order, 'cancelled')
    count(world, 'cancel')
  },

  async topUp(world: World, command: Step) {
    const { person, customer } = chosen(world, command)
    const { what, how } = command
    const amount = dinars(10 + (what % 40))
    const isManual = how % 4 === 0
    const answer = await callOrRefusal(world, initiateRecharge, {
      as: person,
      key: `k${world.keys++}`,
      body: {
        userId: person.id,
        amount: inDinars(amount),
        ...(isManual && { paymentMethod: 'D17' }),
      },
    })
    const isFull =
      isManual && rules.openTransfers(world.model, customer).length >= MOST_OPEN_TRANSFERS
    expectThat(isRefused(answer) === isFull, `${isFull ? 'no' : 'a'} top-up is open`, answer)
    if (isRefused(answer)) return count(world, `top-up refused: ${answer.refused}`)
    const kind = isManual ? 'manual' : 'gateway'
    started(world, { reference: answer.paymentRef, kind, payer: customer, order: null, amount })
    count(world, `top-up ${kind}`)
  },

  async payFromWallet(world: World, command: Step) {
    const { person, customer, documents } = chosen(world, command)
    const key = `k${world.keys++}`
    const body = { userId: person.id, documentIds: idsOf(documents) }
    const send = () => callOrRefusal(world, payFromWallet, { as: person, key, body })
    // Half of the browsers send it twice.
    const [answer] = await Promise.all(command.how % 2 === 0 ? [send(), send()] : [send()])
    const done = rules.payFromWallet(world.model, customer, documents)
    expectThat(isRefused(answer) === (done === null), 'the model and the wallet agree', answer)
    if (!done || !answer || isRefused(answer)) return count(world, 'wallet too small')
    const excluded = answer.excludedDocuments.map(({ id }) => id)
    expectThat(String(excluded) === String(idsOf(done.excluded)), 'what is owned is free', answer)
    count(world, 'wallet pays')
    if (done.order.items.length === 0) return
    const { id } = await world.app.deps.database.kysely
      .selectFrom('orders')
      .select('id')
      .where('buyerId', '=', person.id)
      .where('status', '=', 'paid')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    done.order.id = id
    world.model.orders.push(done.order)
  },

  async payDirectly(world: World, command: Step) {
    const { person, customer, documents } = chosen(world, command)
    const order = rules.orderOf(0, customer, documents)
    const total = rules.totalOf(order)
    const isWrong = command.how % 8 === 0
    const answer = await callOrRefusal(world, directPay, {
      as: person,
      key: `k${world.keys++}`,
      body: {
        userId: person.id,
        amount: inDinars(total + (isWrong ? 10 : 0)),
        paymentMethod: command.how % 2 === 0 ? 'card' : 'direct',
        documentIds: idsOf(documents),
      },
    })
    const refusal = rules.refusalOf(world.model, customer, documents)
    const isAllowed = refusal === null && !isWrong && total >= dinars(10)
    expectThat(!isRefused(answer) === isAllowed, `allowed ${isAllowed} decides`, answer)
    if (isRefused(answer)) return count(world, `direct refused: ${answer.refused}`)
    order.id = answer.orderId
    rules.place(world.model, order)
    const reference = answer.paymentRef ?? ''
    started(world, { reference, kind: 'gateway', payer: customer, order, amount: total })
    count(world, 'pays directly')
  },
}
