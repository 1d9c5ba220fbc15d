import { describe, expect } from 'vitest'
import { getOrder, getPayment, listOrders } from '../../../src/contract/orders.ts'
import { createAndPay } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../../src/rules/payment-methods.ts'
import { SANDBOX_DELAY_MS } from '../../../src/server/gateways/sandbox.ts'
import { expireOrders, settleDue } from '../../../src/server/money/due-payments.ts'
import { confirmManual } from '../../../src/server/money/transfers.ts'
import type { TestApp } from '../../support/app.ts'
import { choose, initiate, order, owns, returnToShop } from '../../support/card-payments.ts'
import type { Person } from '../../support/factories.ts'
import { expectSoundLedger } from '../../support/payments.ts'
import { test } from '../../support/test.ts'

describe('an order paid by card', () => {
  test('is granted when the gateway reports it paid, at the prices of its time', async ({
    app,
  }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(12.5) })
    const { id } = await order(app, buyer, [document.id])
    await app.deps.database.kysely
      .updateTable('documents')
      .set({ price: dinars(40) })
      .where('id', '=', document.id)
      .execute()
    const { paymentUrl, paymentRef } = await initiate(app, buyer, id)
    expect(await owns(app, buyer)).toEqual([])

    const back = await choose(app, paymentUrl, 'pay')
    expect(await returnToShop(app, back)).toBe(`/my-documents?payment=${paymentRef}`)
    expect(await owns(app, buyer)).toEqual([document.id])
    const paid = await app.call(getOrder, { as: buyer, params: { id } })
    expect(paid).toMatchObject({ status: 'paid', total: 12.5, receiptNumber: 1, method: 'card' })
    expect(paid.items).toMatchObject([{ price: 12.5, isOwned: true, refundedAt: null }])
    expect(await app.balanceOf(buyer)).toBe(0)
    await expectSoundLedger(app)
  })

  test('is not granted by visiting any URL', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const { paymentRef } = await initiate(app, buyer, id)
    for (const page of ['success', 'cancel']) {
      const landing = await returnToShop(
        app,
        `/api/orderss/payment/${page}?paymentRef=${paymentRef}`,
      )
      expect(landing).toBe(`/my-documents?payment=${paymentRef}`)
    }
    await app.request('GET', `/api/orderss/payment/webhook?payment_ref=${paymentRef}`)
    expect(await owns(app, buyer)).toEqual([])
    const state = await app.call(getPayment, { as: buyer, query: { paymentRef } })
    expect(state.state).toBe('pending')
  })

  test('that was refused can still be paid', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const first = await initiate(app, buyer, id)
    expect(await initiate(app, buyer, id)).toEqual(first)
    await returnToShop(app, await choose(app, first.paymentUrl, 'refuse'))
    const query = { paymentRef: first.paymentRef }
    expect((await app.call(getPayment, { as: buyer, query })).state).toBe('refused')
    const second = await initiate(app, buyer, id)
    expect(second.paymentRef).not.toBe(first.paymentRef)
    await returnToShop(app, await choose(app, second.paymentUrl, 'pay'))
    expect(await owns(app, buyer)).toEqual([document.id])
    await expectSoundLedger(app)
  })

  test('is found later by the poller, without a webhook or a returning browser', async ({
    app,
  }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const { paymentUrl } = await initiate(app, buyer, id)
    await choose(app, paymentUrl, 'later')
    expect(await settleDue(app.deps)).toBe(0)
    app.travel(60_000 + SANDBOX_DELAY_MS)
    expect(await settleDue(app.deps)).toBe(1)
    expect(await owns(app, buyer)).toEqual([document.id])
    expect(await settleDue(app.deps)).toBe(0)
  })

  test('settles once under thirty concurrent signals', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const { paymentUrl, paymentRef } = await initiate(app, buyer, id)
    await choose(app, paymentUrl, 'pay')
    app.travel(60_000)
    const signal = (at: number) =>
      at % 3 === 0
        ? settleDue(app.deps)
        : app.request(
            'GET',
            `/api/orderss/payment/${at % 3 === 1 ? 'webhook' : 'success'}?paymentRef=${paymentRef}`,
          )
    await Promise.all(Array.from({ length: 30 }, (_, at) => signal(at)))
    expect(await owns(app, buyer)).toEqual([document.id])
    const sold = await app.deps.database.kysely
      .selectFrom('ledgerTransactions')
      .select('id')
      .where('kind', '=', 'purchase')
      .execute()
    expect(sold).toHaveLength(1)
    await expectSoundLedger(app)
  })

  test('refunds to the wallet what was bought meanwhile', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(30) })
    const both = [
      await app.aDocument({ price: dinars(8) }),
      await app.aDocument({ price: dinars(7) }),
    ]
    const [first, second] = both.map(({ id }) => id) as [number, number]
    const { id } = await order(app, buyer, [first, second])
    const { paymentUrl } = await initiate(app, buyer, id)
    const body = { userId: buyer.id, documentIds: [first] }
    await app.call(createAndPay, { as: buyer, key: 'k', body })
    await returnToShop(app, await choose(app, paymentUrl, 'pay'))
    expect(await owns(app, buyer)).toEqual([first, second])
    expect(await app.balanceOf(buyer)).toBe(dinars(30))
    const { items } = await app.call(getOrder, { as: buyer, params: { id } })
    expect(items.map(({ refundedAt }) => refundedAt !== null)).toEqual([true, false])
    await expectSoundLedger(app)
  })

  test('paid twice, credits the second payment to the wallet', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const card = await initiate(app, buyer, id)
    const transfer = await initiate(app, buyer, id, 'bank_transfer')
    await returnToShop(app, await choose(app, card.paymentUrl, 'pay'))
    await confirmManual(app.deps, transfer.paymentRef)
    expect(await app.balanceOf(buyer)).toBe(dinars(20))
    expect(await owns(app, buyer)).toEqual([document.id])
    await expectSoundLedger(app)
  })

  test('counts even after it has expired', async ({ app }) => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await order(app, buyer, [document.id])
    const { paymentRef } = await initiate(app, buyer, id, 'd17')
    app.travel(ORDER_LIFETIME_MS + 60_000)
    expect(await expireOrders(app.deps)).toBe(1)
    expect(
      (
        await app.call(listOrders, {
          as: await withFreshToken(app, buyer),
          params: { userId: buyer.id },
        })
      )[0],
    ).toMatchObject({
      id,
      status: 'expired',
    })
    await confirmManual(app.deps, paymentRef)
    expect(await owns(app, buyer)).toEqual([document.id])
    await expectSoundLedger(app)
  })
})

// A token does not last three days.
async function withFreshToken(app: TestApp, { id, role }: Person): Promise<Person> {
  const { signToken } = await import('../../../src/server/http/identity.ts')
  const token = await signToken(app.deps.secret, { id, role, generation: 0 }, app.deps.now())
  return { id, role, token, email: '', phone: '' }
}
