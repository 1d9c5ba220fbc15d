import { describe, expect } from 'vitest'
import { initiateRecharge, walletHistory } from '../../../src/contract/wallet.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../../src/rules/payment-methods.ts'
import { expireOrders } from '../../../src/server/money/due-payments.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { confirmManual, refuseManual } from '../../../src/server/money/transfers.ts'
import { bought, expectSoundLedger, payInSandbox, withFreshToken } from '../../support/payments.ts'
import { test } from '../../support/test.ts'

describe('GET /api/wallet/history', () => {
  test('lists every movement, newest first, with the balance after it', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(5) })
    const kept = await app.aDocument({ price: dinars(4), title: 'واحد' })
    const returned = await app.aDocument({ price: dinars(6), title: 'اثنان' })
    const body = { userId: buyer.id, amount: 30 }
    const recharge = await app.call(initiateRecharge, { as: buyer, key: 'r', body })
    await payInSandbox(app, recharge.paymentUrl)
    const orderId = await bought(app, buyer, [kept, returned])
    await refundOrder(app.deps, { orderId, documentId: returned.id })
    const read = (page: number, size: number) =>
      app.call(walletHistory, { as: buyer, query: { userId: buyer.id, page, size } })

    const all = await read(0, 10)
    expect(all).toMatchObject({ totalElements: 4, totalPages: 1, number: 0 })
    expect(
      all.content.map(({ kind, amount, balanceAfter, orderId, documents }) => ({
        line: [kind, amount, balanceAfter, orderId],
        documents: documents.map(({ title }) => title),
      })),
    ).toEqual([
      { line: ['refund', 6, 31, orderId], documents: ['اثنان'] },
      { line: ['purchase', -10, 25, orderId], documents: ['واحد', 'اثنان'] },
      { line: ['top_up', 30, 35, null], documents: [] },
      { line: ['adjustment', 5, 5, null], documents: [] },
    ])
    // The pages contain the same.
    const paged = [...(await read(0, 3)).content, ...(await read(1, 3)).content]
    expect(paged).toEqual(all.content)
    expect(await read(7, 3)).toMatchObject({ content: [], totalPages: 2, number: 7 })
    await expectSoundLedger(app)
  })
})

test('above the movements: pending payments, and recently failed ones', async ({ app }) => {
  const payer = await app.aCustomer()
  const start = async (amount: number, paymentMethod: string) => {
    const body = { userId: payer.id, amount, paymentMethod }
    return app.call(initiateRecharge, { as: payer, key: crypto.randomUUID(), body })
  }
  const read = async (page = 0) => {
    const as = await withFreshToken(app, payer)
    return (await app.call(walletHistory, { as, query: { userId: payer.id, page } })).waiting
  }
  const waits = await start(20, 'D17')
  const refused = await start(30, 'D17')
  const confirmed = await start(40, 'D17')
  await start(50, 'sandbox')
  await refuseManual(app.deps, refused.paymentRef)
  await confirmManual(app.deps, confirmed.paymentRef)
  expect(await read()).toMatchObject([
    { paymentRef: refused.paymentRef, state: 'refused', amount: 30, paymentUrl: null },
    { paymentRef: waits.paymentRef, state: 'pending', method: 'd17', paymentUrl: waits.paymentUrl },
  ])
  expect(await read(1)).toBeUndefined()
  const other = await app.aCustomer()
  const theirs = await app.call(walletHistory, { as: other, query: { userId: other.id } })
  expect(theirs.waiting).toEqual([])
  app.travel(ORDER_LIFETIME_MS + MINUTE_MS)
  await expireOrders(app.deps)
  expect((await read())?.map(({ state }) => state)).toEqual(['refused', 'expired'])
  app.travel(7 * DAY_MS)
  expect(await read()).toEqual([])
})
