import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as closings from '../../src/contract/office-closings.ts'
import * as differences from '../../src/contract/office-differences.ts'
import * as orders from '../../src/contract/office-orders.ts'
import * as payouts from '../../src/contract/office-payouts.ts'
import * as transfers from '../../src/contract/office-transfers.ts'
import * as wallets from '../../src/contract/office-wallets.ts'
import { initiateRecharge } from '../../src/contract/wallet.ts'
import { DAY_MS } from '../../src/rules/durations.ts'
import { dinars } from '../../src/rules/money.ts'
import { readableReference } from '../../src/rules/payment-reference.ts'
import { tunisianDay } from '../../src/rules/tunisia-time.ts'
import { transaction } from '../../src/server/database/transaction.ts'
import { requestPayout } from '../../src/server/money/payouts/payouts.ts'
import { purchase } from '../../src/server/money/purchase.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Person } from '../support/factories.ts'
import { anOrder, aPayment, comeBack, expectSoundLedger, press } from '../support/payments.ts'
import { said } from '../support/texts.ts'

let app: TestApp
let first: Person
let second: Person
let keys = 0

beforeAll(async () => {
  app = await testApp()
  first = await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' })
  second = await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' })
  return app.stop
})

const key = () => `key ${keys++}`

/** The codes of those who came second, each told that Leïla or Karim was first. */
async function oneOf(attempts: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(attempts)
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  )
  expect(outcomes.length - refused.length).toBe(1)
  for (const reason of refused) {
    expect(reason).toMatchObject({
      status: 409,
      code: 'done_before',
      body: { done: { by: expect.stringMatching(/^(Leïla Mansour|Karim Jaziri)$/) } },
    })
  }
}

const logOf = (subject: string) =>
  app.deps.database.kysely
    .selectFrom('staffLog')
    .select(['actor', 'action', 'reason'])
    .where('subject', '=', subject)
    .orderBy('id')
    .execute()

/** A top-up by D17 that waits for its money. */
async function aTransfer(buyer: Person, amount = 30) {
  const { paymentRef } = await app.call(initiateRecharge, {
    as: buyer,
    key: key(),
    body: { userId: buyer.id, amount, paymentMethod: 'D17' },
  })
  return paymentRef
}

const decide = (
  by: Person,
  paymentRef: string,
  call: typeof transfers.confirmTransfer = transfers.confirmTransfer,
  seen: 'pending' | 'refused' = 'pending',
  by_key = key(),
) => app.call(call, { as: by, key: by_key, params: { paymentRef }, body: { seen } })

describe('transfers', () => {
  test('wait oldest first, and are found by reference, amount and name', async () => {
    const salma = await app.aCustomer({ firstName: 'سلمى', lastName: 'التريكي' })
    const refs = [await aTransfer(salma, 41.5), await aTransfer(salma, 42)]
    const found = async (q: string) => {
      const { content } = await app.call(transfers.listTransfers, { as: first, query: { q } })
      return content.map(({ paymentRef }) => paymentRef)
    }
    expect(await found('سلمى التريكي')).toEqual(refs)
    // As people type it: without hamzas and with another final letter.
    expect(await found('سلمي تريكي')).toEqual(refs)
    expect(await found(salma.phone)).toEqual(refs)
    expect(await found('41,5')).toEqual([refs[0]])
    expect(await found(readableReference(refs[1] ?? ''))).toEqual([refs[1]])
    expect(await found('100%_')).toEqual([])
    const { content } = await app.call(transfers.listTransfers, { as: first, query: { q: '42' } })
    expect(content[0]).toMatchObject({
      amount: 42,
      purpose: 'top_up',
      method: 'd17',
      payer: { id: salma.id, name: 'سلمى التريكي', phone: salma.phone },
    })
  })

  test('two administrators who confirm one credit it once; the same request answers the same', async () => {
    const buyer = await app.aCustomer()
    const reference = await aTransfer(buyer)
    const mine = key()
    const confirm = () => decide(first, reference, transfers.confirmTransfer, 'pending', mine)
    await oneOf([confirm(), decide(second, reference)])
    expect(await app.balanceOf(buyer)).toBe(dinars(30))
    const [done] = await logOf(`payment ${reference}`)
    if (done?.actor === `user ${first.id}`) {
      expect(await confirm()).toEqual({ paymentRef: reference, state: 'paid' })
    }
    expect(await logOf(`payment ${reference}`)).toHaveLength(1)
    const { content } = await app.call(transfers.listTransfers, {
      as: first,
      query: { state: 'paid', q: reference },
    })
    expect(content).toMatchObject([{ paymentRef: reference, state: 'paid' }])
    await expectSoundLedger(app)
  })

  test('one refuses while the other confirms: the second learns it, and late money still counts', async () => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await anOrder(app, buyer, [document])
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'bank_transfer' })
    await decide(first, paymentRef, transfers.refuseTransfer)
    await oneOf([decide(second, paymentRef), Promise.resolve()])
    expect(await app.call(orders.getShopOrder, { as: second, params: { id } })).toMatchObject({
      status: 'cancelled',
      payments: [{ state: 'refused' }],
    })
    await decide(second, paymentRef, transfers.confirmTransfer, 'refused')
    expect(await app.balanceOf(buyer)).toBe(0)
    expect(await app.call(orders.getShopOrder, { as: second, params: { id } })).toMatchObject({
      status: 'paid',
      receiptNumber: expect.any(Number),
      items: [{ documentId: document.id, isOwned: true }],
    })
    expect(await logOf(`payment ${paymentRef}`)).toMatchObject([
      { actor: `user ${first.id}`, action: 'refuse transfer' },
      { actor: `user ${second.id}`, action: 'confirm transfer' },
    ])
  })

  test('unknown references and payments of the gateway are refused', async () => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id } = await anOrder(app, buyer, [document])
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'card' })
    await expect(decide(first, paymentRef)).rejects.toMatchObject({ code: 'payment_at_gateway' })
    await expect(decide(first, 'f'.repeat(24))).rejects.toMatchObject({ code: 'payment_not_found' })
  })
})

describe('orders', () => {
  test('are found by every name that people use for them', async () => {
    const nour = await app.aCustomer({
      firstName: 'Nour',
      lastName: 'Khemiri',
      balance: dinars(50),
    })
    const document = await app.aDocument({ price: dinars(17.25) })
    const { id } = await anOrder(app, nour, [document])
    const { paymentRef } = await aPayment(app, nour, id, { method: 'd17' })
    await decide(first, paymentRef)
    const order = await app.call(orders.getShopOrder, { as: first, params: { id } })
    const found = async (query: { q?: string; status?: 'paid' | 'expired' }) => {
      const { content } = await app.call(orders.listShopOrders, { as: first, query })
      return content.map((each) => each.id)
    }
    for (const q of [
      'khemiri nour',
      nour.email,
      nour.phone,
      String(id),
      `#${order.receiptNumber}`,
      '17.25',
      readableReference(paymentRef),
    ]) {
      expect(await found({ q }), q).toContain(id)
      expect(await found({ q, status: 'expired' }), q).toEqual([])
    }
    expect(await found({ q: 'nobody of that name' })).toEqual([])
    expect(order.movements).toMatchObject([
      {
        kind: 'purchase',
        entries: expect.arrayContaining([{ account: 'gateway', name: '', amount: -17.25 }]),
      },
    ])
    expect(await logOf(`user ${nour.id}`)).toContainEqual({
      actor: `user ${first.id}`,
      action: 'see',
      reason: null,
    })
  })

  test('two administrators who refund one order refund it once, with the reason kept', async () => {
    const buyer = await app.aCustomer()
    const documents = [
      await app.aDocument({ price: dinars(20) }),
      await app.aDocument({ price: dinars(5) }),
    ]
    const { id } = await anOrder(app, buyer, documents)
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'd17' })
    await decide(first, paymentRef)
    const refund = (by: Person, seen: number, documentId?: number) =>
      app.call(orders.refundShopOrder, {
        as: by,
        key: key(),
        params: { id },
        body: { reason: 'اشترى مرّتين', seen, ...(documentId && { documentId }) },
      })
    await oneOf([refund(first, 5, documents[1]?.id), refund(second, 5, documents[1]?.id)])
    // The page of the second still shows the whole order.
    await oneOf([refund(second, 25), Promise.resolve()])
    await oneOf([refund(first, 20), refund(second, 20)])
    expect(await app.balanceOf(buyer)).toBe(dinars(25))
    expect(await app.call(orders.getShopOrder, { as: first, params: { id } })).toMatchObject({
      refunded: 25,
      items: [{ isOwned: false }, { isOwned: false }],
      movements: [
        { kind: 'purchase' },
        { kind: 'refund', note: 'اشترى مرّتين' },
        { kind: 'refund' },
      ],
    })
    const log = await logOf(`order ${id}`)
    expect(log.map(({ action, reason }) => [action, reason])).toEqual(
      Array(2).fill(['refund', 'اشترى مرّتين']),
    )
    await expectSoundLedger(app)
  })

  test('nothing is refunded without a reason, unpaid, or of another order', async () => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const other = await app.aDocument()
    const { id } = await anOrder(app, buyer, [document])
    const refund = (body: { reason: string; documentId?: number }, orderId = id) =>
      app.call(orders.refundShopOrder, {
        as: first,
        key: key(),
        params: { id: orderId },
        body: { seen: 1, ...body },
      })
    await expect(refund({ reason: ' ' })).rejects.toMatchObject({ status: 400 })
    await expect(refund({ reason: 'no' })).rejects.toMatchObject({ code: 'order_not_paid' })
    await expect(refund({ reason: 'no' }, 999_999)).rejects.toMatchObject({
      code: 'order_not_found',
    })
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'd17' })
    await decide(first, paymentRef)
    await expect(refund({ reason: 'no', documentId: other.id })).rejects.toMatchObject({
      code: 'document_not_found',
    })
  })
})

describe('adjustments', () => {
  const adjust = (by: Person, { id: userId }: Person, amount: number, mine = key()) =>
    app.call(wallets.adjustWallet, {
      as: by,
      key: mine,
      body: { userId, amount, reason: 'خطأ في الشحن' },
    })
  const confirm = (by: Person, id: number) =>
    app.call(wallets.confirmAdjustment, { as: by, key: key(), params: { id } })

  test('are made alone up to the limit, once for a request, and never below 0', async () => {
    const customer = await app.aCustomer({ balance: dinars(10) })
    const mine = key()
    const made = await adjust(first, customer, 120, mine)
    expect(made).toMatchObject({ state: 'made', needsSecond: false, decider: 'Leïla Mansour' })
    expect(await adjust(first, customer, 120, mine)).toEqual(made)
    expect(await app.balanceOf(customer)).toBe(dinars(130))
    await expect(adjust(first, customer, -130.5)).rejects.toMatchObject({ code: 'wallet_too_low' })
    for (const amount of [0, 10_000.01, 0.005, 'x' as never]) {
      await expect(adjust(first, customer, amount), String(amount)).rejects.toMatchObject({
        status: 400,
      })
    }
    await expect(adjust(first, { ...customer, id: 999_999 }, 1)).rejects.toMatchObject({
      code: 'user_not_found',
    })
    // Who works in the shop has no wallet to fill.
    await expect(adjust(first, second, 1)).rejects.toMatchObject({ code: 'user_not_found' })
    const wallet = await app.call(wallets.getCustomerWallet, {
      as: second,
      params: { id: customer.id },
      query: {},
    })
    expect(wallet).toMatchObject({ balance: 130, totalElements: 2 })
    expect(wallet.content[0]).toMatchObject({
      kind: 'adjustment',
      amount: 120,
      note: 'خطأ في الشحن',
      by: 'Leïla Mansour',
    })
  })

  test('of a day count together: one above the limit waits for a second administrator', async () => {
    const customer = await app.aCustomer({ balance: dinars(100) })
    await adjust(first, customer, 150)
    const waiting = await adjust(first, customer, -50.01)
    expect(waiting).toMatchObject({ state: 'proposed', needsSecond: true, isYours: true })
    expect(await adjust(second, customer, -50.01)).toMatchObject({ state: 'made' })
    expect(await app.balanceOf(customer)).toBe(dinars(199.99))
    await expect(confirm(first, waiting.id)).rejects.toMatchObject({ code: 'adjustment_is_yours' })
    const seen = await app.call(wallets.listAdjustments, {
      as: second,
      query: { state: 'proposed', userId: customer.id },
    })
    expect(seen.content).toMatchObject([
      { id: waiting.id, proposer: 'Leïla Mansour', isYours: false },
    ])
    const third = await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' })
    await oneOf([confirm(second, waiting.id), confirm(third, waiting.id)])
    expect(await app.balanceOf(customer)).toBe(dinars(149.98))
    app.travel(DAY_MS / 4)
    expect(await adjust(first, customer, 60)).toMatchObject({ state: 'proposed' })
    await expectSoundLedger(app)
  })

  test('that wait are withdrawn by their proposer, and refused by others', async () => {
    const customer = await app.aCustomer()
    const refuse = (by: Person, id: number, reason = 'بلا وثيقة') =>
      app.call(wallets.refuseAdjustment, { as: by, params: { id }, body: { reason } })
    const withdraw = (by: Person, id: number) =>
      app.call(wallets.withdrawAdjustment, { as: by, params: { id } })
    const { id } = await adjust(first, customer, 500)
    await expect(refuse(first, id)).rejects.toMatchObject({ code: 'adjustment_is_yours' })
    await expect(withdraw(second, id)).rejects.toMatchObject({ code: 'adjustment_not_yours' })
    await oneOf([withdraw(first, id), confirm(second, id)])
    const other = await adjust(first, customer, 500)
    expect(await refuse(second, other.id)).toMatchObject({
      state: 'refused',
      refusal: 'بلا وثيقة',
      decider: 'Karim Jaziri',
    })
    await expect(confirm(second, other.id)).rejects.toMatchObject({ code: 'done_before' })
    await expect(confirm(second, 999_999)).rejects.toMatchObject({ code: 'adjustment_not_found' })
    expect((await logOf(`adjustment ${other.id}`)).map(({ action }) => action)).toEqual([
      'propose adjustment',
      'refuse adjustment',
    ])
  })

  test('end where the wallet has been emptied meanwhile', async () => {
    const customer = await app.aCustomer({ balance: dinars(300) })
    const { id } = await adjust(first, customer, -250)
    await adjust(second, customer, -100)
    await expect(confirm(second, id)).rejects.toMatchObject({ code: 'wallet_too_low' })
    expect(await app.balanceOf(customer)).toBe(dinars(200))
  })
})

describe('payments of the gateway that differ', () => {
  /** A top-up of 30 TND of which the gateway has another sum. */
  async function aDifference(amount = 12.5) {
    const buyer = await app.aCustomer()
    const { paymentUrl, paymentRef } = await app.call(initiateRecharge, {
      as: buyer,
      key: key(),
      body: { userId: buyer.id, amount: 30, paymentMethod: 'sandbox' },
    })
    const atGateway = app.deps.database.kysely
      .updateTable('sandboxPayments')
      .where('orderReference', '=', paymentRef)
    await atGateway.set({ amount: dinars(amount) }).execute()
    await comeBack(app, await press(app, paymentUrl, 'pay'))
    const { content } = await app.call(differences.listDifferences, { as: first, query: {} })
    const found = content.find((each) => each.paymentRef === paymentRef)
    if (!found) throw new Error('no difference is listed')
    return { buyer, found, atGateway, paymentRef, paymentUrl }
  }
  const ask = (paymentRef: string) =>
    app.call(differences.askAboutPayment, { as: first, params: { paymentRef } })
  const book = (by: Person, id: number) =>
    app.call(differences.bookDifference, { as: by, key: key(), params: { id } })
  const close = (by: Person, id: number) =>
    app.call(differences.closeDifference, { as: by, params: { id }, body: { reason: 'عند البنك' } })

  test('are listed with both sums, and the sum that really arrived is booked into the wallet once', async () => {
    const { buyer, found, paymentRef } = await aDifference()
    expect(found).toMatchObject({ kind: 'amount', expected: 30, reported: 12.5, outcome: null })
    expect(await ask(paymentRef)).toEqual({
      state: 'pending',
      gateway: { state: 'paid', amount: 12.5 },
    })
    await oneOf([book(first, found.id), book(second, found.id)])
    expect(await app.balanceOf(buyer)).toBe(dinars(12.5))
    const { content } = await app.call(differences.listDifferences, {
      as: second,
      query: { state: 'settled' },
    })
    expect(content.find(({ id }) => id === found.id)).toMatchObject({
      outcome: 'booked',
      state: 'paid',
      expected: 30,
    })
    await expectSoundLedger(app)
  })

  test('of an order cancel it: nothing is granted that was not paid', async () => {
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    const { id: orderId } = await anOrder(app, buyer, [document])
    const { paymentUrl, paymentRef } = await aPayment(app, buyer, orderId, { method: 'card' })
    await app.deps.database.kysely
      .updateTable('sandboxPayments')
      .set({ amount: dinars(15) })
      .where('orderReference', '=', paymentRef)
      .execute()
    await comeBack(app, await press(app, paymentUrl, 'pay'))
    const { content } = await app.call(differences.listDifferences, { as: first, query: {} })
    const id = content.find((each) => each.orderId === orderId)?.id ?? 0
    await book(first, id)
    expect(
      await app.call(orders.getShopOrder, { as: first, params: { id: orderId } }),
    ).toMatchObject({
      status: 'cancelled',
      items: [{ isOwned: false }],
      payments: [{ state: 'paid', amount: 15 }],
    })
    expect(await app.balanceOf(buyer)).toBe(dinars(15))
    await expectSoundLedger(app)
  })

  test('are not booked once the gateway reports otherwise, and settle where it is right', async () => {
    const { buyer, found, atGateway, paymentRef } = await aDifference()
    await atGateway.set({ status: 'refused' }).execute()
    await expect(book(first, found.id)).rejects.toMatchObject({ code: 'gateway_says_otherwise' })
    await atGateway.set({ status: 'paid', amount: dinars(30) }).execute()
    await expect(book(first, found.id)).rejects.toMatchObject({ code: 'gateway_says_otherwise' })
    expect(await ask(paymentRef)).toMatchObject({ state: 'paid', gateway: { amount: 30 } })
    expect(await app.balanceOf(buyer)).toBe(dinars(30))
    await expect(book(first, found.id)).rejects.toMatchObject({ status: 409 })
    // What was paid here and is no more there is noted, and moves nothing.
    await atGateway.set({ status: 'refused' }).execute()
    expect(await ask(paymentRef)).toMatchObject({ state: 'paid', gateway: { state: 'refused' } })
    const { content } = await app.call(differences.listDifferences, { as: first, query: {} })
    expect(content.filter((each) => each.paymentRef === paymentRef)).toMatchObject([
      { kind: 'state', reportedState: 'refused' },
    ])
    expect(await app.balanceOf(buyer)).toBe(dinars(30))
  })

  test('are closed with a reason, once; an unknown one is refused', async () => {
    const { buyer, found, paymentRef } = await aDifference()
    await oneOf([close(first, found.id), close(second, found.id)])
    expect(await app.balanceOf(buyer)).toBe(0)
    expect(await logOf(`difference ${found.id}`)).toMatchObject([
      { action: 'close difference', reason: 'عند البنك' },
    ])
    await ask(paymentRef)
    const { content } = await app.call(differences.listDifferences, { as: first, query: {} })
    expect(content.filter((each) => each.paymentRef === paymentRef)).toEqual([])
    await expect(close(first, 999_999)).rejects.toMatchObject({ code: 'difference_not_found' })
    await expect(ask(await aTransfer(buyer))).rejects.toMatchObject({
      code: 'payment_not_at_gateway',
    })
  })
})

describe('payouts to teachers', () => {
  /** A request for a payout of 60 TND by a teacher who has earned 70. */
  async function aRequest() {
    const teacher = await app.anOfficeTeacher({ firstName: 'Sami', lastName: 'Trabelsi' })
    const buyer = await app.aCustomer({ balance: dinars(100) })
    const document = await app.aDocument({ teacherId: teacher.teacherId, price: dinars(100) })
    const { kysely } = app.deps.database
    await transaction(app.deps.database, (tx) =>
      purchase(tx, { buyerId: buyer.id, documentIds: [document.id], at: new Date(0) }),
    )
    const account = { holder: 'Sami Trabelsi', rib: `${'0'.repeat(18)}97` }
    await kysely
      .insertInto('bankAccounts')
      .values({ teacherId: teacher.teacherId, ...account, changedAt: new Date() })
      .execute()
    const request = { userId: teacher.id, teacherId: teacher.teacherId, amount: dinars(60) }
    const { id } = await transaction(app.deps.database, (tx) =>
      requestPayout(tx, { ...request, at: app.deps.now() }),
    )
    return { id, account }
  }
  const today = () => tunisianDay(new Date(app.deps.now()))
  const record = (by: Person, id: number, transferredOn = today()) =>
    app.call(payouts.recordTeacherPayout, {
      as: by,
      key: key(),
      params: { id },
      body: { seen: 'requested', reference: 'VIR-77', transferredOn },
    })
  const refuse = (by: Person, id: number) =>
    app.call(payouts.refuseTeacherPayout, {
      as: by,
      key: key(),
      params: { id },
      body: { seen: 'requested', reason: 'RIB fermé' },
    })

  test('wait with their account, and are recorded once, with reference and day', async () => {
    const { id, account } = await aRequest()
    const { content } = await app.call(payouts.listTeacherPayouts, { as: first, query: {} })
    expect(content.find((each) => each.id === id)).toMatchObject({
      ...account,
      amount: 60,
      left: 10,
      teacher: { name: 'Sami Trabelsi' },
    })
    await expect(record(first, id, '2199-01-01')).rejects.toMatchObject({ status: 400 })
    await expect(record(first, id, '2026-02-30')).rejects.toMatchObject({ status: 400 })
    await oneOf([record(first, id), record(second, id)])
    await oneOf([refuse(second, id), Promise.resolve()])
    const paid = await app.call(payouts.listTeacherPayouts, { as: first, query: { state: 'paid' } })
    expect(paid.content[0]).toMatchObject({ id, reference: 'VIR-77', transferredOn: today() })
    await expectSoundLedger(app)
  })

  test('are refused with a reason, once', async () => {
    const { id } = await aRequest()
    await oneOf([refuse(first, id), refuse(second, id)])
    await oneOf([record(second, id), Promise.resolve()])
    expect(await logOf(`payout ${id}`)).toMatchObject([
      { action: 'ask for payout' },
      { action: 'refuse payout', reason: 'RIB fermé' },
    ])
    await expect(refuse(first, 999_999)).rejects.toMatchObject({ code: 'payout_not_found' })
  })
})

describe("a day's closing", () => {
  const read = (day: string) => app.call(closings.getClosing, { as: first, params: { day } })
  const close = (by: Person, day: string, seen: number | null = null) =>
    app.call(closings.closeDay, { as: by, params: { day }, body: { seen } })
  // What the ledger has is of the database's own clock.
  const today = () => tunisianDay(new Date())

  test('adds up to the ledger, line by line and account by account', async () => {
    const before = await read(today())
    const buyer = await app.aCustomer()
    const document = await app.aDocument({ price: dinars(20) })
    await decide(first, await aTransfer(buyer, 50))
    const { orderId } = await transaction(app.deps.database, (tx) =>
      purchase(tx, { buyerId: buyer.id, documentIds: [document.id] }),
    )
    await app.call(orders.refundShopOrder, {
      as: first,
      key: key(),
      params: { id: orderId ?? 0 },
      body: { reason: 'test', seen: 20 },
    })
    const closing = await read(today())
    expect(closing.difference).toBe(0)
    const gained = (name: string) => {
      const of = ({ lines }: typeof closing) => lines.find(({ line }) => line === name)
      const [now, then] = [of(closing), of(before)]
      expect(now?.booked, name).toBe(now?.recorded)
      return Math.round(((now?.booked ?? 0) - (then?.booked ?? 0)) * 100) / 100
    }
    expect(Object.fromEntries(closings.CLOSING_LINES.map((name) => [name, gained(name)]))).toEqual({
      card: 0,
      bank_transfer: 0,
      d17: 50,
      sales: 20,
      walletSales: 20,
      topUps: 50,
      refunds: 20,
      given: 0,
      taken: 0,
      payouts: 0,
      merged: 0,
    })
    const sum = closing.balances.reduce((total, account) => total + dinars(account.closing), 0)
    expect(sum).toBe(0)
    for (const { opening, moved, closing: end } of closing.balances) {
      expect(dinars(opening) + dinars(moved)).toBe(dinars(end))
    }
    const { rows } = await sql<{ held: number }>`
      SELECT sum(balance)::bigint AS held FROM accounts`.execute(app.deps.database.kysely)
    const wallets = closing.balances.find(({ account }) => account === 'customer')
    expect(dinars(wallets?.closing ?? 0)).toBe(rows[0]?.held)
    const none = await read('2020-02-29')
    expect(none.lines.every(({ count }) => count === 0)).toBe(true)
    expect(none.difference).toBe(0)
  })

  test('is recorded once, and again only where something has moved since', async () => {
    const day = today()
    await oneOf([close(first, day), close(second, day)])
    const closed = await read(day)
    expect(closed.closedBy).toMatchObject([{ isSame: true }])
    await oneOf([close(second, day, closed.closedBy[0]?.id), Promise.resolve()])
    await decide(first, await aTransfer(await app.aCustomer(), 10))
    expect((await read(day)).closedBy).toMatchObject([{ isSame: false }])
    const again = await close(second, day, closed.closedBy[0]?.id)
    expect(again.closedBy).toMatchObject([{ by: 'Karim Jaziri', isSame: true }, { isSame: false }])
    await expect(close(first, '2099-01-01')).rejects.toMatchObject({ code: 'day_not_over' })
    for (const wrong of ['2026-02-30', 'today', '26-01-01']) {
      await expect(read(wrong), wrong).rejects.toMatchObject({ status: 400 })
    }
    const rewrite = sql`UPDATE day_closings SET actor = 'x'`.execute(app.deps.database.kysely)
    await expect(rewrite).rejects.toThrow(/only added to/)
  })

  test('is a CSV that Excel opens, in each language', async () => {
    for (const locale of ['ar', 'fr', 'en']) {
      const path = `/api/office/admin/closings/${today()}/csv?locale=${locale}`
      const { status, headers, body } = await app.request('GET', path, { as: first })
      expect(status).toBe(200)
      expect(headers.get('content-disposition')).toContain(`karras-${today()}.csv`)
      expect(String(body)).toContain(said(locale as 'ar', 'office-money:closing.lines.d17'))
    }
  })
})
