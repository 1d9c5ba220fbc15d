import { getPayment } from '../../../src/contract/orders.ts'
import { settleDue } from '../../../src/server/money/due-payments.ts'
import { CHECK_PAUSE_MAX_MS } from '../../../src/server/money/gateway-checks.ts'
import * as rules from './model.ts'
import type { ModelPayment } from './model-books.ts'
import { advanceClock, count, payerOf, type World } from './world.ts'

/** Notifies the shop of a payment in one of many ways, or not at all. */
export async function signal(world: World, payment: ModelPayment, how: number): Promise<void> {
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
export async function poll(world: World): Promise<void> {
  while ((await settleDue(world.app.deps)) > 0);
  for (const payment of world.model.payments) {
    if (payment.kind === 'gateway' && payment.isPaid && !payment.isClosed) {
      rules.settle(world.model, payment)
    }
  }
}
