import { describe, expect, test } from 'vitest'
import { createOrder, listOrders } from '../../../src/contract/orders.ts'
import { createAndPay, payFromWallet } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { lockWallet } from '../../../src/server/money/ledger.ts'
import type { RefusedCall } from '../../support/app.ts'
import { untilLockAwaited } from '../../support/database.ts'
import { bought, soundApp } from '../../support/payments.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { ownedIds, pay, refusalOf, reprice } from '../../support/wallet.ts'

const app = await soundApp()

describe.each([
  ['POST /api/wallet/pay', payFromWallet],
  ['POST /api/wallet/orders/create-and-pay', createAndPay],
])('the total that the buyer saw, with %s', (_, call) => {
  test('is charged, or nothing is: the refusal says the new prices', async () => {
    const buyer = await app.aCustomer({ balance: dinars(60) })
    const raised = await app.aDocument({ title: 'Raised', price: dinars(5) })
    const same = await app.aDocument({ title: 'Same', price: dinars(3), priceDiscount: dinars(2) })
    await reprice(app, raised, 50)

    app.published.length = 0
    const paying = (total: number) => pay(app, buyer, [raised, same], { call, key: 'k', total })
    await expectRefused(paying(7), 409, 'price_changed', {
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
    const paid = await paying(52)
    expect(paid).toMatchObject({ status: 'SUCCESS' })
    expect(await app.balanceOf(buyer)).toBe(dinars(8))

    // A lost answer is repeated whatever the price is by then, and only with the same total.
    await reprice(app, raised, 1)
    expect(await paying(52)).toEqual(paid)
    await expectCode(paying(3), 'idempotency_conflict')
    expect(await app.balanceOf(buyer)).toBe(dinars(8))
  })

  test('is not asked for: without it, the current price is charged', async () => {
    const buyer = await app.aCustomer({ balance: dinars(60) })
    const [document] = await app.documentsAt(5)
    await reprice(app, document, 50)
    expect(await pay(app, buyer, [document], { call })).toMatchObject({ status: 'SUCCESS' })
    expect(await app.balanceOf(buyer)).toBe(dinars(10))
  })

  test('counts only what is not owned', async () => {
    const buyer = await app.aCustomer({ balance: dinars(60) })
    const [owned, fresh] = await app.documentsAt(5, 3)
    await bought(app, buyer, [owned])
    const paying = (total: number, key: string) =>
      pay(app, buyer, [owned, fresh], { call, key, total })
    expect((await refusalOf(paying(8, 'k'))).prices).toMatchObject({
      total: 3,
      documents: [
        { id: owned.id, isOwned: true },
        { id: fresh.id, isOwned: false },
      ],
    })
    expect(await app.balanceOf(buyer)).toBe(dinars(55))
    expect(await paying(3, 'k')).toEqual({
      status: 'PARTIAL_SUCCESS',
      excludedDocuments: [{ id: owned.id, title: owned.title }],
    })
    // With another key, even of the same purchase, nothing is charged twice.
    expect((await refusalOf(paying(3, 'k2'))).prices.total).toBe(0)
    expect(await paying(0, 'k2')).toMatchObject({ status: 'PARTIAL_SUCCESS' })
    expect(await app.balanceOf(buyer)).toBe(dinars(52))
  })

  test('is 0 for a free document, which needs no money, and for no other', async () => {
    const buyer = await app.aCustomer()
    const [free, sold] = await app.documentsAt(0, 5)
    const price = (total: number) => ({ prices: { total } })
    const tooMuch = pay(app, buyer, [free], { call, total: 5 })
    await expectRefused(tooMuch, 409, 'price_changed', price(0))
    expect(await pay(app, buyer, [free], { call, total: 0 })).toMatchObject({ status: 'SUCCESS' })
    const nothing = pay(app, buyer, [sold], { call, key: 'k2', total: 0 })
    await expectRefused(nothing, 409, 'price_changed', price(5))
    expect(await ownedIds(app, buyer)).toEqual([free.id])
  })

  test('is compared before the balance: a buyer who cannot afford the new price learns of it', async () => {
    const buyer = await app.aCustomer({ balance: dinars(6) })
    const [document] = await app.documentsAt(5)
    const paying = (total: number) => pay(app, buyer, [document], { call, total })
    await reprice(app, document, 50)
    await expectRefused(paying(5), 409, 'price_changed', { prices: { total: 50 } })
    await expectCode(paying(50), 'insufficient_balance')
    await reprice(app, document, 50, 6)
    await expectRefused(paying(50), 409, 'price_changed', {
      prices: { total: 6, documents: [{ price: 50, priceDiscount: 6 }] },
    })
    expect(await paying(6)).toMatchObject({ status: 'SUCCESS' })
    expect(await app.balanceOf(buyer)).toBe(0)
  })

  test('is wrong from the moment on that a timed discount ends', async () => {
    const buyer = await app.aCustomer({ balance: dinars(60) })
    const document = await app.aDocument({ price: dinars(20), priceDiscount: dinars(10) })
    await app.deps.database.pool.query(
      `INSERT INTO timed_discounts (document_id, price_discount, starts_at, ends_at, is_running)
       VALUES ($1, 10000, now() - interval '2 days', now() - interval '1 second', true)`,
      [document.id],
    )
    const paying = (total: number) => pay(app, buyer, [document], { call, total })
    await expectRefused(paying(10), 409, 'price_changed', {
      prices: { total: 20, documents: [{ price: 20, priceDiscount: null }] },
    })
    expect(await paying(20)).toMatchObject({ status: 'SUCCESS' })
    expect(await app.balanceOf(buyer)).toBe(dinars(40))
  })

  test('is compared with the price that is charged, however late that is read', async () => {
    const buyer = await app.aCustomer({ balance: dinars(60) })
    const [document] = await app.documentsAt(5)
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
  })
})

test('the total that the buyer saw is what is ordered, or nothing is', async () => {
  const buyer = await app.aCustomer()
  const [document] = await app.documentsAt(15)
  const orderDocs = [{ documentId: document.id }]
  const order = (total?: number, key = 'k') =>
    app.call(createOrder, {
      as: buyer,
      key,
      body: { userId: buyer.id, orderDocs, ...(total !== undefined && { total }) },
    })
  await reprice(app, document, 20)
  await expectRefused(order(15), 409, 'price_changed', {
    prices: { total: 20, documents: [{ id: document.id, price: 20, priceDiscount: null }] },
  })
  const orders = () => app.call(listOrders, { as: buyer, params: { userId: buyer.id } })
  expect(await orders()).toEqual([])
  const placed = await order(20)
  expect(await order(20)).toEqual(placed)
  await expectCode(order(15), 'idempotency_conflict')
  await expectCode(order(), 'idempotency_conflict')
  expect(await orders()).toMatchObject([{ id: placed.id, total: 20 }])
  // As in the original specification.
  await reprice(app, document, 30)
  await order(undefined, 'k2')
  expect(await orders()).toMatchObject([{ total: 30 }, { total: 20 }])
})
