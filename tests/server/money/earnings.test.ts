import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  getEarnings,
  getEarningsSeries,
  getEarningTerms,
  listDocumentEarnings,
  listSales,
  listStatements,
} from '../../../src/contract/earnings.ts'
import { createOrder, initiatePayment } from '../../../src/contract/orders.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars, inDinars, type Millimes } from '../../../src/rules/money.ts'
import { tunisianDay, tunisianMonth } from '../../../src/rules/tunisia-time.ts'
import { checkLedger, isLedgerSound } from '../../../src/server/money/ledger-check.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { changeSetting } from '../../../src/server/money/settings.ts'
import { confirmManual } from '../../../src/server/money/transfers.ts'
import { buy } from '../../support/earnings.ts'
import { sharedApp } from '../../support/test.ts'

let keys = 0

const app = await sharedApp()
const teacher = await app.anOfficeTeacher()
const buyer = await app.aCustomer({ balance: dinars(500), firstName: 'أمل', lastName: 'بن صالح' })

const aTitle = (price: Millimes, title?: string) =>
  app.aDocument({ teacherId: teacher.teacherId, price, ...(title && { title }) })

/** The balance of all accounts of a kind. */
async function bookOf(kind: string): Promise<Millimes> {
  const { rows } = await sql<{ sum: Millimes }>`
    SELECT coalesce(sum(e.amount), 0)::bigint AS sum
    FROM accounts a JOIN ledger_entries e ON e.account_id = a.id WHERE a.kind = ${kind}`.execute(
    app.deps.database.kysely,
  )
  return rows[0]?.sum ?? 0
}

const share = (value: number | null, teacherId: number | null = null) =>
  changeSetting(app.deps, { name: 'share_percent', teacherId, value, actor: 'test' })

describe('a sale', () => {
  test('is shared item by item, rounded down to 10 millimes', async () => {
    await buy(app, buyer, await aTitle(dinars(5.55)), await aTitle(dinars(0.99)), await aTitle(0))
    // 3.885 and 0.693 dinars.
    expect(await bookOf('teacher_earnings')).toBe(dinars(3.88) + dinars(0.69))
    expect(await bookOf('revenue')).toBe(dinars(6.54) - dinars(4.57))
    const { content } = await app.call(listSales, { as: teacher, query: {} })
    expect(content.map(({ price, share }) => [price, share])).toEqual(
      expect.arrayContaining([
        [5.55, 3.88],
        [0.99, 0.69],
      ]),
    )
    expect(content).toHaveLength(2)
    expect(content[0]?.buyer).toBe('أمل ب.')
    expect(JSON.stringify(content)).not.toContain(buyer.email)
  })

  test('keeps its share when the setting changes, and a refund takes back exactly that', async () => {
    const before = { teacher: await bookOf('teacher_earnings'), shop: await bookOf('revenue') }
    const [first, second] = [await aTitle(dinars(10)), await aTitle(dinars(20))]
    const orderId = await buy(app, buyer, first, second)
    await share(40)
    await share(90, teacher.teacherId)
    expect((await app.call(getEarningTerms, { as: teacher })).sharePercent).toBe(90)
    const third = await aTitle(dinars(10))
    const later = await buy(app, buyer, third)
    expect(await bookOf('teacher_earnings')).toBe(before.teacher + dinars(21) + dinars(9))

    await refundOrder(app.deps, { orderId, documentId: first.id })
    expect(await bookOf('teacher_earnings')).toBe(before.teacher + dinars(14) + dinars(9))
    await refundOrder(app.deps, { orderId })
    await refundOrder(app.deps, { orderId: later })
    expect(await bookOf('teacher_earnings')).toBe(before.teacher)
    expect(await bookOf('revenue')).toBe(before.shop)
    await share(null, teacher.teacherId)
    expect((await app.call(getEarningTerms, { as: teacher })).sharePercent).toBe(40)
    await share(null)
    expect((await app.call(getEarningTerms, { as: teacher })).sharePercent).toBe(70)
  })

  test('of an order is shared when its money arrives; a free document has no share', async () => {
    const before = { teacher: await bookOf('teacher_earnings'), shop: await bookOf('revenue') }
    const [owned, fresh] = [await aTitle(dinars(20)), await aTitle(dinars(30))]
    const orderDocs = [owned, fresh].map(({ id }) => ({ documentId: id }))
    const body = { userId: buyer.id, orderDocs }
    const { id } = await app.call(createOrder, { as: buyer, key: `k${keys++}`, body })
    const { paymentRef } = await app.call(initiatePayment, {
      as: buyer,
      key: `k${keys++}`,
      params: { provider: 'sandbox' },
      query: { orderId: id, method: 'bank_transfer' },
    })
    await buy(app, buyer, owned)
    await share(50)
    await confirmManual(app.deps, paymentRef)
    // 70 % of the one that was bought meanwhile, 50 % of the other; nothing twice.
    expect(await bookOf('teacher_earnings')).toBe(before.teacher + dinars(14) + dinars(15))
    expect(await bookOf('revenue')).toBe(before.shop + dinars(6) + dinars(15))
    await share(null)
    const report = await checkLedger(app.deps.database.kysely)
    expect(isLedgerSound(report), JSON.stringify(report)).toBe(true)
  })

  test('refuses a share out of bounds, and an unknown teacher', async () => {
    for (const value of [-1, 101, 70.5, Number.NaN]) await expect(share(value)).rejects.toThrow()
    await expect(share(50, 999_999)).rejects.toThrow('There is no teacher')
  })
})

describe('the earnings', () => {
  test('are summed by day, month and year, and held for seven days', async () => {
    const seen = await app.call(getEarnings, { as: teacher })
    const net = inDinars(await bookOf('teacher_earnings'))
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
    const query = { range: 'all', sort: '-share', size: 3 } as const
    const first = await app.call(listDocumentEarnings, { as: teacher, query })
    expect(first.content).toHaveLength(3)
    const shares = first.content.map((one) => one.share)
    expect(shares).toEqual([...shares].sort((a, b) => b - a))
    const second = await app.call(listDocumentEarnings, {
      as: teacher,
      query: { ...query, page: 1 },
    })
    const ids = [...first.content, ...second.content].map(({ document }) => document.id)
    expect(new Set(ids).size).toBe(ids.length)
    const one = first.content[0]
    const series = await app.call(getEarningsSeries, {
      as: teacher,
      query: { documentId: one?.document.id },
    })
    expect(series.total.share).toBe(one?.share)
  })

  test('list sales in pages, sorted and filtered', async () => {
    const all = await app.call(listSales, { as: teacher, query: { size: 100 } })
    const paged = []
    for (let page = 0; page < all.totalElements; page += 1) {
      const { content } = await app.call(listSales, { as: teacher, query: { size: 1, page } })
      paged.push(...content)
    }
    expect(paged).toEqual(all.content)
    for (const sort of ['soldAt', 'price', '-price', 'share', '-share'] as const) {
      const { content } = await app.call(listSales, { as: teacher, query: { size: 100, sort } })
      expect(content.map(({ id }) => id).sort()).toEqual(all.content.map(({ id }) => id).sort())
    }
    const [sale] = all.content
    const query = { documentId: sale?.document.id, month: tunisianMonth(new Date()) }
    const found = await app.call(listSales, { as: teacher, query })
    expect(found.content.every(({ document }) => document.id === sale?.document.id)).toBe(true)
    const none = await app.call(listSales, { as: teacher, query: { month: '2020-01' } })
    expect(none).toMatchObject({ content: [], totalElements: 0, totalPages: 0 })
  })

  test('are nobody else’s', async () => {
    const other = await app.anOfficeTeacher()
    const earnings = await app.call(getEarnings, { as: other })
    expect(earnings).toMatchObject({ balance: 0, paidOut: 0, held: 0 })
    expect((await app.call(listSales, { as: other, query: {} })).totalElements).toBe(0)
    expect(await app.call(listStatements, { as: other })).toEqual([])
  })
})
