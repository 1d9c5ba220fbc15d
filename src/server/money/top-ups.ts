import type { Input } from '../../contract/call.ts'
import { PROVIDERS } from '../../contract/orders.ts'
import type { directPay, initiateRecharge, StartedPayment } from '../../contract/wallet.ts'
import { pathIn } from '../../i18n/paths.ts'
import { dinars } from '../../rules/money.ts'
import { canPayDirectly } from '../../rules/purchase-options.ts'
import { DEFAULT_RETURN_TO, safeReturnTo } from '../../rules/return-to.ts'
import { MAX_TOP_UP, MIN_TOP_UP } from '../../rules/top-up.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { once } from '../http/idempotency.ts'
import { requireGateway } from './gateways/gateway.ts'
import { placeOrder } from './orders.ts'
import { startPayment } from './start-payment.ts'

interface Intent<C> {
  readonly body: Input<C> extends { body: infer Body } ? Body : never
  readonly key: string
}

/** Starts a top-up of 10 to 2000 dinars, once for a key; `invalid_input` for another amount or method. */
export async function topUp(
  deps: Deps,
  { body, key }: Intent<typeof initiateRecharge>,
): Promise<StartedPayment> {
  const amount = dinars(body.amount)
  if (amount < MIN_TOP_UP) throw fault('invalid_input', { fields: { amount: 'min' } })
  if (amount > MAX_TOP_UP) throw fault('invalid_input', { fields: { amount: 'max' } })
  const method = methodOf(deps, body.paymentMethod)
  await transaction(deps.database, (tx) =>
    once(tx, { userId: body.userId, key, request: ['top-up', amount, method] }, async () => null),
  )
  return startPayment(deps, {
    method,
    userId: body.userId,
    orderId: null,
    amount,
    intent: `top-up ${key}`,
    returnTo: safeReturnTo(body.returnTo, pathIn(body.locale ?? 'ar', DEFAULT_RETURN_TO)),
    locale: body.locale ?? 'ar',
  })
}

/** The provider's name in any case, or D17; `no_gateway` for a gateway where the shop has none. */
function methodOf(deps: Deps, given: string | null | undefined): 'card' | 'd17' {
  const name = given?.toLowerCase()
  if (name === 'd17') return 'd17'
  if (name === undefined || PROVIDERS.some((provider) => provider === name)) {
    const { provider } = requireGateway(deps)
    if (name === undefined || name === provider) return 'card'
  }
  throw fault('invalid_input', { fields: { paymentMethod: 'invalid' } })
}

/**
 * Orders documents and starts their payment at the gateway, as one intent: sent again, it goes on
 * where it was. Throws `price_changed` when the buyer was shown another sum, `method_not_offered`
 * below 10 dinars, `no_gateway` where the shop takes no cards.
 */
export async function payDirectly(deps: Deps, { body, key }: Intent<typeof directPay>) {
  requireGateway(deps)
  const { userId: buyerId, documentIds } = body
  const request = ['direct-pay', documentIds, body.amount]
  const order = await transaction(deps.database, (tx) =>
    once(tx, { userId: buyerId, key, request }, async () => {
      const placed = await placeOrder(tx, { buyerId, documentIds })
      if (placed.total !== dinars(body.amount)) throw fault('price_changed')
      if (!canPayDirectly(placed.total)) throw fault('method_not_offered')
      return { id: placed.id, total: placed.total }
    }),
  )
  const { status } = await deps.database.kysely
    .selectFrom('orders')
    .select('status')
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow()
  // Sent again after it was paid: nobody is asked for the money once more.
  if (status === 'paid') return { status: 'SUCCESS' as const, orderId: order.id }
  const started = await startPayment(deps, {
    method: 'card',
    userId: buyerId,
    orderId: order.id,
    amount: order.total,
    intent: `order ${order.id} card`,
    returnTo: safeReturnTo(body.returnTo, '/my-documents'),
    locale: body.locale ?? 'ar',
  })
  return { status: 'PENDING' as const, orderId: order.id, ...started }
}
