import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  downloadStatement,
  getEarnings,
  getEarningsSeries,
  getEarningTerms,
  getStatement,
  listDocumentEarnings,
  listSales,
  listStatements,
} from '../../src/contract/earnings.ts'
import { createOrder, initiatePayment } from '../../src/contract/orders.ts'
import { payFromWallet } from '../../src/contract/wallet.ts'
import { DAY_MS } from '../../src/rules/durations.ts'
import { dinars, inDinars, type Millimes } from '../../src/rules/money.ts'
import { tunisianDay, tunisianMonth } from '../../src/rules/tunisia-time.ts'
import { checkLedger, isLedgerSound } from '../../src/server/money/ledger-check.ts'
import { refundOrder } from '../../src/server/money/refunds.ts'
import { changeSetting } from '../../src/server/money/settings.ts'
import { confirmManual } from '../../src/server/money/transfers.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Person } from '../support/factories.ts'

let app: TestApp
let teacher: Person & { teacherId: number }
let buyer: Person
let keys = 0

beforeAll(async () => {
  app = await testApp()
  teacher = await app.anOfficeTeacher()
  buyer = await app.aCustomer({ balance: dinars(500), firstName: 'أمل', lastName: 'بن صالح' })
  return app.stop
})

const aTitle = (price: Millimes, title?: string) =>
  app.aDocument({ teacherId: teacher.teacherId, price, ...(title && { title }) })

async function buy(...documents: { id: number }[]): Promise<number> {
  await app.call(payFromWallet, {
    as: buyer,
    key: `k${keys++}`,
    body: { userId: buyer.id, documentIds: documents.map(({ id }) => id) },
  })
  const { id } = await app.deps.database.kysely
    .selectFrom('orders')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return id
}

/** What the accounts of a kind hold. */
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
    await buy(await aTitle(dinars(5.55)), await aTitle(dinars(0.99)), await aTitle(0))
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

  test('keeps its share whatever is set later, and a refund takes back just that', async () => {
    const before = { teacher: await bookOf('teacher_earnings'), shop: await bookOf('revenue') }
    const [first, second] = [await aTitle(dinars(10)), await aTitle(dinars(20))]
    const orderId = await buy(first, second)
    await share(40)
    await share(90, teacher.teacherId)
    expect((await app.call(getEarningTerms, { as: teacher })).sharePercent).toBe(90)
    const third = await aTitle(dinars(10))
    const later = await buy(third)
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
    await buy(owned)
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

  test('come as a series without gaps, and by document', async () => {
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

describe('a statement', () => {
  test('adds up, over months that border on midnight in Tunisia', async () => {
    const own = await app.anOfficeTeacher()
    const document = await app.aDocument({ teacherId: own.teacherId, price: dinars(10) })
    // An hour before midnight UTC is midnight in Tunisia.
    for (const [at, refundedAt] of [
      ['2026-03-31T22:59:59Z', '2026-04-30T23:00:00Z'],
      ['2026-03-31T23:00:00Z', null],
      ['2026-04-30T22:59:59Z', '2026-04-30T22:59:59Z'],
      ['2026-05-31T22:59:59Z', null],
    ] as const) {
      const { id } = await app.deps.database.kysely
        .insertInto('orders')
        .values({ buyerId: buyer.id, status: 'pending', method: 'wallet', total: 0 })
        .returning('id')
        .executeTakeFirstOrThrow()
      await app.deps.database.kysely
        .insertInto('orderItems')
        .values({
          orderId: id,
          documentId: document.id,
          price: dinars(10),
          soldAt: at,
          refundedAt,
          teacherId: own.teacherId,
          teacherShare: dinars(7),
        })
        .execute()
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

  test('comes as CSV for Excel, without formulas', async () => {
    const own = await app.anOfficeTeacher()
    const title = '=HYPERLINK("https://evil.test";"x")'
    const evil = await app.aDocument({ teacherId: own.teacherId, price: dinars(1.5), title })
    const orderId = await buy(evil)
    await refundOrder(app.deps, { orderId })
    const month = tunisianMonth(new Date())
    const path = downloadStatement.path.replace(':month', month)
    const answer = await app.request('GET', `/api${path}?locale=fr`, { as: own })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toContain(`karras-${month}.csv`)
    // `fetch` takes the mark of UTF-8 off; Excel needs it.
    const lines = String(answer.body).split('\r\n')
    expect(lines[0]).toContain('Date;Opération;')
    expect(lines).toHaveLength(6)
    expect(lines[2]).toContain(`"'=HYPERLINK(""https://evil.test"";""x"")"`)
    expect(lines[2]).toMatch(/;1,5;1,05;1,05$/)
    expect(lines[3]).toMatch(/;-1,5;-1,05;0$/)
    const raw = await fetch(`${app.url}/api${path}`, {
      headers: { authorization: `Bearer ${own.token}` },
    })
    expect([...new Uint8Array(await raw.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  })
})
