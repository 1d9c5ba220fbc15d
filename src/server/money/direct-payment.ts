import type { Input } from '../../contract/call.ts'
import type { directPay } from '../../contract/wallet.ts'
import { DEFAULT_LOCALE } from '../../i18n/locales.ts'
import { inDinars } from '../../rules/money.ts'
import { canPayDirectly } from '../../rules/payment-methods.ts'
import { safeReturnTo } from '../../rules/return-to.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { requireGateway } from '../gateways/gateways.ts'
import { fault } from '../http/errors.ts'
import { once } from '../http/idempotency.ts'
import { placeOrder } from './orders.ts'
import { startPayment } from './start-payment.ts'

/**
 * Orders documents and starts their payment at the gateway, as one intent: a retry resumes it. Throws
 * `price_changed` if the buyer was shown another sum, `method_not_offered` below the least direct payment,
 * `no_gateway` where the shop takes no cards.
 */
export async function payDirectly(
  deps: Deps,
  { body, key }: Input<typeof directPay> & { key: string },
) {
  requireGateway(deps)
  const { userId: buyerId, documentIds } = body
  // In dinars, as on the wire: the stored hashes of earlier requests were made from dinars.
  const request = ['direct-pay', documentIds, inDinars(body.amount)]
  const order = await transaction(deps.database, (tx) =>
    once(tx, { userId: buyerId, key, request }, async () => {
      const placed = await placeOrder(tx, { buyerId, documentIds, total: body.amount })
      if (!canPayDirectly(placed.total)) throw fault('method_not_offered')
      return { id: placed.id, total: placed.total }
    }),
  )
  const { status } = await deps.database.kysely
    .selectFrom('orders')
    .select('status')
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow()
  // A retry after the payment must not request the money twice.
  if (status === 'paid') return { status: 'SUCCESS' as const, orderId: order.id }
  const started = await startPayment(deps, {
    method: 'card',
    userId: buyerId,
    orderId: order.id,
    amount: order.total,
    intent: `order ${order.id} card`,
    returnTo: safeReturnTo(body.returnTo, '/my-documents'),
    locale: body.locale ?? DEFAULT_LOCALE,
  })
  return { status: 'PENDING' as const, orderId: order.id, ...started }
}
