import { describe, expect, test } from 'vitest'
import { openRoom } from '../../../src/contract/chat.ts'
import { createOrder, initiatePayment } from '../../../src/contract/orders.ts'
import { initiateRecharge } from '../../../src/contract/wallet.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { REPEATED_CALLS_MAX, RETENTION } from '../../../src/rules/retention.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { cleanUp } from '../../../src/server/jobs/clean-up.ts'
import { key } from '../../support/admin/payments.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { sendChat } from '../../support/chat.ts'
import type { Person } from '../../support/factories.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

const keysOf = ({ deps }: TestApp, { id }: Person) =>
  deps.database.kysely
    .selectFrom('idempotentRequests')
    .select('key')
    .where('userId', '=', id)
    .execute()

const order = (at: TestApp, buyer: Person, documentId: number) =>
  at.call(createOrder, {
    as: buyer,
    key: key(),
    body: { userId: buyer.id, orderDocs: [{ documentId }] },
  })

const ordersOf = ({ deps }: TestApp, { id }: Person) =>
  deps.database.kysely
    .selectFrom('orders')
    .select(['id', 'status'])
    .where('buyerId', '=', id)
    .orderBy('id')
    .execute()

describe('what an account leaves in the database', () => {
  test('of refused payments, nothing', async () => {
    const buyer = await app.aCustomer()
    const { id } = await order(app, buyer, (await app.aDocument({ price: dinars(8) })).id)
    const kept = await keysOf(app, buyer)
    const params = { provider: 'sandbox' as const }
    for (let time = 0; time < 3; time++) {
      const query = { orderId: id, method: 'bank_transfer' as const }
      const refused = app.call(initiatePayment, { as: buyer, key: key(), params, query })
      await expectCode(refused, 'method_not_offered')
    }
    const topUp = (amount = 10) =>
      app.call(initiateRecharge, {
        as: buyer,
        key: key(),
        body: { userId: buyer.id, amount, paymentMethod: 'D17' },
      })
    for (let time = 0; time < 3; time++) await topUp()
    for (let time = 0; time < 3; time++) await expectCode(topUp(), 'too_many_open_payments')
    expect(await keysOf(app, buyer)).toHaveLength(kept.length + 3)
  })

  test('of payments, a bounded number in an hour', async () => {
    const paymentsOfAccount = { max: 3, windowMs: HOUR_MS }
    const few = await testApp({ allowances: { ...ALLOWANCES, paymentsOfAccount } })
    const [buyer, another] = [await few.aCustomer(), await few.aCustomer()]
    const document = await few.aDocument({ price: dinars(20) })
    for (let time = 0; time < 3; time++) await order(few, buyer, document.id)
    await expectCode(order(few, buyer, document.id), 'too_many_requests')
    await order(few, another, document.id)
  })

  test('of carts and messages, a bounded number in a day, by address or account', async () => {
    const allowances = {
      ...ALLOWANCES,
      cartItemsOfAddress: { max: 3, windowMs: HOUR_MS },
      chatMessagesOfUserInDay: { max: 2, windowMs: DAY_MS },
    }
    const few = await testApp({ allowances })
    const { id: documentId } = await few.aDocument()
    const put = async (cart: number, address: string) => {
      const path = `/api/carts/add?documentId=${documentId}&sessionId=anon-${'0'.repeat(16)}${cart}`
      const headers = { 'x-forwarded-for': address }
      return (await few.request('POST', path, { headers })).status
    }
    // Another cart each time.
    for (let cart = 0; cart < 3; cart++) expect(await put(cart, '203.0.113.7')).toBeLessThan(300)
    expect(await put(3, '203.0.113.7')).toBe(429)
    expect(await put(4, '203.0.113.8')).toBeLessThan(300)

    const [customer, admin] = [await few.aCustomer(), await few.anAdministrator()]
    const query = { user1Id: customer.id, user2Id: admin.id }
    const { roomId } = await few.call(openRoom, { as: customer, query })
    const write = () => sendChat(few, customer, admin, 'مرحبا')
    for (let time = 0; time < 2; time++) await write()
    await expectCode(write(), 'too_many_requests')
    expect(roomId).toContain(String(customer.id))
  })

  test('of orders without a payment, those of a month; of keys, the newest', async () => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const [first, second, third] = [
      await order(app, buyer, document.id),
      await order(app, buyer, document.id),
      await order(app, buyer, document.id),
    ]
    const params = { provider: 'sandbox' as const }
    await app.call(initiatePayment, { as: buyer, key: key(), params, query: { orderId: third.id } })
    const refused = await app.aDocument({ price: dinars(20) })
    const begun = await order(app, buyer, refused.id)
    await app.call(initiatePayment, { as: buyer, key: key(), params, query: { orderId: begun.id } })
    await app.kysely
      .updateTable('orders')
      .set({ status: 'cancelled' })
      .where('id', '=', begun.id)
      .execute()
    const old = new Date(app.deps.now() - RETENTION.unpaidOrders - 1000)
    await app.kysely
      .updateTable('orders')
      .set({ createdAt: old })
      .where('id', 'in', [first.id, third.id, begun.id])
      .execute()
    const yesterday = new Date(app.deps.now() - DAY_MS - 1000)
    const keys = Array.from({ length: 2 * REPEATED_CALLS_MAX }, (_, at) => ({
      ...{ userId: buyer.id, key: `k${at}`, requestHash: '-', result: null },
      createdAt: yesterday,
    }))
    await app.kysely.insertInto('idempotentRequests').values(keys).execute()

    await cleanUp(app.deps)
    expect((await ordersOf(app, buyer)).map(({ id }) => id)).toEqual([
      second.id,
      third.id,
      begun.id,
    ])
    expect(await keysOf(app, buyer)).toHaveLength(REPEATED_CALLS_MAX)
  })
})
