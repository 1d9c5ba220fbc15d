import { describe, expect } from 'vitest'
import { createAndPay, payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { lockWallet } from '../../../src/server/money/ledger.ts'
import type { RefusedCall } from '../../support/app.ts'
import { untilLockAwaited } from '../../support/database.ts'
import { expectSoundLedger } from '../../support/payments.ts'
import { test } from '../../support/test.ts'
import { ownedIds, pay, refusalOf, reprice } from '../../support/wallet.ts'

describe.each([
  ['POST /api/wallet/pay', payFromWallet],
  ['POST /api/wallet/orders/create-and-pay', createAndPay],
])('the total that the buyer saw, with %s', (_, call) => {
  test('is charged, or nothing is: the refusal says the new prices', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(60) })
    const raised = await app.aDocument({ title: 'Raised', price: dinars(5) })
    const same = await app.aDocument({ title: 'Same', price: dinars(3), priceDiscount: dinars(2) })
    await reprice(app, raised, 50)

    const seen = { call, key: 'k', total: 7 }
    expect(await refusalOf(pay(app, buyer, [raised, same], seen))).toMatchObject({
      status: 409,
      error: 'price_changed',
      prices: {
        total: 52,
        documents: [
          { id: raised.id, title: 'Raised', price: 50, priceDiscount: null, isOwned: false },
          { id: same.id, title: 'Same', price: 3, priceDiscount: 2, isOwned: false },
        ],
      },
    })
    expect(await app.balanceOf(buyer)).toBe(dinars(60))
    expect(await ownedIds(app, buyer)).toEqual([])
    expect(app.published).toEqual([])
    // The refusal is not the result of its key.
    const paid = await pay(app, buyer, [raised, same], { ...seen, total: 52 })
    expect(paid).toMatchObject({ status: 'SUCCESS' })
    expect(await app.balanceOf(buyer)).toBe(dinars(8))

    // A lost answer is repeated whatever the price is by then, and only with the same total.
    await reprice(app, raised, 1)
    expect(await pay(app, buyer, [raised, same], { ...seen, total: 52 })).toEqual(paid)
    const other = pay(app, buyer, [raised, same], { ...seen, total: 3 })
    expect(await refusalOf(other)).toMatchObject({ error: 'idempotency_conflict' })
    expect(await app.balanceOf(buyer)).toBe(dinars(8))
    await expectSoundLedger(app)
  })

  test('is not asked for: without it, the price of now is charged', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(60) })
    const document = await app.aDocument({ price: dinars(5) })
    await reprice(app, document, 50)
    expect(await pay(app, buyer, [document], { call })).toMatchObject({ status: 'SUCCESS' })
    expect(await app.balanceOf(buyer)).toBe(dinars(10))
  })

  test('is an amount: anything else is invalid', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(60) })
    const document = await app.aDocument({ price: dinars(5) })
    for (const total of ['5', -5, 5.001, 1e12, null, [5], { amount: 5 }, true]) {
      const body = { userId: buyer.id, documentIds: [document.id], total }
      const answer = await app.request('POST', `/api${call.path}`, { as: buyer, key: 'k', body })
      expect(answer, JSON.stringify(total)).toMatchObject({
        status: 400,
        body: { error: 'invalid_input', fields: { total: expect.any(String) } },
      })
    }
    expect(await app.balanceOf(buyer)).toBe(dinars(60))
  })

  test('counts only what is not owned', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(60) })
    const owned = await app.aDocument({ title: 'Owned', price: dinars(5) })
    const fresh = await app.aDocument({ price: dinars(3) })
    await pay(app, buyer, [owned], { key: 'first' })
    const refusal = await refusalOf(pay(app, buyer, [owned, fresh], { call, total: 8 }))
    expect(refusal.prices).toMatchObject({
      total: 3,
      documents: [
        { id: owned.id, isOwned: true },
        { id: fresh.id, isOwned: false },
      ],
    })
    expect(await app.balanceOf(buyer)).toBe(dinars(55))
    expect(await pay(app, buyer, [owned, fresh], { call, total: 3 })).toEqual({
      status: 'PARTIAL_SUCCESS',
      excludedDocuments: [{ id: owned.id, title: 'Owned' }],
    })
    // With another key, even of the same purchase, nothing is charged twice.
    const again = await refusalOf(pay(app, buyer, [owned, fresh], { call, key: 'k2', total: 3 }))
    expect(again.prices.total).toBe(0)
    expect(await pay(app, buyer, [owned, fresh], { call, key: 'k2', total: 0 })).toMatchObject({
      status: 'PARTIAL_SUCCESS',
    })
    expect(await app.balanceOf(buyer)).toBe(dinars(52))
  })

  test('of a free document is 0', async ({ app }) => {
    const buyer = await app.aCustomer()
    const free = await app.aDocument({ price: 0 })
    const refusal = await refusalOf(pay(app, buyer, [free], { call, total: 5 }))
    expect(refusal).toMatchObject({ error: 'price_changed', prices: { total: 0 } })
    expect(await pay(app, buyer, [free], { call, total: 0 })).toMatchObject({ status: 'SUCCESS' })
    const sold = await app.aDocument({ price: dinars(5) })
    const paidFor = await refusalOf(pay(app, buyer, [sold], { call, key: 'k2', total: 0 }))
    expect(paidFor).toMatchObject({ error: 'price_changed', prices: { total: 5 } })
  })

  test('is compared before the balance: who cannot afford the new price learns of it', async ({
    app,
  }) => {
    const buyer = await app.aCustomer({ balance: dinars(6) })
    const document = await app.aDocument({ price: dinars(5) })
    await reprice(app, document, 50)
    const pays = (total: number) => refusalOf(pay(app, buyer, [document], { call, total }))
    expect(await pays(5)).toMatchObject({ error: 'price_changed', prices: { total: 50 } })
    expect(await pays(50)).toMatchObject({ error: 'insufficient_balance' })
    await reprice(app, document, 50, 6)
    expect(await pays(50)).toMatchObject({
      error: 'price_changed',
      prices: { total: 6, documents: [{ price: 50, priceDiscount: 6 }] },
    })
    expect(await pay(app, buyer, [document], { call, total: 6 })).toMatchObject({
      status: 'SUCCESS',
    })
    expect(await app.balanceOf(buyer)).toBe(0)
  })

  test('is wrong from the moment on that a timed discount ends', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(60) })
    const document = await app.aDocument({ price: dinars(20), priceDiscount: dinars(10) })
    await app.deps.database.pool.query(
      `INSERT INTO timed_discounts (document_id, price_discount, starts_at, ends_at, is_running)
       VALUES ($1, 10000, now() - interval '2 days', now() - interval '1 second', true)`,
      [document.id],
    )
    const refusal = await refusalOf(pay(app, buyer, [document], { call, total: 10 }))
    expect(refusal.prices).toMatchObject({
      total: 20,
      documents: [{ price: 20, priceDiscount: null }],
    })
    expect(await pay(app, buyer, [document], { call, total: 20 })).toMatchObject({
      status: 'SUCCESS',
    })
    expect(await app.balanceOf(buyer)).toBe(dinars(40))
  })

  test('is compared with the price that is charged, however late that is read', async ({ app }) => {
    const buyer = await app.aCustomer({ balance: dinars(60) })
    const document = await app.aDocument({ price: dinars(5) })
    let payments: Promise<unknown>[] = []
    await transaction(app.deps.database, async (tx) => {
      // Payments that arrive now wait for the wallet.
      await lockWallet(tx, buyer.id)
      payments = [5, 50].map((total) =>
        pay(app, buyer, [document], { call, key: `of ${total}`, total }).catch(
          (error: RefusedCall) => error.code,
        ),
      )
      await untilLockAwaited(app.deps.database)
      await reprice(app, document, 50)
    })
    expect(await Promise.all(payments)).toEqual([
      'price_changed',
      { status: 'SUCCESS', excludedDocuments: [] },
    ])
    expect(await app.balanceOf(buyer)).toBe(dinars(10))
    await expectSoundLedger(app)
  })
})
