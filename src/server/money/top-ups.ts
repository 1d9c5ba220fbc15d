import type { Input } from '../../contract/call.ts'
import { PROVIDERS } from '../../contract/orders.ts'
import type { initiateRecharge, StartedPayment } from '../../contract/wallet.ts'
import { DEFAULT_LOCALE } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { MAX_TOP_UP, MIN_TOP_UP } from '../../rules/payment-methods.ts'
import { DEFAULT_RETURN_TO, safeReturnTo } from '../../rules/return-to.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { requireGateway } from '../gateways/gateways.ts'
import { fault } from '../http/errors.ts'
import { once } from '../http/idempotency.ts'
import { startPayment } from './start-payment.ts'

/**
 * Starts a top-up of `MIN_TOP_UP` to `MAX_TOP_UP`, once for each key. Throws `invalid_input` for another
 * amount or method.
 */
export async function topUp(
  deps: Deps,
  { body, key }: Input<typeof initiateRecharge> & { key: string },
): Promise<StartedPayment> {
  const { amount } = body
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
    returnTo: safeReturnTo(body.returnTo, pathIn(body.locale ?? DEFAULT_LOCALE, DEFAULT_RETURN_TO)),
    locale: body.locale ?? DEFAULT_LOCALE,
  })
}

/**
 * Reads a method: the provider's name in any case, or D17. Throws `no_gateway` for a gateway where the shop
 * has none.
 */
function methodOf(deps: Deps, given: string | null | undefined): 'card' | 'd17' {
  const name = given?.toLowerCase()
  if (name === 'd17') return 'd17'
  if (name === undefined || PROVIDERS.some((provider) => provider === name)) {
    const { provider } = requireGateway(deps)
    if (name === undefined || name === provider) return 'card'
  }
  throw fault('invalid_input', { fields: { paymentMethod: 'invalid' } })
}
