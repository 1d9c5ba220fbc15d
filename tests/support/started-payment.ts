import { getOrder } from '../../src/contract/orders.ts'
import { dinars } from '../../src/rules/money.ts'
import { type TestApp, testApp } from './app.ts'
import { type FakeGateway, fakeGateway } from './fake-gateway.ts'
import { anOrder, aPayment, withFreshToken } from './payments.ts'

/** A shop with a gateway that does what a test sets. */
export async function shopWithFake() {
  const fake = fakeGateway()
  const app = await testApp({ deps: { gateway: fake.gateway } })
  return { app, fake }
}

/** A buyer with a pending order of 20 dinars, and its started payment. */
export async function started(app: TestApp, fake: FakeGateway) {
  const buyer = await app.aCustomer()
  const document = await app.aDocument({ price: dinars(20) })
  const order = await anOrder(app, buyer, [document])
  const { paymentRef } = await aPayment(app, buyer, order.id)
  const reference = fake.referenceOf(paymentRef)
  const paid = { state: 'paid' as const, amount: dinars(20) }
  const status = async () =>
    (await app.call(getOrder, { as: await withFreshToken(app, buyer), params: { id: order.id } }))
      .status
  return { buyer, document, order, paymentRef, reference, paid, status }
}
