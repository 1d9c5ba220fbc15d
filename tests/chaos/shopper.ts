import { type Api, ApiError } from '../../src/client/api.ts'
import type { AnyCall, Input, Result } from '../../src/contract/call.ts'
import { createOrder, getPayment, initiatePayment } from '../../src/contract/orders.ts'
import { directPay, initiateRecharge, payFromWallet } from '../../src/contract/wallet.ts'
import { dinars, type Millimes } from '../../src/rules/money.ts'
import type { KonnectStandIn } from '../support/konnect.ts'
import type { Random } from '../support/random.ts'

/** What was acknowledged to a shopper, who may rely on it. */
export interface Acknowledged {
  /** Documents whose wallet payment was answered with 200. */
  readonly bought: Set<number>
  /** Payments that were started, and those of them that were acknowledged as paid. */
  readonly started: Set<string>
  readonly paid: Set<string>
  /** Calls that were answered, and those that a kill cut off and that were sent again. */
  answered: number
  cutOff: number
}

/** A document at its final price, in millimes. */
export interface Listed {
  readonly id: number
  readonly price: Millimes
}

/** What the shoppers of one shop share. */
export interface Street {
  readonly konnect: KonnectStandIn
  readonly random: Random
  readonly documents: readonly Listed[]
  /** The shop, once it is open again. */
  shop(): Promise<Api>
  /** Hears of every call just before it is sent; a kill may come right then. */
  onCall(): void
  isClosing(): boolean
}

export interface Account {
  readonly userId: number
  readonly token: string
}

/** Buys in every way, one thing after the other, and sends again what a kill cut off. */
export async function shop(street: Street, { userId, token }: Account): Promise<Acknowledged> {
  const { konnect, random } = street
  const acknowledged: Acknowledged = {
    bought: new Set(),
    started: new Set(),
    paid: new Set(),
    answered: 0,
    cutOff: 0,
  }

  /** One intent: sent with one key until it is answered; null where the shop refuses it. */
  async function intend<C extends AnyCall>(call: C, input: Input<C>): Promise<Result<C> | null> {
    const idempotencyKey = `k-${userId}-${random.between(0, 2 ** 40)}`
    for (;;) {
      const api = await street.shop()
      street.onCall()
      try {
        const result = await api(call, input, { token, idempotencyKey })
        acknowledged.answered++
        return result
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.status >= 400 && error.status <= 499) return null
        // No answer, or "not now": whether it was done is not known, so the same is sent again.
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
    const payment = await intend(getPayment, { query: { paymentRef } })
    if (payment?.state === 'paid') acknowledged.paid.add(paymentRef)
  }

  async function topUp(amount: Millimes) {
    const started = await intend(initiateRecharge, { body: { userId, amount } })
    await payAt(started?.paymentRef, started?.paymentUrl)
  }

  async function order(documentIds: readonly number[]) {
    const orderDocs = documentIds.map((documentId) => ({ documentId }))
    const made = await intend(createOrder, { body: { userId, orderDocs } })
    if (!made) return
    const started = await intend(initiatePayment, {
      params: { provider: 'konnect' },
      query: { orderId: made.id, method: 'card' },
    })
    await payAt(started?.paymentRef, started?.paymentUrl)
  }

  async function payDirectly(documents: readonly Listed[]) {
    const amount = documents.reduce((sum, { price }) => sum + price, 0)
    const paid = await intend(directPay, {
      body: {
        userId,
        amount,
        paymentMethod: 'card',
        documentIds: documents.map(({ id }) => id),
      },
    })
    await payAt(paid?.paymentRef, paid?.paymentUrl)
  }

  await topUp(dinars(300))
  while (!street.isClosing()) {
    const documents = some(street)
    const ids = documents.map(({ id }) => id)
    const what = random.between(1, 10)
    if (what <= 5) {
      const answer = await intend(payFromWallet, { body: { userId, documentIds: ids } })
      if (answer) for (const id of ids) acknowledged.bought.add(id)
    } else if (what <= 7) await order(ids)
    else if (what <= 8) await payDirectly(documents)
    else await topUp(dinars(random.between(10, 60)))
  }
  return acknowledged
}

function some({ random, documents }: Street) {
  const drawn = new Set<(typeof documents)[number]>()
  const wanted = random.between(1, 3)
  while (drawn.size < wanted) drawn.add(random.pick(documents))
  return [...drawn]
}
