import { describe, expect, test } from 'vitest'
import { downloadStatement, getStatement, listStatements } from '../../../src/contract/earnings.ts'
import { dinars } from '../../../src/rules/money.ts'
import { tunisianMonth } from '../../../src/rules/tunisia-time.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { buy } from '../../support/earnings.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const buyer = await app.aCustomer({ balance: dinars(500), firstName: 'أمل', lastName: 'بن صالح' })

describe('a statement', () => {
  test('adds up, over months whose borders are at midnight in Tunisia', async () => {
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

  test('is available as CSV for Excel, without formulas', async () => {
    const own = await app.anOfficeTeacher()
    const title = '=HYPERLINK("https://evil.test";"x")'
    const evil = await app.aDocument({ teacherId: own.teacherId, price: dinars(1.5), title })
    const orderId = await buy(app, buyer, evil)
    await refundOrder(app.deps, { orderId })
    const month = tunisianMonth(new Date())
    const path = downloadStatement.path.replace(':month', month)
    const answer = await app.request('GET', `/api${path}?locale=fr`, { as: own })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toContain(`karras-${month}.csv`)
    // `fetch` strips the byte order mark; Excel needs it.
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
