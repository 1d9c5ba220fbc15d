import { type Api, ApiError } from '../../src/client/api.ts'
import type { AnyCall, Input, Result } from '../../src/contract/call.ts'
import { createOrder, getPayment, initiatePayment } from '../../src/contract/orders.ts'
import { directPay, initiateRecharge, payFromWallet } from '../../src/contract/wallet.ts'
import { dinars, type Millimes } from '../../src/rules/money.ts'
import type { KonnectStandIn } from '../support/konnect.ts'
import type { Random } from '../support/random.ts'

/** What the shop acknowledged to a shopper, and must not lose. */
export interface Acknowledged {
  /** Documents whose payment from the wallet was answered with 200. */
  readonly bought: Set<number>
  /** References of payments that were started, and of those acknowledged as paid. */
  readonly started: Set<string>
  readonly paid: Set<string>
  /** The number of answered calls, and of calls cut by a kill and sent again. */
  answered: number
  cutOff: number
}

/** A document at its final price, in millimes. */
export interface Listed {
  readonly id: number
  readonly price: Millimes
}

/** The shared state of a shop's shoppers. */
export interface Market {
  readonly konnect: KonnectStandIn
  readonly random: Random
  readonly documents: readonly Listed[]
  /** Resolves to the shop's API once the shop is open. */
  shopUntilClosed(): Promise<Api>
  /** Called just before each call is sent; a kill may follow at once. */
  onCall(): void
  isClosing(): boolean
}

export interface Account {
  readonly userId: number
  readonly token: string
}

/**
 * Buys in every way, one purchase after another, until the market closes; repeats calls cut by a
 * kill.
 */
export async function shopUntilClosed(
  market: Market,
  { userId, token }: Account,
): Promise<Acknowledged> {
  const { konnect, random } = market
  const acknowledged: Acknowledged = {
    bought: new Set(),
    started: new Set(),
    paid: new Set(),
    answered: 0,
    cutOff: 0,
  }

  /** Sends a call with one idempotency key until it is answered; null if the shop refuses it. */
  async function send<C extends AnyCall>(call: C, input: Input<C>): Promise<Result<C> | null> {
    const idempotencyKey = `k-${userId}-${random.between(0, 2 ** 40)}`
    for (;;) {
      const api = await market.shopUntilClosed()
      market.onCall()
      try {
        const result = await api(call, input, { token, idempotencyKey })
        acknowledged.answered++
        return result
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.status >= 400 && error.status <= 499) return null
        // Without a response it is unknown whether the shop did it, so the same call is sent again.
        if (error.status !== 0 && error.status !== 503) throw error
        acknowledged.cutOff++
      }
    }
  }

  async function payAt(
    paymentRef: string | null | undefined,
    paymentUrl: string | null | undefined,
  ) {
    if (!paymentRef || !paymentUrl) return
    acknowledged.started.add(paymentRef)
    const id = new URL(paymentUrl).searchParams.get('payment_ref')
    if (!id) throw new Error(`no reference in ${paymentUrl}`)
    if (random.unit() < 0.1) return
    konnect.pay(id)
    if (random.unit() < 0.5) await konnect.webhook(id)
    const payment = await send(getPayment, { query: { paymentRef } })
    if (payment?.state === 'paid') acknowledged.paid.add(paymentRef)
  }

  async function topUp(amount: Millimes) {
    const started = await send(initiateRecharge, { body: { userId, amount } })
    await payAt(started?.paymentRef, started?.paymentUrl)
  }

  async function order(documentIds: readonly number[]) {
    const orderDocs = documentIds.map((documentId) => ({ documentId }))
    const created = await send(createOrder, { body: { userId, orderDocs } })
    if (!created) return
    const started = await send(initiatePayment, {
      params: { provider: 'konnect' },
      query: { orderId: created.id, method: 'card' },
    })
    await payAt(started?.paymentRef, started?.paymentUrl)
  }

  async function payDirectly(documents: readonly Listed[]) {
    const amount = documents.reduce((sum, { price }) => sum + price, 0)
    const started = await send(directPay, {
      body: {
        userId,
        amount,
        paymentMethod: 'card',
        documentIds: documents.map(({ id }) => id),
      },
    })
    await payAt(started?.paymentRef, started?.paymentUrl)
  }

  await topUp(dinars(300))
  while (!market.isClosing()) {
    const documents = someDocuments(market)
    const ids = documents.map(({ id }) => id)
    const choice = random.between(1, 10)
    if (choice <= 5) {
      const answer = await send(payFromWallet, { body: { userId, documentIds: ids } })
      if (answer) for (const id of ids) acknowledged.bought.add(id)
    } else if (choice <= 7) await order(ids)
    else if (choice <= 8) await payDirectly(documents)
    else await topUp(dinars(random.between(10, 60)))
  }
  return acknowledged
}

/** One to three different documents. */
function someDocuments({ random, documents }: Market) {
  const picked = new Set<(typeof documents)[number]>()
  const count = random.between(1, 3)
  while (picked.size < count) picked.add(random.pick(documents))
  return [...picked]
}
