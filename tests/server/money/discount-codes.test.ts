import { describe, expect, test } from 'vitest'
import { quoteCode } from '../../../src/contract/discount-codes.ts'
import { confirmAct, listActs } from '../../../src/contract/office-acts.ts'
import * as office from '../../../src/contract/office-discount-codes.ts'
import * as shopOrders from '../../../src/contract/office-orders.ts'
import { confirmTransfer, refuseTransfer } from '../../../src/contract/office-transfers.ts'
import { cancelOrder, createOrder, getOrder } from '../../../src/contract/orders.ts'
import { createAndPay, directPay, payFromWallet } from '../../../src/contract/wallet.ts'
import { CODES_MAX, WRONG_CODES_MAX } from '../../../src/rules/discount-codes.ts'
import { DAY_MS, HOUR_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { expireOrders } from '../../../src/server/money/due-payments.ts'
import { key } from '../../support/admin/payments.ts'
import { pdf, stampedCopy } from '../../support/bought-documents.ts'
import { aPayment, payInSandbox, soundApp } from '../../support/payments.ts'
import type { Person } from '../../support/people.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { ownedIds, pay } from '../../support/wallet.ts'

const app = await soundApp()

const aBuyer = (balance = 100) => app.aCustomer({ balance: dinars(balance) })

/** A teacher's documents at these prices, in dinars. */
async function documentsOf(...prices: number[]) {
  const teacher = await app.anOfficeTeacher()
  const documents = []
  for (const price of prices) {
    documents.push(
      await app.aDocument({ teacherId: teacher.teacherId, price: dinars(price), file: pdf }),
    )
  }
  return { teacher, teacherId: teacher.teacherId, documents }
}

const quote = (as: Person, documents: readonly { id: number }[], code: string, more = {}) =>
  app.call(quoteCode, {
    as,
    body: { code, documentIds: documents.map(({ id }) => id), ...more },
  })

const ordered = (
  as: Person,
  documents: readonly { id: number }[],
  { code, total }: { code?: string; total?: number } = {},
) =>
  app.call(createOrder, {
    as,
    key: key(),
    body: {
      userId: as.id,
      orderDocs: documents.map(({ id }) => ({ documentId: id })),
      ...(code && { code }),
      ...(total !== undefined && { total }),
    },
  })

const itemsOf = (buyer: Person) =>
  app.kysely
    .selectFrom('orderItems')
    .innerJoin('orders', 'orders.id', 'orderId')
    .select(['documentId', 'price', 'priceBefore', 'codeOff', 'teacherShare', 'bundleTotal'])
    .where('buyerId', '=', buyer.id)
    .orderBy('documentId')
    .execute()

/** The balance of the account that pays for the shop's codes. */
async function codesAccount() {
  const { sum } = await app.kysely
    .selectFrom('ledgerEntries')
    .innerJoin('accounts', 'accounts.id', 'accountId')
    .select((of) => of.fn.coalesce(of.fn.sum<number>('amount'), of.lit(0)).as('sum'))
    .where('kind', '=', 'codes')
    .executeTakeFirstOrThrow()
  return Number(sum)
}

/** The terms of a new code that works for all, at once and for good. */
const terms = {
  percent: 20,
  ...{ atMost: null, amount: null, endsAt: null, usesMax: null, usesPerPerson: null },
  ...{
    leastTotal: null,
    startsAt: new Date(0).toISOString(),
    scope: { kind: 'all' as const, ids: [] },
  },
}
const asTeacher = (as: Person, body: Partial<typeof terms> | object = {}) =>
  app.call(office.createOwnCode, { as, body: { code: `T-${++made}`, ...terms, ...body } })
let made = 0

describe('a teacher’s code', () => {
  test('lowers the price as the teacher’s own discount: what is paid is shared', async () => {
    const { teacher, documents } = await documentsOf(20, 4.99)
    const { code } = await asTeacher(teacher)
    const other = await app.aDocument({ price: dinars(10) })
    const buyer = await aBuyer()
    const wanted = [...documents, other]
    expect(await quote(buyer, wanted, code)).toEqual({
      code,
      total: 29.99,
      documents: [
        { id: documents[0]?.id, priceBefore: 20, price: 16 },
        { id: documents[1]?.id, priceBefore: 4.99, price: 3.99 },
        { id: other.id, priceBefore: 10, price: 10 },
      ],
    })
    await pay(app, buyer, wanted, { code, total: 29.99 })
    expect(await app.balanceOf(buyer)).toBe(dinars(70.01))
    expect(await itemsOf(buyer)).toMatchObject([
      { price: 16_000, priceBefore: 20_000, codeOff: 0, teacherShare: 11_200 },
      { price: 3990, priceBefore: 4990, teacherShare: 2790 },
      { price: 10_000, priceBefore: null, codeOff: 0, teacherShare: 7000 },
    ])
    const { items } = await app
      .call(office.listOwnCodes, { as: teacher, query: {} })
      .then(({ content }) => ({ items: content }))
    expect(items).toMatchObject([{ code, uses: 1, paid: 19.99, takenOff: 5, state: 'running' }])
  })

  test('is for own documents alone, or for those of a class, or some', async () => {
    const { teacher, teacherId, documents } = await documentsOf(10, 10)
    const niveauId = await app.aClass()
    const inClass = await app.aDocument({ teacherId, price: dinars(10), niveauId })
    const buyer = await aBuyer()
    const foreign = await app.aDocument({ price: dinars(10), niveauId })
    const ofClass = await asTeacher(teacher, { scope: { kind: 'classes', ids: [niveauId] } })
    const all = [...documents, inClass, foreign]
    const lowered = async (code: string) =>
      (await quote(buyer, all, code)).documents
        .filter((each) => each.price < 10)
        .map(({ id }) => id)
    expect(await lowered(ofClass.code)).toEqual([inClass.id])
    const ids = [documents[0]?.id ?? 0]
    const some = await asTeacher(teacher, { scope: { kind: 'documents', ids } })
    expect(await lowered(some.code)).toEqual(ids)
    expect(some.scope.targets).toMatchObject([{ id: ids[0] }])
    await expectCode(quote(buyer, [foreign], some.code), 'code_not_for_these')
    const scope = { kind: 'documents', ids: [foreign.id] }
    await expectCode(asTeacher(teacher, { scope }), 'document_not_found')
  })

  test('works on the price of a bundle, of which each document is its share', async () => {
    const { teacher, teacherId, documents } = await documentsOf(6, 4)
    const bundle = await app.aBundle({ teacherId, documents, price: dinars(8) })
    const bundleIds = [bundle.id]
    const { code } = await asTeacher(teacher, { percent: 25 })
    const buyer = await aBuyer()
    expect((await quote(buyer, documents, code, { bundleIds })).total).toBe(6)
    await pay(app, buyer, documents, { code, bundleIds, total: 6 })
    expect(await itemsOf(buyer)).toMatchObject([
      { price: 3600, priceBefore: 4800, bundleTotal: 6000 },
      { price: 2400, priceBefore: 3200, bundleTotal: 6000 },
    ])
    // A code for one of them alone lowers no bundle.
    const scope = { kind: 'documents', ids: [documents[0]?.id ?? 0] }
    const one = await asTeacher(teacher, { scope })
    await expectCode(
      quote(await aBuyer(), documents, one.code, { bundleIds }),
      'code_not_for_these',
    )
  })
})

describe('a code of the shop', () => {
  test.each([payFromWallet, createAndPay])(
    'leaves the teacher the share of the price before it, and is paid by *codes*: $path',
    async (call) => {
      const { documents } = await documentsOf(20)
      const { code } = await app.aCode({ percent: 30 })
      const buyer = await aBuyer()
      const before = await codesAccount()
      await pay(app, buyer, documents, { call, code, total: 14 })
      expect(await app.balanceOf(buyer)).toBe(dinars(86))
      expect(await itemsOf(buyer)).toMatchObject([
        { price: 20_000, priceBefore: null, codeOff: 6000, teacherShare: 14_000 },
      ])
      expect(await codesAccount()).toBe(before - 6000)
    },
  )

  test('is ordered with, paid at the gateway, shown on the order, refunded as it was paid', async () => {
    const { documents } = await documentsOf(20, 10)
    const { code } = await app.aCode({ percent: 50 })
    const buyer = await aBuyer()
    const before = await codesAccount()
    const order = await ordered(buyer, documents, { code: code.toLowerCase(), total: 15 })
    const { paymentUrl } = await aPayment(app, buyer, order.id, { method: 'card' })
    await payInSandbox(app, paymentUrl)
    expect(await codesAccount()).toBe(before - dinars(15))
    const params = { id: order.id }
    expect(await app.call(getOrder, { as: buyer, params })).toMatchObject({
      status: 'paid',
      total: 15,
      code,
      items: [
        { price: 10, priceBefore: 20 },
        { price: 5, priceBefore: 10 },
      ],
    })
    const inOffice = await app.call(shopOrders.getShopOrder, {
      as: await app.anOfficeAdministrator(),
      params,
    })
    expect(inOffice).toMatchObject({
      code,
      items: [
        { price: 10, priceBefore: 20, share: 14 },
        { price: 5, priceBefore: 10, share: 7 },
      ],
    })
    const body = { documentId: documents[0]?.id ?? 0, seen: 10, reason: 'x' }
    await app.call(shopOrders.refundShopOrder, {
      as: await app.anOfficeAdministrator(),
      key: key(),
      params,
      body,
    })
    expect(await app.balanceOf(buyer)).toBe(dinars(110))
    expect(await codesAccount()).toBe(before - dinars(5))
  })

  test('counts in what one administrator confirms alone, however little is paid for an order', async () => {
    const [administrator, other] = [
      await app.anOfficeAdministrator(),
      await app.anOfficeAdministrator(),
    ]
    const { documents } = await documentsOf(505)
    const { code } = await app.aCode({ amount: dinars(500) })
    const buyer = await aBuyer()
    const order = await ordered(buyer, documents, { code, total: 5 })
    const { paymentRef } = await aPayment(app, buyer, order.id, { method: 'd17' })
    const params = { paymentRef }
    const body = { seen: 'pending', reason: 'x' } as const
    await app.call(refuseTransfer, { as: administrator, key: key(), params, body })
    const again = { seen: 'refused', reason: 'x' } as const
    const confirmed = await app.call(confirmTransfer, {
      as: administrator,
      key: key(),
      params,
      body: again,
    })
    expect(confirmed.waits).not.toBeNull()
    expect((await app.row('orders', order.id)).status).not.toBe('paid')
    const confirm = { as: other, key: key(), params: { id: confirmed.waits ?? 0 } }
    await app.call(confirmAct, confirm)
    expect(await app.row('orders', order.id)).toMatchObject({ status: 'paid', total: 5000 })
  })

  test('is refused by the database to a version that knows of no codes', async () => {
    const { documents } = await documentsOf(20)
    const { code } = await app.aCode({ percent: 50 })
    const buyer = await aBuyer()
    await pay(app, buyer, documents, { code, total: 10 })
    const old = app.kysely
      .updateTable('orderItems')
      .set({ refundedAt: new Date() })
      .where('documentId', '=', documents[0]?.id ?? 0)
      .execute()
    await expect(old).rejects.toThrow('order_items_code_returned')
  })

  test('that makes a document free pays the teacher, and neither sells nor lets its buyer rate', async () => {
    const { documents } = await documentsOf(8)
    const [document = { id: 0 }] = documents
    const { code } = await app.aCode({ percent: 100 })
    const buyer = await aBuyer(0)
    const before = await codesAccount()
    await ordered(buyer, documents, { code, total: 0 })
    expect(await ownedIds(app, buyer)).toEqual([document.id])
    expect(await codesAccount()).toBe(before - dinars(8))
    expect(await itemsOf(buyer)).toMatchObject([{ codeOff: 8000, teacherShare: 5600 }])
    expect(await app.row('documents', document.id)).toMatchObject({ salesCount: 0 })
    const rating = { userId: buyer.id, documentId: document.id, stars: 5, comment: 'x' }
    await app.kysely
      .updateTable('users')
      .set({ emailConfirmedAt: new Date() })
      .where('id', '=', buyer.id)
      .execute()
    const { id } = await app.kysely
      .insertInto('ratings')
      .values({ ...rating, createdAt: new Date() } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await app.row('ratings', id)).counts).toBe(false)
    // It is no free document: its file has a footer.
    await stampedCopy(app, buyer, document.id, pdf)
  })

  test('that made a document free is taken back from its teacher by two administrators alone', async () => {
    const { documents } = await documentsOf(8)
    const { code } = await app.aCode({ percent: 100 })
    const buyer = await aBuyer(0)
    const order = await ordered(buyer, documents, { code, total: 0 })
    const [one, other] = [await app.anOfficeAdministrator(), await app.anOfficeAdministrator()]
    const before = await codesAccount()
    const params = { id: order.id }
    const body = { seen: 0, reason: 'x' }
    const { waits } = await app.call(shopOrders.refundShopOrder, {
      as: one,
      key: key(),
      params,
      body,
    })
    expect(waits).not.toBeNull()
    expect(await codesAccount()).toBe(before)
    await app.call(confirmAct, { as: other, key: key(), params: { id: waits ?? 0 } })
    expect(await codesAccount()).toBe(before + dinars(8))
    expect(await ownedIds(app, buyer)).toEqual([])
  })
})

describe('a code', () => {
  test('that cannot be used says why, and a payment at its price asks again', async () => {
    const { documents } = await documentsOf(20)
    const now = app.deps.now()
    const [coming, over, stopped, used, dear] = await Promise.all([
      app.aCode({ percent: 10, startsAt: new Date(now + DAY_MS) }),
      app.aCode({ percent: 10, endsAt: new Date(now - 1) }),
      app.aCode({ percent: 10, stoppedAt: new Date(now - 1) }),
      app.aCode({ percent: 10, usesMax: 1 }),
      app.aCode({ percent: 10, leastTotal: dinars(20.01) }),
    ])
    await pay(app, await aBuyer(), documents, { code: used.code, total: 18 })
    const buyer = await aBuyer()
    for (const [{ code }, refusal] of [
      [coming, 'code_not_begun'],
      [over, 'code_ended'],
      [stopped, 'code_ended'],
      [used, 'code_ended'],
      [dear, 'code_below_least'],
    ] as const) {
      await expectCode(quote(buyer, documents, code), refusal)
      await expectCode(pay(app, buyer, documents, { key: key(), code }), refusal)
      await expectCode(ordered(buyer, documents, { code }), refusal)
      const prices = { total: 20, documents: [{ price: 20 }] }
      const paying = pay(app, buyer, documents, { key: key(), code, total: 18 })
      await expectRefused(paying, 409, 'price_changed', { prices })
      await expectRefused(ordered(buyer, documents, { code, total: 18 }), 409, 'price_changed', {
        prices,
      })
    }
    expect(await app.balanceOf(buyer)).toBe(dinars(100))
    // At the price without it, one pays without it.
    await pay(app, buyer, documents, { key: key(), code: over.code, total: 20 })
    expect(await itemsOf(buyer)).toMatchObject([{ price: 20_000, codeOff: 0 }])
  })

  test('with few uses needs a confirmed contact, since an order that waits holds one', async () => {
    const { documents } = await documentsOf(20)
    const { code } = await app.aCode({ percent: 50, usesMax: 5 })
    const buyer = await aBuyer()
    await app.kysely
      .updateTable('users')
      .set({ emailConfirmedAt: null, phoneConfirmedAt: null })
      .where('id', '=', buyer.id)
      .execute()
    await expectCode(quote(buyer, documents, code), 'code_needs_contact')
  })

  test('with a limit a person needs a confirmed contact, and counts by account', async () => {
    const { documents } = await documentsOf(20, 10)
    const [first = { id: 0 }, second = { id: 0 }] = documents
    const { code } = await app.aCode({ percent: 50, usesPerPerson: 1 })
    const buyer = await aBuyer()
    const confirm = (at: Date | null) =>
      app.kysely
        .updateTable('users')
        .set({ emailConfirmedAt: at, phoneConfirmedAt: null })
        .where('id', '=', buyer.id)
        .execute()
    await confirm(null)
    await expectCode(quote(buyer, [first], code), 'code_needs_contact')
    await confirm(new Date())
    await pay(app, buyer, [first], { code, total: 10 })
    await app.kysely
      .updateTable('users')
      .set({ email: `new-${buyer.id}@karras.test` })
      .where('id', '=', buyer.id)
      .execute()
    await expectCode(quote(buyer, [second], code), 'code_used')
    expect((await quote(await aBuyer(), [second], code)).total).toBe(5)
  })

  test('is used by an order that waits, and given back when it ends unpaid', async () => {
    const { documents } = await documentsOf(20)
    const { code } = await app.aCode({ percent: 50, usesMax: 1 })
    const [one, two] = [await aBuyer(), await aBuyer()]
    const order = await ordered(one, documents, { code, total: 10 })
    await expectCode(quote(two, documents, code), 'code_ended')
    // The same order once more replaces the one that was never paid, and takes its use.
    const again = await ordered(one, documents, { code, total: 10 })
    expect(again.id).not.toBe(order.id)
    await app.call(cancelOrder, { as: one, params: { id: again.id } })
    expect((await quote(two, documents, code)).total).toBe(10)
    const third = await ordered(two, documents, { code, total: 10 })
    app.travel(3 * DAY_MS)
    await expireOrders(app.deps)
    expect(await app.row('orders', third.id)).toMatchObject({ status: 'expired' })
  })

  test.each(['orders', 'wallet'] as const)(
    'of an order that can no longer be paid is there for the same documents again: %s',
    async (way) => {
      const { documents } = await documentsOf(20, 10)
      const { code } = await app.aCode({ percent: 50, usesPerPerson: 1 })
      const buyer = await aBuyer()
      const [paper = { id: 0 }] = documents
      const dead = await ordered(buyer, documents, { code, total: 15 })
      expect((await quote(buyer, [paper], code)).total).toBe(10)
      if (way === 'wallet') await pay(app, buyer, [paper], { code, total: 10 })
      else {
        const { id } = await ordered(buyer, [paper], { code, total: 10 })
        await aPayment(app, buyer, id, { method: 'd17' })
      }
      expect(await app.row('orders', dead.id)).toMatchObject({ status: 'replaced' })
      // The one that took its place holds the use.
      await expectCode(quote(buyer, documents, code), 'code_used')
    },
  )

  test('that ended after the order settles at the order’s price, however late the money comes', async () => {
    const { documents } = await documentsOf(20)
    const { id, code } = await app.aCode({ amount: dinars(5), usesMax: 1 })
    const [buyer, other] = [await aBuyer(), await aBuyer()]
    const order = await ordered(buyer, documents, { code, total: 15 })
    const { paymentUrl } = await aPayment(app, buyer, order.id, { method: 'card' })
    await app.call(office.stopCode, { as: await app.anOfficeAdministrator(), params: { id } })
    await expectCode(quote(other, documents, code), 'code_ended')
    await payInSandbox(app, paymentUrl)
    expect(await app.row('orders', order.id)).toMatchObject({ status: 'paid', total: 15_000 })
    await expectCode(quote(other, documents, code), 'code_ended')
  })

  test('of a payment made twice with one key is used once', async () => {
    const { documents } = await documentsOf(2)
    const { id, code } = await app.aCode({ percent: 50, usesMax: 5 })
    const buyer = await aBuyer()
    const paying = () => pay(app, buyer, documents, { key: 'same', code, total: 1 })
    await Promise.all([paying(), paying()])
    const used = await app.kysely
      .selectFrom('orders')
      .select('id')
      .where('codeId', '=', id)
      .execute()
    expect(used).toHaveLength(1)
    const other = pay(app, buyer, documents, { key: 'same', total: 2 })
    await expectCode(other, 'idempotency_conflict')
  })

  test('lowers a direct payment, down to what may be paid so', async () => {
    const { documents } = await documentsOf(20)
    const [{ code }, { code: half }] = [
      await app.aCode({ percent: 10 }),
      await app.aCode({ percent: 60 }),
    ]
    const buyer = await aBuyer()
    const body = { userId: buyer.id, documentIds: documents.map(({ id }) => id) }
    const direct = (amount: number, used: string) =>
      app.call(directPay, {
        as: buyer,
        key: key(),
        body: { ...body, amount, paymentMethod: 'card', code: used },
      })
    await expectCode(direct(8, half), 'method_not_offered')
    await expectCode(direct(20, code), 'price_changed')
    const { paymentUrl } = await direct(18, code)
    await payInSandbox(app, paymentUrl ?? '')
    expect(await ownedIds(app, buyer)).toEqual(body.documentIds)
  })
})

describe('unknown codes', () => {
  test('are counted by account, in quotes and payments alike, and right ones not', async () => {
    const { documents } = await documentsOf(5)
    const { code } = await app.aCode({ percent: 50 })
    const buyer = await aBuyer()
    for (let at = 0; at < WRONG_CODES_MAX; at++) {
      await quote(buyer, documents, code)
      const wrong = `WRONG-${at}`
      const trying = [
        () => quote(buyer, documents, wrong),
        () => pay(app, buyer, documents, { key: key(), code: wrong }),
        () => ordered(buyer, documents, { code: wrong }),
      ][at % 3]
      await expectCode(trying?.() ?? Promise.resolve(), 'code_unknown')
    }
    await expectCode(quote(buyer, documents, code), 'too_many_codes')
    await expectCode(pay(app, buyer, documents, { key: key(), code, total: 2.5 }), 'too_many_codes')
    expect((await quote(await aBuyer(), documents, code)).total).toBe(2.5)
    app.travel(HOUR_MS + 1)
    expect((await quote(await aBuyer(), documents, code)).total).toBe(2.5)
  })

  test.each(['AB', 'رمز', 'A'.repeat(21), 'A B', "X'; DROP TABLE orders"])(
    'that no code can be are refused as they are: %s',
    async (code) => {
      const { documents } = await documentsOf(5)
      await expectCode(quote(await aBuyer(), documents, code), 'invalid_input')
    },
  )
})

describe('making codes', () => {
  test('a teacher makes and stops one, once, and it is logged', async () => {
    const { teacher } = await documentsOf(5)
    const other = await app.anOfficeTeacher()
    const { id, code } = await asTeacher(teacher)
    await expectCode(asTeacher(other, { code }), 'code_taken')
    await expectCode(
      app.call(office.stopOwnCode, { as: other, params: { id } }),
      'discount_code_not_found',
    )
    const stop = () => app.call(office.stopOwnCode, { as: teacher, params: { id } })
    expect((await stop()).state).toBe('ended')
    expect((await stop()).state).toBe('ended')
    const log = await logOf(app, `teacher ${teacher.teacherId}`)
    expect(log.filter(({ action }) => action.endsWith(' code'))).toMatchObject([
      { action: 'make code', reason: code },
      { action: 'stop code', reason: code },
    ])
  })

  test.each([
    ['both kinds of reduction', { amount: 5 }],
    ['none', { percent: null }],
    ['an amount with a bound', { percent: null, amount: 5, atMost: 2 }],
    ['too little', { percent: null, amount: 0.4 }],
    ['more than all', { percent: 101 }],
    ['an end before the beginning', { endsAt: new Date(-1).toISOString() }],
    ['some documents, but none', { scope: { kind: 'documents', ids: [] } }],
    ['all, but some', { scope: { kind: 'all', ids: [1] } }],
    ['no use', { usesMax: 0 }],
    ['an end that is over', { endsAt: new Date(1).toISOString() }],
  ])('refuses %s', async (_, body) => {
    await expectCode(asTeacher(await app.anOfficeTeacher(), body), 'invalid_input')
  })

  test('a teacher has a bounded number at a time, also when two are made at once', async () => {
    const teacher = await app.anOfficeTeacher()
    const { teacherId } = teacher
    for (let at = 1; at < CODES_MAX; at++) await app.aCode({ percent: 5, teacherId })
    const [one, two] = await Promise.allSettled([asTeacher(teacher), asTeacher(teacher)])
    expect([one.status, two.status].sort()).toEqual(['fulfilled', 'rejected'])
    await expectCode(asTeacher(teacher), 'codes_full')
  })

  test('one of the shop that may cost more than one administrator gives alone waits for a second', async () => {
    const [first, second] = [await app.anOfficeAdministrator(), await app.anOfficeAdministrator()]
    const make = (as: Person, body: object) =>
      app.call(office.createCode, {
        as,
        body: { ...terms, atMost: 1, usesPerPerson: 1, code: `S-${++made}`, reason: 'x', ...body },
      })
    const listed = async () =>
      (await app.call(office.listCodes, { as: first, query: {} })).content.map(({ code }) => code)
    // What it costs at most is 2.49 an order, since it may make a price of 2.49 free.
    const small = { percent: null, atMost: null, amount: 2, usesMax: 40, code: 'SMALL-ONE' }
    expect(await make(first, small)).toEqual({ waits: null })
    expect(await listed()).toContain('SMALL-ONE')
    expect((await app.call(office.listCodes, { as: first, query: {} })).leftAlone).toBe(100.4)
    // What is left of the day is 100.40.
    const more = await make(first, { percent: 50, atMost: 2, usesMax: 41, code: 'MORE-ONE' })
    const open = await make(first, { percent: 5, code: 'OPEN-ONE' })
    expect([more.waits, open.waits]).not.toContain(null)
    await expectCode(make(first, { percent: 5, code: 'OPEN-ONE' }), 'act_waits')
    await expectCode(make(first, { percent: 5, code: 'SMALL-ONE' }), 'code_taken')
    expect(await listed()).not.toContain('MORE-ONE')
    const { content: acts } = await app.call(listActs, { as: second, query: { state: 'waiting' } })
    expect(acts).toContainEqual(
      expect.objectContaining({
        kind: 'discount',
        amount: 102.09,
        detail: expect.stringMatching(/^MORE-ONE −50 % ≤ 2\.00\sTND × 41 \(1\) · 1970-01-01 – ∞$/),
      }),
    )
    const confirm = (id: number | null, as = second) =>
      app.call(confirmAct, { as, key: key(), params: { id: id ?? 0 } })
    await expectCode(confirm(more.waits, first), 'act_is_yours')
    await confirm(more.waits)
    expect(await listed()).toContain('MORE-ONE')
    // Somebody took its letters while it waited.
    await asTeacher(await app.anOfficeTeacher(), { code: 'OPEN-ONE' })
    await expectCode(confirm(open.waits), 'act_changed')
  })

  test.each([
    ['a percentage without a bound of an order', { atMost: null }],
    ['any number of uses a person', { usesPerPerson: null }],
  ])('refuses the shop %s', async (_, body) => {
    const made = app.call(office.createCode, {
      as: await app.anOfficeAdministrator(),
      body: { ...terms, atMost: 5, usesPerPerson: 1, code: 'BOUND-LESS', reason: 'x', ...body },
    })
    await expectCode(made, 'invalid_input')
  })

  test('a newcomer makes none, and nobody finds one by trying to make it', async () => {
    const teacher = await app.anOfficeTeacher()
    await app.kysely
      .updateTable('teachers')
      .set({ approvedAt: null })
      .where('id', '=', teacher.teacherId)
      .execute()
    await expectCode(asTeacher(teacher), 'account_not_approved')
    const { code } = await app.aCode({ percent: 5 })
    const other = await app.anOfficeTeacher()
    for (let at = 0; at < WRONG_CODES_MAX; at++)
      await expectCode(asTeacher(other, { code }), 'code_taken')
    await expectCode(asTeacher(other), 'too_many_codes')
  })

  test('an administrator sees all codes and stops any', async () => {
    const { teacher } = await documentsOf(5)
    const { id, code } = await asTeacher(teacher)
    const all = await app.call(office.listCodes, {
      as: await app.anOfficeAdministrator(),
      query: {},
    })
    expect(all.content).toContainEqual(
      expect.objectContaining({
        code,
        teacher: expect.objectContaining({ id: teacher.teacherId }),
      }),
    )
    const stopped = await app.call(office.stopCode, {
      as: await app.anOfficeAdministrator(),
      params: { id },
    })
    expect(stopped.state).toBe('ended')
  })
})
