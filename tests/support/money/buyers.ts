import { createOrder, initiatePayment } from '../../../src/contract/orders.ts'
import { directPay, initiateRecharge, payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars, inDinars } from '../../../src/rules/money.ts'
import * as rules from './model.ts'
import {
  ask,
  at,
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

const idsOf = (documents: readonly rules.ModelDocument[]) => documents.map(({ id }) => id)

/** What customers do: what the shop is asked, and what the model says of it. */
export const BUYERS = {
  async order(world: World, command: Step) {
    const { person, customer, documents } = chosen(world, command)
    const orderDocs = idsOf(documents).map((documentId) => ({ documentId }))
    const key = `k${world.keys++}`
    const body = { userId: person.id, orderDocs }
    const made = await ask(world, createOrder, { as: person, key, body })
    const isOwned = documents.some((document) => customer.owned.has(document))
    expectThat(isRefused(made) === isOwned, `owned ${isOwned} decides about an order`, made)
    if (isRefused(made)) return count(world, 'order refused')
    const order = rules.orderOf(made.id, customer, documents)
    world.model.orders.push(order)
    if (rules.totalOf(order) === 0) rules.payFree(world.model, order)
    count(world, 'order')
  },

  async initiate(world: World, { what, how }: Step) {
    const order = at(world.model.orders, what)
    if (!order) return
    const method = (['card', 'card', 'bank_transfer', 'd17'] as const)[how % 4] ?? 'card'
    const answer = await ask(world, initiatePayment, {
      as: payerOf(world, order.buyer),
      params: { provider: 'konnect' },
      query: { orderId: order.id, method },
    })
    if (isRefused(answer)) return count(world, `initiate refused: ${answer.refused}`)
    expectThat(!order.isPaid, 'what is paid is not paid again', answer)
    started(world, {
      reference: answer.paymentRef,
      kind: method === 'card' ? 'gateway' : 'manual',
      payer: order.buyer,
      order,
      amount: rules.totalOf(order),
    })
    count(world, `initiate ${method}`)
  },

  async topUp(world: World, command: Step) {
    const { person, customer } = chosen(world, command)
    const { what, how } = command
    const amount = dinars(10 + (what % 40))
    const isManual = how % 4 === 0
    const answer = await ask(world, initiateRecharge, {
      as: person,
      key: `k${world.keys++}`,
      body: {
        userId: person.id,
        amount: inDinars(amount),
        ...(isManual && { paymentMethod: 'D17' }),
      },
    })
    if (isRefused(answer)) throw new Error(`a top-up was refused: ${answer.refused}`)
    const kind = isManual ? 'manual' : 'gateway'
    started(world, { reference: answer.paymentRef, kind, payer: customer, order: null, amount })
    count(world, `top-up ${kind}`)
  },

  async payFromWallet(world: World, command: Step) {
    const { person, customer, documents } = chosen(world, command)
    const key = `k${world.keys++}`
    const body = { userId: person.id, documentIds: idsOf(documents) }
    const send = () => ask(world, payFromWallet, { as: person, key, body })
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
      .where('buyer_id', '=', person.id)
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
    const answer = await ask(world, directPay, {
      as: person,
      key: `k${world.keys++}`,
      body: {
        userId: person.id,
        amount: inDinars(total + (isWrong ? 10 : 0)),
        paymentMethod: command.how % 2 === 0 ? 'card' : 'direct',
        documentIds: idsOf(documents),
      },
    })
    const isOwned = documents.some((document) => customer.owned.has(document))
    const isAllowed = !isOwned && !isWrong && total >= dinars(10)
    expectThat(!isRefused(answer) === isAllowed, `allowed ${isAllowed} decides`, answer)
    if (isRefused(answer)) return count(world, `direct refused: ${answer.refused}`)
    order.id = answer.orderId
    world.model.orders.push(order)
    const reference = answer.paymentRef ?? ''
    started(world, { reference, kind: 'gateway', payer: customer, order, amount: total })
    count(world, 'pays directly')
  },
}
