// What codes lowered, in a teacher's sales and statement and in the shop's figures.
import { describe, expect, test } from 'vitest'
import { downloadStatement, getStatement, listSales } from '../../../src/contract/earnings.ts'
import { getFigures, getRankings } from '../../../src/contract/office-figures.ts'
import { dinars } from '../../../src/rules/money.ts'
import { tunisianMonth } from '../../../src/rules/tunisia-time.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { sharedApp } from '../../support/test.ts'
import { pay } from '../../support/wallet.ts'

const app = await sharedApp()
const admin = await app.anOfficeAdministrator()
const month = tunisianMonth(new Date(app.deps.now()))

const sumsNow = async () => (await app.call(getFigures, { as: admin, query: { unit: 'day' } })).sums

describe('a teacher’s code', () => {
  test('shows the price before it in sales, and what it took off in the statement', async () => {
    const teacher = await app.anOfficeTeacher()
    const { teacherId } = teacher
    const lowered = await app.aDocument({ teacherId, price: dinars(10) })
    const plain = await app.aDocument({ teacherId, price: dinars(4) })
    const { code } = await app.aCode({ teacherId, percent: 20 })
    const before = await sumsNow()
    const buyer = await app.aCustomer({ balance: dinars(50) })
    await pay(app, buyer, [lowered], { key: 'lowered', code })
    await pay(app, buyer, [plain], { key: 'plain' })

    const { content } = await app.call(listSales, { as: teacher, query: { sort: '-price' } })
    expect(content).toMatchObject([
      { price: 8, priceBefore: 10, share: 5.6 },
      { price: 4, priceBefore: null, share: 2.8 },
    ])
    const { sales } = await app.call(getStatement, { as: teacher, params: { month } })
    expect(sales).toEqual({ count: 2, price: 12, takenOff: 2, share: 8.4 })
    const path = `/api${downloadStatement.path.replace(':month', month)}?locale=fr`
    const lines = String((await app.request('GET', path, { as: teacher })).body).split('\r\n')
    expect(lines[0]).toContain(';Prix avant le code (DT);Prix (DT);')
    expect(lines[2]).toMatch(/;10;8;5,6;5,6$/)
    expect(lines[3]).toMatch(/;;4;2,8;8,4$/)
    // The shop's codes took off nothing.
    expect((await sumsNow()).codes).toBe(before.codes)
  })
})

describe('a code of the shop', () => {
  test('is in the figures with what it took off, until that is refunded', async () => {
    const { teacherId } = await app.anOfficeTeacher()
    const document = await app.aDocument({ teacherId, price: dinars(10), title: 'Codes' })
    const { code } = await app.aCode({ amount: dinars(2) })
    const before = await sumsNow()
    const buyer = await app.aCustomer({ balance: dinars(50) })
    await pay(app, buyer, [document], { code })
    const gained = async (...names: (keyof typeof before)[]) => {
      const sums = await sumsNow()
      return names.map((name) => dinars(sums[name]) - dinars(before[name]))
    }
    expect(await gained('gross', 'shop', 'teachers', 'codes')).toEqual([8, 1, 7, 2].map(dinars))
    const { documents } = await app.call(getRankings, { as: admin, query: { unit: 'day' } })
    expect(documents).toContainEqual({ id: document.id, title: 'Codes', sales: 1, gross: 8 })

    const { id: orderId } = await app.kysely
      .selectFrom('orders')
      .select('id')
      .where('buyerId', '=', buyer.id)
      .executeTakeFirstOrThrow()
    await refundOrder(app.deps, { orderId })
    expect(await gained('shop', 'teachers', 'codes')).toEqual([0, 0, 0])
  })

  test('that leaves nothing to pay makes no paid order', async () => {
    const { teacherId } = await app.anOfficeTeacher()
    const document = await app.aDocument({ teacherId, price: dinars(10) })
    const { code } = await app.aCode({ percent: 100 })
    const before = await sumsNow()
    await pay(app, await app.aCustomer(), [document], { code })
    const { orders, documents, gross, codes } = await sumsNow()
    expect({ orders, documents, gross }).toEqual({
      orders: before.orders,
      documents: before.documents,
      gross: before.gross,
    })
    expect(dinars(codes) - dinars(before.codes)).toBe(dinars(10))
  })

  test('adds nothing to days that were summed before there were codes', async () => {
    const day = '2024-02-05'
    const sums = {
      ...{ orders: 1, documents: 1, sold: 5000, shop: 1500, refunded: 0, shopRefunded: 0 },
      ...{ card: 0, bank_transfer: 0, d17: 0 },
    }
    await app.kysely
      .insertInto('figureDays')
      .values({ day, sums: JSON.stringify(sums) })
      .execute()
    const query = { unit: 'month', at: day } as const
    const found = await app.call(getFigures, { as: admin, query })
    expect(found.sums).toMatchObject({ gross: 5, shop: 1.5, codes: 0 })
  })
})
