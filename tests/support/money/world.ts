import type { AnyCall, Input, Result } from '../../../src/contract/call.ts'
import { createOrder, getPayment, initiatePayment } from '../../../src/contract/orders.ts'
import { directPay, initiateRecharge, payFromWallet } from '../../../src/contract/wallet.ts'
import { HOUR_MS, MINUTE_MS, ORDER_LIFETIME_MS } from '../../../src/rules/limits.ts'
import { dinars, inDinars, type Millimes } from '../../../src/rules/money.ts'
import { signToken } from '../../../src/server/http/tokens.ts'
import { expireOrders, settleDue } from '../../../src/server/payments/jobs.ts'
import { confirmManual, ManualRefused, refuseManual } from '../../../src/server/payments/manual.ts'
import { RefundRefused, refundOrder } from '../../../src/server/wallet/refund.ts'
import { RefusedCall, type TestApp } from '../app.ts'
import type { Person } from '../factories.ts'
import type { KonnectStandIn } from '../konnect.ts'
import * as rules from './model.ts'

/** One step of a history; the numbers choose among what is there when it is its turn. */
export interface Command {
  readonly name: keyof typeof COMMANDS
  readonly who: number
  readonly what: number
  readonly how: number
}

/** A shop's customers, teachers and documents of one history, beside the model of their books. */
export interface World {
  readonly app: TestApp
  readonly konnect: KonnectStandIn
  readonly model: rules.Model
  readonly people: Person[]
  readonly teacherIds: number[]
  /** How often each thing happened that a history is about. */
  readonly counts: Map<string, number>
  keys: number
}

const START = dinars(30)

export async function aWorld(
  app: TestApp,
  konnect: KonnectStandIn,
  counts: World['counts'],
): Promise<World> {
  const model = rules.emptyModel()
  const world: World = { app, konnect, model, people: [], teacherIds: [], counts, keys: 0 }
  for (let at = 0; at < 3; at++) {
    world.people.push(await app.aCustomer({ balance: START }))
    model.customers.push({ balance: START, owned: new Map() })
  }
  const shared = {
    matiereId: await app.aMatiere(),
    niveauId: await app.aNiveau(),
    categoryId: await app.aCategory(),
  }
  for (let teacher = 0; teacher < 2; teacher++) {
    const { id: teacherId } = await app.aTeacher()
    world.teacherIds.push(teacherId)
    model.sales.push(0)
    for (const price of [0, 4.5, 12.25, 20].map(dinars)) {
      const { id } = await app.aDocument({ ...shared, teacherId, price })
      model.documents.push({ id, teacher, price })
    }
  }
  return world
}

/** Nobody asks for this world's payments any more: the next one has the poller to itself. */
export async function leave({ app }: World): Promise<void> {
  await app.deps.database.kysely
    .updateTable('payments')
    .set({ next_check_at: null })
    .where('next_check_at', 'is not', null)
    .execute()
}

export async function play(world: World, command: Command): Promise<void> {
  await COMMANDS[command.name](world, command)
}

/** Refreshes tokens, which are good for twelve hours only. */
async function travel(world: World, milliseconds: number): Promise<void> {
  const { app, people } = world
  app.travel(milliseconds)
  for (const [at, person] of people.entries()) {
    const user = { id: person.id, role: person.role, generation: 0 }
    people[at] = { ...person, token: await signToken(app.deps.secret, user, app.deps.now()) }
  }
}

/** The answer, or the code with which the shop refuses. */
async function ask<C extends AnyCall>(
  { app }: World,
  call: C,
  input: Input<C> & { as: Person; key?: string },
): Promise<Result<C> | { refused: unknown }> {
  try {
    return await app.call(call, input)
  } catch (error) {
    if (error instanceof RefusedCall && error.status < 500) return { refused: error.code }
    throw error
  }
}

const isRefused = (answer: unknown): answer is { refused: unknown } =>
  typeof answer === 'object' && answer !== null && 'refused' in answer

function expectThat(holds: boolean, what: string, seen: unknown): void {
  if (!holds) throw new Error(`${what}, but the shop answered ${JSON.stringify(seen)}`)
}

function count(world: World, what: string): void {
  world.counts.set(what, (world.counts.get(what) ?? 0) + 1)
}

const at = <T>(things: readonly T[], index: number): T | undefined =>
  things[index % Math.max(1, things.length)]

function chosen(world: World, { who, what, how }: Command) {
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

function payerOf({ model, people }: World, customer: rules.ModelCustomer): Person {
  const person = people[model.customers.indexOf(customer)]
  if (!person) throw new Error('nobody has this wallet')
  return person
}

function started(
  { model }: World,
  payment: Pick<rules.ModelPayment, 'reference' | 'kind' | 'payer' | 'order' | 'amount'>,
): void {
  if (model.payments.some(({ reference }) => reference === payment.reference)) return
  model.payments.push({ ...payment, isPaid: false, isSettled: false, isClosed: false })
}

/** Tells the shop of a payment in one of many ways, or not at all. */
async function signal(world: World, payment: rules.ModelPayment, how: number): Promise<void> {
  const { app, konnect, model } = world
  const { reference, payer } = payment
  const comeBack = (isPaid: boolean) => {
    const { pathname, search } = new URL(konnect.wayBack(reference, isPaid))
    return app.request('GET', pathname + search)
  }
  const state = () =>
    app.call(getPayment, { as: payerOf(world, payer), query: { paymentRef: reference } })
  const webhook = () => konnect.webhook(reference)
  switch (how % 8) {
    case 0:
    case 1:
      return count(world, 'signal dropped')
    case 2:
      await webhook()
      break
    case 3:
      await Promise.all([webhook(), webhook(), webhook(), webhook(), webhook()])
      break
    case 4:
      await comeBack(true)
      break
    case 5:
      await comeBack(false)
      break
    case 6:
      // It may not ask the gateway, when it has just done so.
      await state()
      await webhook()
      break
    default:
      await Promise.all(
        konnect.shuffled([webhook, () => comeBack(true), state, webhook]).map((one) => one()),
      )
  }
  if (payment.isPaid) rules.settle(model, payment)
}

async function poll(world: World): Promise<void> {
  while ((await settleDue(world.app.deps)) > 0);
  for (const payment of world.model.payments) {
    if (payment.kind === 'gateway' && payment.isPaid && !payment.isClosed) {
      rules.settle(world.model, payment)
    }
  }
}

const gatewayPayments = ({ model }: World) =>
  model.payments.filter(({ kind }) => kind === 'gateway')
const transfers = ({ model }: World) => model.payments.filter(({ kind }) => kind === 'manual')

/** Every command: what the shop is asked, and what the model says of it. */
const COMMANDS = {
  async order(world: World, command: Command) {
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

  async initiate(world: World, { what, how }: Command) {
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

  async topUp(world: World, command: Command) {
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

  async gatewayPays(world: World, { what, how }: Command) {
    const payment = at(
      gatewayPayments(world).filter(({ isPaid }) => !isPaid),
      what,
    )
    if (!payment) return
    const isWrong = how % 10 === 9
    world.konnect.pay(payment.reference, payment.amount + (isWrong ? 10 : 0))
    payment.isPaid = !isWrong
    count(world, isWrong ? 'wrong amount' : 'gateway pays')
    // After its time nobody asks by himself: then it counts by the gateway's own word.
    await signal(world, payment, payment.isClosed ? 2 : how >> 4)
    if (isWrong) world.model.payments.splice(world.model.payments.indexOf(payment), 1)
  },

  async signal(world: World, { what, how }: Command) {
    const payment = at(gatewayPayments(world), what)
    if (!payment) return
    await signal(world, payment, how)
    count(world, 'signal')
  },

  async poll(world: World) {
    await travel(world, 61 * MINUTE_MS)
    await poll(world)
    count(world, 'poll')
  },

  async expire(world: World, { how }: Command) {
    if (how % 2 !== 0) return
    await COMMANDS.poll(world)
    await travel(world, ORDER_LIFETIME_MS + HOUR_MS)
    await poll(world)
    await expireOrders(world.app.deps)
    for (const payment of world.model.payments) payment.isClosed = true
    count(world, 'expiry')
  },

  async payFromWallet(world: World, command: Command) {
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

  async payDirectly(world: World, command: Command) {
    const { person, customer, documents } = chosen(world, command)
    const order = rules.orderOf(0, customer, documents)
    const total = rules.totalOf(order)
    const isWrong = command.how % 8 === 0
    const answer = await ask(world, directPay, {
      as: person,
      key: `k${world.keys++}`,
      body: {
        userId: person.id,
        amount: inDinars((total + (isWrong ? 10 : 0)) as Millimes),
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

  async confirm(world: World, { what }: Command) {
    const payment = at(transfers(world), what)
    if (!payment) return
    try {
      await confirmManual(world.app.deps, payment.reference)
      count(world, 'transfer confirmed')
    } catch (error) {
      if (!(error instanceof ManualRefused)) throw error
      expectThat(payment.isSettled, 'only what was confirmed is refused', error.reason)
    }
    rules.settle(world.model, payment)
  },

  async refuse(world: World, { what }: Command) {
    const payment = at(transfers(world), what)
    if (!payment) return
    try {
      await refuseManual(world.app.deps, payment.reference)
      count(world, 'transfer refused')
    } catch (error) {
      if (!(error instanceof ManualRefused)) throw error
    }
  },

  async price(world: World, { what, how }: Command) {
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

  async refund(world: World, { what, how }: Command) {
    const order = at(world.model.orders, what)
    if (!order) return
    const document = how % 2 === 0 ? undefined : at(order.items, how >> 1)?.document
    const request = { orderId: order.id, ...(document && { documentId: document.id }) }
    const isDone = await refundOrder(world.app.deps, request).then(
      () => true,
      (error) => {
        if (error instanceof RefundRefused) return false
        throw error
      },
    )
    const isExpected = rules.refund(world.model, order, document)
    expectThat(isDone === isExpected, `a refund ${isExpected} in the model`, isDone)
    count(world, isDone ? 'refund' : 'refund refused')
  },
}
