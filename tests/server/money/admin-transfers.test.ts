import { describe, expect, test } from 'vitest'
import * as orders from '../../../src/contract/office-orders.ts'
import * as transfers from '../../../src/contract/office-transfers.ts'
import { initiateRecharge } from '../../../src/contract/wallet.ts'
import { dinars } from '../../../src/rules/money.ts'
import { readableReference } from '../../../src/rules/typed-numbers.ts'
import { aTransfer, decide, expectOneSucceeds, key } from '../../support/admin/payments.ts'
import type { Person } from '../../support/factories.ts'
import { anOrder, aPayment, payInSandbox, soundApp } from '../../support/payments.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'

const app = await soundApp()
const first = await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' })
const second = await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' })

const orderOf = (id: number) => app.call(orders.getShopOrder, { as: second, params: { id } })

describe('transfers', () => {
  test('are listed oldest first, and are found by reference, amount and name', async () => {
    const salma = await app.aCustomer({ firstName: 'سلمى', lastName: 'التريكي' })
    const refs = [await aTransfer(app, salma, 41.5), await aTransfer(app, salma, 42)]
    const listed = async (q: string) =>
      (await app.call(transfers.listTransfers, { as: first, query: { q } })).content
    const found = async (q: string) => (await listed(q)).map(({ paymentRef }) => paymentRef)
    expect(await found('سلمى التريكي')).toEqual(refs)
    // As people type it: without hamzas and with another final letter.
    expect(await found('سلمي تريكي')).toEqual(refs)
    expect(await found(salma.phone)).toEqual(refs)
    expect(await found('41,5')).toEqual([refs[0]])
    expect(await found(readableReference(refs[1] ?? '', 'KR'))).toEqual([refs[1]])
    expect(await found('100%_')).toEqual([])
    expect((await listed('42'))[0]).toMatchObject({
      amount: 42,
      purpose: 'top_up',
      method: 'd17',
      payer: { id: salma.id, name: 'سلمى التريكي', phone: salma.phone },
    })
  })

  test('two administrators who confirm one credit it once; the same request gets the same response', async () => {
    const buyer = await app.aCustomer()
    const reference = await aTransfer(app, buyer)
    const mine = key()
    const confirm = () => decide(app, first, reference, transfers.confirmTransfer, 'pending', mine)
    await expectOneSucceeds([confirm(), decide(app, second, reference)])
    expect(await app.balanceOf(buyer)).toBe(dinars(30))
    const [done] = await logOf(app, `payment ${reference}`)
    if (done?.actor === `user ${first.id}`) {
      expect(await confirm()).toEqual({ paymentRef: reference, state: 'paid', waits: null })
    }
    expect(await logOf(app, `payment ${reference}`)).toHaveLength(1)
    const { content } = await app.call(transfers.listTransfers, {
      as: first,
      query: { state: 'paid', q: reference },
    })
    expect(content).toMatchObject([{ paymentRef: reference, state: 'paid' }])
  })

  test('one refuses while the other confirms: the second learns it, and late money still counts', async () => {
    const buyer = await app.aCustomer()
    const [document] = await app.documentsAt(20)
    const { id } = await anOrder(app, buyer, [document])
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'bank_transfer' })
    await decide(app, first, paymentRef, transfers.refuseTransfer)
    await expectOneSucceeds([decide(app, second, paymentRef), Promise.resolve()])
    const refused = { status: 'cancelled', payments: [{ state: 'refused' }] }
    expect(await orderOf(id)).toMatchObject(refused)
    await decide(app, second, paymentRef, transfers.confirmTransfer, 'refused')
    expect(await app.balanceOf(buyer)).toBe(0)
    expect(await orderOf(id)).toMatchObject({
      status: 'paid',
      receiptNumber: expect.any(Number),
      items: [{ documentId: document.id, isOwned: true }],
    })
    expect(await logOf(app, `payment ${paymentRef}`)).toMatchObject([
      { actor: `user ${first.id}`, action: 'refuse transfer' },
      { actor: `user ${second.id}`, action: 'confirm transfer' },
    ])
  })

  test('unknown references and gateway payments are refused', async () => {
    const buyer = await app.aCustomer()
    const { id } = await anOrder(app, buyer, await app.documentsAt(20))
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'card' })
    await expectCode(decide(app, first, paymentRef), 'payment_at_gateway')
    await expectCode(decide(app, first, 'f'.repeat(24)), 'payment_not_found')
  })
})

describe('gateway payments with another amount', () => {
  const listed = async (paymentRef: string, query: { state?: 'settled' } = {}) => {
    const { content } = await app.call(transfers.listDifferences, { as: first, query })
    return content.filter((each) => each.paymentRef === paymentRef)
  }
  /** Lets the gateway report another amount of a payment, and the buyer return. */
  async function paidOtherwise(payment: { paymentUrl: string; paymentRef: string }) {
    const { paymentUrl, paymentRef } = payment
    const atGateway = app.kysely
      .updateTable('sandboxPayments')
      .where('orderReference', '=', paymentRef)
    await atGateway.set({ amount: dinars(12.5) }).execute()
    await payInSandbox(app, paymentUrl)
    const [found] = await listed(paymentRef)
    if (!found) throw new Error('no difference is listed')
    return { found, atGateway, paymentRef }
  }
  /** A top-up of 30 TND for which the gateway reports another amount. */
  async function aDifference() {
    const buyer = await app.aCustomer()
    const body = { userId: buyer.id, amount: 30, paymentMethod: 'sandbox' }
    const payment = await app.call(initiateRecharge, { as: buyer, key: key(), body })
    return { buyer, ...(await paidOtherwise(payment)) }
  }
  const ask = (paymentRef: string) =>
    app.call(transfers.askAboutPayment, { as: first, params: { paymentRef } })
  const book = (by: Person, id: number) =>
    app.call(transfers.bookDifference, { as: by, key: key(), params: { id } })
  const close = (by: Person, id: number) =>
    app.call(transfers.closeDifference, { as: by, params: { id }, body: { reason: 'عند البنك' } })

  test('are listed with both amounts, and the received one is credited to the wallet once', async () => {
    const { buyer, found, paymentRef } = await aDifference()
    expect(found).toMatchObject({ kind: 'amount', expected: 30, reported: 12.5, outcome: null })
    expect(await ask(paymentRef)).toEqual({
      state: 'pending',
      gateway: { state: 'paid', amount: 12.5 },
    })
    await expectOneSucceeds([book(first, found.id), book(second, found.id)])
    expect(await app.balanceOf(buyer)).toBe(dinars(12.5))
    const settled = await listed(paymentRef, { state: 'settled' })
    expect(settled).toMatchObject([{ outcome: 'booked', state: 'paid', expected: 30 }])
  })

  test('for an order cancel it: nothing is granted that was not paid', async () => {
    const buyer = await app.aCustomer()
    const { id } = await anOrder(app, buyer, await app.documentsAt(20))
    const { found } = await paidOtherwise(await aPayment(app, buyer, id))
    await book(first, found.id)
    expect(await orderOf(id)).toMatchObject({
      status: 'cancelled',
      items: [{ isOwned: false }],
      payments: [{ state: 'paid', amount: 12.5 }],
    })
    expect(await app.balanceOf(buyer)).toBe(dinars(12.5))
  })

  test('are not booked once the gateway reports otherwise, and settle if it reports the right amount', async () => {
    const { buyer, found, atGateway, paymentRef } = await aDifference()
    await atGateway.set({ status: 'refused' }).execute()
    await expectCode(book(first, found.id), 'gateway_says_otherwise')
    await atGateway.set({ status: 'paid', amount: dinars(30) }).execute()
    await expectCode(book(first, found.id), 'gateway_says_otherwise')
    expect(await ask(paymentRef)).toMatchObject({ state: 'paid', gateway: { amount: 30 } })
    expect(await app.balanceOf(buyer)).toBe(dinars(30))
    await expectRefused(book(first, found.id), 409)
    // An amount that was booked here but is gone at the gateway is logged, and moves nothing.
    await atGateway.set({ status: 'refused' }).execute()
    expect(await ask(paymentRef)).toMatchObject({ state: 'paid', gateway: { state: 'refused' } })
    const gone = { kind: 'state', reportedState: 'refused' }
    expect(await listed(paymentRef)).toMatchObject([gone])
    expect(await app.balanceOf(buyer)).toBe(dinars(30))
  })

  test('are closed with a reason, once; an unknown one is refused', async () => {
    const { buyer, found, paymentRef } = await aDifference()
    await expectOneSucceeds([close(first, found.id), close(second, found.id)])
    expect(await app.balanceOf(buyer)).toBe(0)
    expect(await logOf(app, `difference ${found.id}`)).toMatchObject([
      { action: 'close difference', reason: 'عند البنك' },
    ])
    await ask(paymentRef)
    expect(await listed(paymentRef)).toEqual([])
    await expectCode(close(first, 999_999), 'difference_not_found')
    await expectCode(ask(await aTransfer(app, buyer)), 'payment_not_at_gateway')
  })
})
