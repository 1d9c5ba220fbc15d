import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Input } from '../../../src/contract/call.ts'
import {
  downloadStatement,
  getEarnings,
  getEarningsSeries,
  getEarningTerms,
  getStatement,
  listDocumentEarnings,
  listSales,
  listStatements,
} from '../../../src/contract/earnings.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars, inDinars, type Millimes } from '../../../src/rules/money.ts'
import { tunisianDay, tunisianMonth } from '../../../src/rules/tunisia-time.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { changeSetting } from '../../../src/server/money/settings.ts'
import { confirmManual } from '../../../src/server/money/transfers.ts'
import { insert } from '../../support/database.ts'
import { anOrder, aPayment, bought, expectSoundLedger } from '../../support/payments.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const teacher = await app.anOfficeTeacher()
const buyer = await app.aCustomer({ balance: dinars(500), firstName: 'أمل', lastName: 'بن صالح' })

const aTitle = (price: number) =>
  app.aDocument({ teacherId: teacher.teacherId, price: dinars(price) })

/** The balances of all accounts of the teachers and of the shop. */
async function books(): Promise<Record<'teacher' | 'shop', Millimes>> {
  const { rows } = await sql<Record<'teacher' | 'shop', Millimes>>`
    SELECT coalesce(sum(e.amount) FILTER (WHERE a.kind = 'teacher_earnings'), 0)::bigint AS teacher,
      coalesce(sum(e.amount) FILTER (WHERE a.kind = 'revenue'), 0)::bigint AS shop
    FROM accounts a JOIN ledger_entries e ON e.account_id = a.id`.execute(app.kysely)
  return rows[0] ?? { teacher: 0, shop: 0 }
}

const share = (value: number | null, teacherId: number | null = null) =>
  changeSetting(app.deps, { name: 'share_percent', teacherId, value, actor: 'test' })
const shareNow = async () => (await app.call(getEarningTerms, { as: teacher })).sharePercent

describe('a sale', () => {
  test('is shared item by item, rounded down to 10 millimes', async () => {
    await bought(app, buyer, [await aTitle(5.55), await aTitle(0.99), await aTitle(0)])
    // 3.885 and 0.693 dinars.
    const teachers = dinars(3.88) + dinars(0.69)
    expect(await books()).toEqual({ teacher: teachers, shop: dinars(6.54) - teachers })
    const { content } = await app.call(listSales, { as: teacher, query: { sort: '-price' } })
    expect(content).toMatchObject([
      { price: 5.55, share: 3.88, buyer: 'أمل ب.' },
      { price: 0.99, share: 0.69 },
    ])
    expect(content).toHaveLength(2)
    expect(JSON.stringify(content)).not.toContain(buyer.email)
  })

  test('keeps its share when the setting changes, and a refund takes back exactly that', async () => {
    const before = await books()
    const [first, second] = [await aTitle(10), await aTitle(20)]
    const orderId = await bought(app, buyer, [first, second])
    await share(40)
    await share(90, teacher.teacherId)
    expect(await shareNow()).toBe(90)
    const later = await bought(app, buyer, [await aTitle(10)])
    expect((await books()).teacher).toBe(before.teacher + dinars(21) + dinars(9))

    await refundOrder(app.deps, { orderId, documentId: first.id })
    expect((await books()).teacher).toBe(before.teacher + dinars(14) + dinars(9))
    await refundOrder(app.deps, { orderId })
    await refundOrder(app.deps, { orderId: later })
    expect(await books()).toEqual(before)
    await share(null, teacher.teacherId)
    expect(await shareNow()).toBe(40)
    await share(null)
    expect(await shareNow()).toBe(70)
  })

  test('of an order is shared when its money arrives; a free document has no share', async () => {
    const before = await books()
    const [owned, fresh] = [await aTitle(20), await aTitle(30)]
    const { id } = await anOrder(app, buyer, [owned, fresh])
    const { paymentRef } = await aPayment(app, buyer, id, { method: 'bank_transfer' })
    await bought(app, buyer, [owned])
    await share(50)
    await confirmManual(app.deps, paymentRef)
    // 70 % of the one that was bought meanwhile, 50 % of the other; nothing twice.
    const after = await books()
    expect(after.teacher - before.teacher).toBe(dinars(14) + dinars(15))
    expect(after.shop - before.shop).toBe(dinars(6) + dinars(15))
    await share(null)
    await expectSoundLedger(app)
  })

  test('refuses a share out of bounds, and an unknown teacher', async () => {
    for (const value of [-1, 101, 70.5, Number.NaN]) await expect(share(value)).rejects.toThrow()
    await expect(share(50, 999_999)).rejects.toThrow('There is no teacher')
  })
})

describe('the earnings', () => {
  test('are summed by day, month and year, and held for seven days', async () => {
    const seen = await app.call(getEarnings, { as: teacher })
    const net = inDinars((await books()).teacher)
    expect(seen.thisYear.share - seen.thisYear.refunded).toBeCloseTo(net, 5)
    expect(seen.balance).toBe(net)
    expect(seen).toMatchObject({ available: 0, held: net, paidOut: 0, requested: 0 })
    expect(seen.releases.map(({ amount }) => amount)).toEqual([seen.held])
    expect(seen.releases[0]?.day).toBe(tunisianDay(new Date(Date.now() + 7 * DAY_MS)))
    await changeSetting(app.deps, { name: 'hold_days', value: 0, actor: 'test' })
    const free = await app.call(getEarnings, { as: teacher })
    expect(free).toMatchObject({ available: net, held: 0, heldUntil: null, releases: [] })
    await changeSetting(app.deps, { name: 'hold_days', value: null, actor: 'test' })
  })

  test('are available as a series without gaps, and by document', async () => {
    for (const [range, count] of [
      ['30d', 30],
      ['90d', 90],
      ['12m', 12],
    ] as const) {
      const query = { range }
      const { points, total } = await app.call(getEarningsSeries, { as: teacher, query })
      expect(points).toHaveLength(count)
      expect(points.reduce((sum, point) => sum + point.share, 0)).toBeCloseTo(total.share, 5)
      expect(points.at(-1)?.at).toBe(
        range === '12m' ? `${tunisianMonth(new Date())}-01` : tunisianDay(new Date()),
      )
    }
    const listed = async (page: number) => {
      const query = { range: 'all', sort: '-share', size: 3, page } as const
      return (await app.call(listDocumentEarnings, { as: teacher, query })).content
    }
    const first = await listed(0)
    expect(first).toHaveLength(3)
    const shares = first.map((one) => one.share)
    expect(shares).toEqual(shares.toSorted((a, b) => b - a))
    const ids = [...first, ...(await listed(1))].map(({ document }) => document.id)
    expect(new Set(ids).size).toBe(ids.length)
    const query = { documentId: ids[0] }
    const series = await app.call(getEarningsSeries, { as: teacher, query })
    expect(series.total.share).toBe(shares[0])
  })

  test('list sales in pages, sorted and filtered', async () => {
    const listed = (query: Input<typeof listSales>['query']) =>
      app.call(listSales, { as: teacher, query })
    const all = (await listed({ size: 100 })).content
    const paged = []
    for (const page of all.keys()) paged.push(...(await listed({ size: 1, page })).content)
    expect(paged).toEqual(all)
    for (const sort of ['soldAt', 'price', '-price', 'share', '-share'] as const) {
      const { content } = await listed({ size: 100, sort })
      expect(content.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort())
    }
    const documentId = all[0]?.document.id
    const found = await listed({ documentId, month: tunisianMonth(new Date()) })
    expect(found.content.every(({ document }) => document.id === documentId)).toBe(true)
    const none = { content: [], totalElements: 0, totalPages: 0 }
    expect(await listed({ month: '2020-01' })).toMatchObject(none)
  })

  test('are nobody else’s', async () => {
    const other = await app.anOfficeTeacher()
    const earnings = await app.call(getEarnings, { as: other })
    expect(earnings).toMatchObject({ balance: 0, paidOut: 0, held: 0 })
    expect((await app.call(listSales, { as: other, query: {} })).totalElements).toBe(0)
    expect(await app.call(listStatements, { as: other })).toEqual([])
  })
})

describe('a statement', () => {
  test('adds up, over months whose borders are at midnight in Tunisia', async () => {
    const own = await app.anOfficeTeacher()
    const [{ id: documentId }] = await app.documentsAt(10)
    // An hour before midnight UTC is midnight in Tunisia.
    for (const [soldAt, refundedAt] of [
      ['2026-03-31T22:59:59Z', '2026-04-30T23:00:00Z'],
      ['2026-03-31T23:00:00Z', null],
      ['2026-04-30T22:59:59Z', '2026-04-30T22:59:59Z'],
      ['2026-05-31T22:59:59Z', null],
    ] as const) {
      const { id: orderId } = await insert(app.kysely, 'orders', {
        buyerId: buyer.id,
        status: 'pending',
        method: 'wallet',
        total: 0,
      })
      const sale = { price: dinars(10), teacherId: own.teacherId, teacherShare: dinars(7) }
      await insert(app.kysely, 'orderItems', { orderId, documentId, soldAt, refundedAt, ...sale })
    }
    const of = (month: string) =>
      app.call(getStatement, { as: own, params: { month } }).then((statement) => {
        const { opening, sales, refunds, payouts, closing } = statement
        expect(opening + sales.share - refunds.share - payouts.amount).toBe(closing)
        return [opening, sales.count, refunds.count, closing]
      })
    expect(await of('2026-03')).toEqual([0, 1, 0, 7])
    expect(await of('2026-04')).toEqual([7, 2, 1, 14])
    expect(await of('2026-05')).toEqual([14, 1, 1, 14])
    expect(await of('2026-06')).toEqual([14, 0, 0, 14])
    const months = await app.call(listStatements, { as: own })
    expect(months.at(-1)).toEqual({ month: '2026-03', earned: 7, closing: 7 })
    expect(months.find(({ month }) => month === '2026-04')?.closing).toBe(14)
    expect(months[0]?.closing).toBe(14)
  })

  test('is available as CSV for Excel, without formulas', async () => {
    const own = await app.anOfficeTeacher()
    const title = '=HYPERLINK("https://evil.test";"x")'
    const evil = await app.aDocument({ teacherId: own.teacherId, price: dinars(1.5), title })
    await refundOrder(app.deps, { orderId: await bought(app, buyer, [evil]) })
    const month = tunisianMonth(new Date())
    const path = `/api${downloadStatement.path.replace(':month', month)}`
    const answer = await app.request('GET', `${path}?locale=fr`, { as: own })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toContain(`karras-${month}.csv`)
    const lines = String(answer.body).split('\r\n')
    expect(lines[0]).toContain('Date;Opération;')
    expect(lines).toHaveLength(6)
    expect(lines[2]).toContain(`"'=HYPERLINK(""https://evil.test"";""x"")"`)
    expect(lines[2]).toMatch(/;1,5;1,05;1,05$/)
    expect(lines[3]).toMatch(/;-1,5;-1,05;0$/)
    // Reading the body as text strips the byte order mark, which Excel needs.
    const raw = await fetch(app.url + path, { headers: { authorization: `Bearer ${own.token}` } })
    expect([...new Uint8Array(await raw.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  })
})
