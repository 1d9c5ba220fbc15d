import type { Provider } from '../../contract/orders.ts'
import type { Language } from '../../rules/languages.ts'
import type { Millimes } from '../../rules/money.ts'
import type { OrderMethod } from '../../rules/payment-methods.ts'
import { beginIntent, endIntent, withIntent } from '../payment/intents.ts'
import { type PaymentWay, paymentAddress } from '../payment/paying.ts'
import { ask } from '../shared/backend.ts'
import { isDecided, problemOf, Refusal } from '../shared/problem.ts'
import { consentNow } from './consent.ts'
import { linkNow } from './link.ts'
import { rememberOrdered } from './ordered.ts'

/** The step of an order's payment that failed; each has its own alert. */
export type OrderStep = 'order' | 'order_id' | 'start' | 'payment_url'

/** Names the failed step; `cause` is the error. */
export class OrderFailed extends Error {
  override readonly name = 'OrderFailed'
  readonly step: OrderStep

  constructor(step: OrderStep, cause: unknown) {
    super(`the payment failed at: ${step}`, { cause })
    this.step = step
  }
}

/** How a payment is made, and how the customer returns from it. */
export interface OrderWay extends PaymentWay {
  provider: Provider
}

export interface OrderRequest {
  userId: number
  method: OrderMethod
  /** Ascending. */
  documentIds: readonly number[]
  /** The bundles of which they are bought, by document. */
  bundles: ReadonlyMap<number, number>
  /** The total that the buyer was shown, and the code in it. */
  total: Millimes
  code?: string | undefined
}

interface OrderBody {
  userId: number
  orderDocs: { documentId: number; bundleId?: number }[]
  total: Millimes
  acceptedTerms?: number
  notice?: Language
  link?: string
  code?: string
}

/**
 * Creates the order, starts its payment and returns the URL to send the browser to. The same
 * documents at the same total, with the same code, are one order, however often this is called,
 * until it can no longer be paid: after a reload or a refused card the payment continues. Throws
 * `OrderFailed`.
 */
export async function startOrder(request: OrderRequest, way: OrderWay): Promise<string> {
  try {
    return await attemptOrder(request, way)
  } catch (error) {
    // The order was paid, expired or cancelled in the meantime, so a new one is needed.
    const isClosed = error instanceof OrderFailed && problemOf(error.cause).code === 'order_closed'
    if (!isClosed) throw error
    return attemptOrder(request, way)
  }
}

/** Whether the answer came, but without what it should contain. */
const isBadAnswer = ({ cause }: OrderFailed) => problemOf(cause).code === 'bad_answer'

async function attemptOrder(request: OrderRequest, way: OrderWay): Promise<string> {
  const { userId, documentIds, bundles, total, code } = request
  const orderDocs = documentIds.map((documentId) => {
    const bundleId = bundles.get(documentId)
    return { documentId, ...(bundleId && { bundleId }) }
  })
  const about = `${documentIds.join()} ${total}${code ? ` ${code}` : ''}`
  const intent = beginIntent<OrderBody>({
    purpose: 'order',
    userId,
    about,
    body: { userId, orderDocs, total, ...(code && { code }), ...consentNow(), ...linkNow() },
  })
  const attempt = async <T>(step: OrderStep, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (isDecided(problemOf(error))) endIntent(intent)
      throw new OrderFailed(step, error)
    }
  }
  const id = await attempt('order', async () => {
    const options = { idempotencyKey: intent.key }
    return (await ask(({ orders }) => orders.createOrder, { body: intent.body }, options)).id
  }).catch((error: OrderFailed) => {
    throw isBadAnswer(error) ? new OrderFailed('order_id', error.cause) : error
  })
  await attempt('order', async () => {
    const order = await ask(({ orders }) => orders.getOrder, { params: { id } }).catch((error) => {
      // Another backend may not show its orders.
      if (problemOf(error).status === 404) return null
      throw error
    })
    if (order === null) return
    // The server may return an earlier order that is no longer pending.
    if (order.status !== 'pending') throw new Refusal('order_closed', 409)
    // Another backend may not compare the total, but the buyer must not pay another sum than was
    // shown.
    if (order.total !== total) throw new Refusal('price_changed', 409)
  })
  const { method } = request
  const { acceptedTerms } = consentNow()
  const payment = {
    purpose: 'payment',
    userId,
    about: `${id} ${method}`,
    body: { orderId: id, method, locale: way.locale, ...(acceptedTerms && { acceptedTerms }) },
  } as const
  const params = { provider: way.provider }
  const { paymentUrl } = await attempt('start', () =>
    withIntent(payment, (query, options) =>
      ask(({ orders }) => orders.initiatePayment, { params, query }, options),
    ),
  ).catch((error: OrderFailed) => {
    throw isBadAnswer(error) ? new OrderFailed('payment_url', error.cause) : error
  })
  return attempt('payment_url', async () => {
    const address = paymentAddress(paymentUrl, way.origins)
    rememberOrdered(id, documentIds)
    return address
  })
}
