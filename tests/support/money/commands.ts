import {
  cancelOrder,
  createOrder,
  getPayment,
  initiatePayment,
} from '../../../src/contract/orders.ts'
import { directPay, initiateRecharge, payFromWallet } from '../../../src/contract/wallet.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars, inDinars } from '../../../src/rules/money.ts'
import { MOST_OPEN_TRANSFERS, ORDER_LIFETIME_MS } from '../../../src/rules/payment-methods.ts'
import { answer, offer } from '../../../src/server/bundles/shared.ts'
import { ApiFault } from '../../../src/server/http/errors.ts'
import { expireOrders, settleDue } from '../../../src/server/money/due-payments.ts'
import { CHECK_PAUSE_MAX_MS } from '../../../src/server/money/gateway-checks.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { confirmManual, refuseManual } from '../../../src/server/money/transfers.ts'
import * as rules from './model.ts'
import type { ModelDocument, ModelPayment } from './model-books.ts'
import { ADJUSTMENTS, FAMILIES, TEACHERS } from './staff.ts'
import {
  advanceClock,
  answerOf,
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
  const some = world.model.documents.filter(
    (_, place) => (what >> place) % 2 === 1 || place === what % world.model.documents.length,
  )
  // A fifth are for a whole bundle.
  const whole = how % 5 === 4 ? at(world.model.bundles, what) : undefined
  const documents = whole?.documents ?? some.slice(0, 1 + (how % 8))
  // Half of the requests name bundles, also such as they do not have whole.
  const bundles = world.model.bundles.filter(
    (bundle, place) => bundle === whole || (how % 2 === 0 && (what >> place) % 3 > 0),
  )
  const names = { bundleIds: bundles.map(({ id }) => id) }
  const code = how % 3 > 0 ? (at(world.model.codes, what >> 3) ?? null) : null
  return {
    person,
    customer,
    code,
    withCode: code && { code: code.code },
    documents,
    bundles,
    inBody: bundles.length > 0 && names,
  }
}

const idsOf = (documents: readonly ModelDocument[]) => documents.map(({ id }) => id)

/** Actions of customers: the calls to the shop, and the model's expectations. */
const BUYERS = {
  async order(world: World, command: Step) {
    const { person, customer, documents, bundles, code, withCode } = chosen(world, command)
    const orderDocs = documents.map((document) => {
      const bundleId = bundles.find((bundle) => bundle.documents.includes(document))?.id
      return { documentId: document.id, ...(bundleId && { bundleId }) }
    })
    const named = bundles.filter(({ id }) => orderDocs.some(({ bundleId }) => bundleId === id))
    const key = `k${world.keys++}`
    const body = { userId: person.id, orderDocs, ...withCode }
    const made = await callOrRefusal(world, createOrder, { as: person, key, body })
    const order = rules.orderOf(-1, customer, documents, named)
    const refusal =
      rules.refusalOf(world.model, customer, documents) ??
      (code && rules.applyCode(world.model, order, code, documents))
    expectThat(
      isRefused(made) ? made.refused === refusal : refusal === null,
      `${refusal} decides about an order`,
      made,
    )
    if (isRefused(made)) {
      if (String(made.refused).startsWith('code_')) count(world, 'code refused')
      return count(world, `order refused: ${made.refused}`)
    }
    order.id = made.id
    if (code) count(world, 'order with a code')
    if (order.items.some(({ bundle }) => bundle)) count(world, 'order of a bundle')
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
    const { person, customer, documents, bundles, inBody, code, withCode } = chosen(world, command)
    const key = `k${world.keys++}`
    const body = { userId: person.id, documentIds: idsOf(documents), ...inBody, ...withCode }
    const send = () => callOrRefusal(world, payFromWallet, { as: person, key, body })
    // Half of the browsers send it twice.
    const [answer] = await Promise.all(command.how % 2 === 0 ? [send(), send()] : [send()])
    const done = rules.payFromWallet(world.model, customer, documents, bundles, code)
    const refusal = typeof done === 'string' ? done : null
    expectThat(
      (isRefused(answer) ? answer.refused : null) === refusal,
      `${refusal} decides about the wallet`,
      answer,
    )
    if (typeof done === 'string' || !answer || isRefused(answer)) {
      if (refusal?.startsWith('code_')) count(world, 'code refused')
      return count(world, `wallet refused: ${refusal}`)
    }
    const excluded = answer.excludedDocuments.map(({ id }) => id)
    expectThat(String(excluded) === String(idsOf(done.excluded)), 'what is owned is free', answer)
    count(world, 'wallet pays')
    if (code) count(world, 'wallet pays with a code')
    const ofBundles = done.order.items.filter(({ bundle }) => bundle)
    if (ofBundles.length > 0) count(world, 'wallet pays a bundle')
    if (ofBundles.some(({ bundle }) => bundle?.consent))
      count(world, 'wallet pays several teachers')
    if (
      ofBundles.some(({ bundle }) => bundle?.documents.some((one) => done.excluded.includes(one)))
    ) {
      count(world, 'wallet pays the rest of a bundle')
    }
    if (done.order.items.length === 0) return
    const { id } = await world.app.kysely
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
    const { person, customer, documents, code, withCode } = chosen(world, command)
    const order = rules.orderOf(-1, customer, documents)
    // One that may not be used takes nothing off the sum that is named.
    if (code) rules.applyCode(world.model, order, code, documents)
    const total = rules.totalOf(order)
    const isWrong = command.how % 8 === 0
    const answer = await callOrRefusal(world, directPay, {
      as: person,
      key: `k${world.keys++}`,
      body: {
        userId: person.id,
        amount: inDinars(total + (isWrong ? 10 : 0)),
        paymentMethod: command.how % 2 === 0 ? 'card' : 'direct',
        ...withCode,
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

/** Notifies the shop of a payment in one of many ways, or not at all. */
async function signal(world: World, payment: ModelPayment, how: number): Promise<void> {
  const { app, konnect, model } = world
  const { reference, payer } = payment
  const comeBack = (isPaid: boolean) => {
    const { pathname, search } = new URL(konnect.wayBack(reference, isPaid))
    return app.request('GET', pathname + search)
  }
  const state = () =>
    app.call(getPayment, { as: payerOf(world, payer), query: { paymentRef: reference } })
  const webhook = () => konnect.webhook(reference)
  // Beyond the pause between two queries to the gateway.
  if (how % 8 > 1) await advanceClock(world, CHECK_PAUSE_MAX_MS)
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

/** Runs the poller on everything that is due. */
async function poll(world: World): Promise<void> {
  while ((await settleDue(world.app.deps)) > 0);
  for (const payment of world.model.payments) {
    if (payment.kind === 'gateway' && payment.isPaid && !payment.isClosed) {
      rules.settle(world.model, payment)
    }
  }
}

const gatewayPayments = ({ model }: World) =>
  model.payments.filter(({ kind, isSpoilt }) => kind === 'gateway' && !isSpoilt)
const transfers = ({ model }: World) => model.payments.filter(({ kind }) => kind === 'manual')

/** Actions of the gateway, the operator, the seller and time, in the shop and in the model. */
const OUTSIDE_EVENTS = {
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
    await world.app.kysely
      .updateTable('documents')
      .set({ price: document.price })
      .where('id', '=', document.id)
      .execute()
    count(world, 'price')
  },

  /** An administrator asks the teachers of a bundle again, or one of them answers. */
  async consent(world: World, { who, what, how }: Step) {
    const { app, model, teacherIds } = world
    const bundle = at(
      model.bundles.filter((each) => each.consent),
      who,
    )
    if (!bundle?.consent) return
    const { id, price, documents } = bundle
    const { revision, answers } = bundle.consent
    if (how % 4 === 0) {
      const offered = { documentIds: idsOf(documents), price }
      const seen = await answerOf(offer(app.deps, 'test', offered, { id, revision }))
      const isExpected = rules.offer(bundle)
      expectThat(
        (typeof seen !== 'string') === isExpected,
        `an offer ${isExpected} in the model`,
        seen,
      )
      return
    }
    const teacher = what % 2
    const given = how % 4 === 1 ? 'refused' : 'agreed'
    const teacherId = teacherIds[teacher] ?? 0
    await answer(app.deps, { id, teacherId, actor: 'test', revision, answer: given })
    answers[teacher] = given
    count(world, `bundle ${given}`)
  },

  async refund(world: World, { what, how }: Step) {
    const order = at(world.model.orders, what)
    if (!order) return
    const bundle = order.items.find((item) => item.bundle)?.bundle
    const document = how % 2 === 0 ? undefined : at(order.items, how >> 1)?.document
    const one = bundle && how % 3 === 0 ? { bundle } : { document }
    const request = {
      orderId: order.id,
      ...(one.document && { documentId: one.document.id }),
      ...(one.bundle && { bundleId: one.bundle.id }),
    }
    const isDone = await refundOrder(world.app.deps, request).then(
      () => true,
      (error) => {
        if (error instanceof ApiFault) return false
        throw error
      },
    )
    const isExpected = rules.refund(world.model, order, one)
    expectThat(isDone === isExpected, `a refund ${isExpected} in the model`, isDone)
    count(world, isDone ? 'refund' : 'refund refused')
    if (isDone && one.bundle) count(world, 'refund of a bundle')
    const isOwed = world.model.teachers.some(({ balance }) => balance < 0)
    if (isDone && isOwed) count(world, 'refund after a payout')
  },
}

const COMMANDS = { ...BUYERS, ...OUTSIDE_EVENTS, ...TEACHERS, ...ADJUSTMENTS, ...FAMILIES }

/** One step of a history. */
export interface Command extends Step {
  readonly name: keyof typeof COMMANDS
}

/** Runs the step in the shop and in the model. Throws if they disagree on whether it is allowed. */
export async function runStep(world: World, command: Command): Promise<void> {
  await COMMANDS[command.name](world, command)
}
