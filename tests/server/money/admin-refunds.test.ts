import { describe, expect, test } from 'vitest'
import * as orders from '../../../src/contract/office-orders.ts'
import * as payouts from '../../../src/contract/payouts.ts'
import { dinars } from '../../../src/rules/money.ts'
import { tunisianDay } from '../../../src/rules/tunisia-time.ts'
import { readableReference } from '../../../src/rules/typed-numbers.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { requestPayout } from '../../../src/server/money/payouts/payouts.ts'
import { purchase } from '../../../src/server/money/purchase.ts'
import { userActor } from '../../../src/server/staff-log/staff-log.ts'
import { decide, expectOneSucceeds, key } from '../../support/admin/payments.ts'
import type { Person } from '../../support/factories.ts'
import { anOrder, aPayment, expectSoundLedger } from '../../support/payments.ts'
import { expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const first = await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' })
const second = await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' })

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
    await decide(app, first, paymentRef)
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
    expect(await logOf(app, `user ${nour.id}`)).toContainEqual({
      actor: `user ${first.id}`,
      action: 'see',
      reason: null,
    })
  })

  test('two administrators who refund one order refund it once, and the reason is stored', async () => {
    const buyer = await app.aCustomer()
    const documents = [
      await app.aDocument({ price: dinars(20) }),
      await app.aDocument({ price: dinars(5) }),
    ]
    const { id } = await anOrder(app, buyer, documents)
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'd17' })
    await decide(app, first, paymentRef)
    const refund = (by: Person, seen: number, documentId?: number) =>
      app.call(orders.refundShopOrder, {
        as: by,
        key: key(),
        params: { id },
        body: { reason: 'اشترى مرّتين', seen, ...(documentId && { documentId }) },
      })
    await expectOneSucceeds([
      refund(first, 5, documents[1]?.id),
      refund(second, 5, documents[1]?.id),
    ])
    // The page of the second administrator still shows the whole order.
    await expectOneSucceeds([refund(second, 25), Promise.resolve()])
    await expectOneSucceeds([refund(first, 20), refund(second, 20)])
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
    const log = await logOf(app, `order ${id}`)
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
    await expectRefused(refund({ reason: ' ' }), 400)
    await expectRefused(refund({ reason: 'no' }), 409, 'order_not_paid')
    await expectRefused(refund({ reason: 'no' }, 999_999), 404, 'order_not_found')
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'd17' })
    await decide(app, first, paymentRef)
    await expectRefused(refund({ reason: 'no', documentId: other.id }), 404, 'document_not_found')
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
    const request = {
      actor: userActor(teacher.id),
      teacherId: teacher.teacherId,
      amount: dinars(60),
    }
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

  test('list the pending ones with their account, and are recorded once, with reference and day', async () => {
    const { id, account } = await aRequest()
    const { content } = await app.call(payouts.listTeacherPayouts, { as: first, query: {} })
    expect(content.find((each) => each.id === id)).toMatchObject({
      ...account,
      amount: 60,
      left: 10,
      teacher: { name: 'Sami Trabelsi' },
    })
    await expectRefused(record(first, id, '2199-01-01'), 400)
    await expectRefused(record(first, id, '2026-02-30'), 400)
    await expectOneSucceeds([record(first, id), record(second, id)])
    await expectOneSucceeds([refuse(second, id), Promise.resolve()])
    const paid = await app.call(payouts.listTeacherPayouts, { as: first, query: { state: 'paid' } })
    expect(paid.content[0]).toMatchObject({ id, reference: 'VIR-77', transferredOn: today() })
    await expectSoundLedger(app)
  })

  test('are refused with a reason, once', async () => {
    const { id } = await aRequest()
    await expectOneSucceeds([refuse(first, id), refuse(second, id)])
    await expectOneSucceeds([record(second, id), Promise.resolve()])
    expect(await logOf(app, `payout ${id}`)).toMatchObject([
      { action: 'ask for payout' },
      { action: 'refuse payout', reason: 'RIB fermé' },
    ])
    await expectRefused(refuse(first, 999_999), 404, 'payout_not_found')
  })
})
