import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import * as closings from '../../../src/contract/office-closings.ts'
import * as commissions from '../../../src/contract/office-commissions.ts'
import { LOCALES } from '../../../src/i18n/locales.ts'
import { dinars } from '../../../src/rules/money.ts'
import { tunisianDay } from '../../../src/rules/tunisia-time.ts'
import { refundOrder } from '../../../src/server/money/refunds.ts'
import { aTransfer, decide, expectOneSucceeds } from '../../support/admin/payments.ts'
import type { Person } from '../../support/factories.ts'
import { bought } from '../../support/payments.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { sharedApp } from '../../support/test.ts'
import { uiText } from '../../support/texts.ts'

const app = await sharedApp()
const first = await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' })
const second = await app.anOfficeAdministrator({ firstName: 'Karim', lastName: 'Jaziri' })

describe("a day's closing", () => {
  const read = (day: string) => app.call(closings.getClosing, { as: first, params: { day } })
  const close = (by: Person, day: string, seen: number | null = null) =>
    app.call(closings.closeDay, { as: by, params: { day }, body: { seen } })
  // The ledger uses the database's own clock.
  const today = () => tunisianDay(new Date())

  test('adds up to the ledger, line by line and account by account', async () => {
    const before = await read(today())
    const buyer = await app.aCustomer()
    await decide(app, first, await aTransfer(app, buyer, 50))
    const orderId = await bought(app, buyer, await app.documentsAt(20))
    await refundOrder(app.deps, { orderId })
    const closing = await read(today())
    expect(closing.difference).toBe(0)
    const gained = (name: string) => {
      const of = ({ lines }: typeof closing) => lines.find(({ line }) => line === name)
      const [now, then] = [of(closing), of(before)]
      expect(now?.booked, name).toBe(now?.recorded)
      return Math.round(((now?.booked ?? 0) - (then?.booked ?? 0)) * 100) / 100
    }
    const changed = closings.CLOSING_LINES.map((name) => [name, gained(name)] as const)
    expect(Object.fromEntries(changed.filter(([, amount]) => amount !== 0))).toEqual({
      d17: 50,
      sales: 20,
      walletSales: 20,
      topUps: 50,
      refunds: 20,
    })
    const sum = closing.balances.reduce((total, account) => total + dinars(account.closing), 0)
    expect(sum).toBe(0)
    for (const { opening, moved, closing: end } of closing.balances) {
      expect(dinars(opening) + dinars(moved)).toBe(dinars(end))
    }
    const { rows } = await sql<{ held: number }>`
      SELECT sum(balance)::bigint AS held FROM accounts`.execute(app.kysely)
    const wallets = closing.balances.find(({ account }) => account === 'customer')
    expect(dinars(wallets?.closing ?? 0)).toBe(rows[0]?.held)
    const none = await read('2020-02-29')
    expect(none.lines.every(({ count }) => count === 0)).toBe(true)
    expect(none.difference).toBe(0)
  })

  test('is recorded once, and again only after another booking', async () => {
    const day = today()
    await expectOneSucceeds([close(first, day), close(second, day)])
    const closed = await read(day)
    expect(closed.closedBy).toMatchObject([{ isSame: true }])
    await expectOneSucceeds([close(second, day, closed.closedBy[0]?.id), Promise.resolve()])
    await decide(app, first, await aTransfer(app, await app.aCustomer(), 10))
    expect((await read(day)).closedBy).toMatchObject([{ isSame: false }])
    const again = await close(second, day, closed.closedBy[0]?.id)
    expect(again.closedBy).toMatchObject([{ by: 'Karim Jaziri', isSame: true }, { isSame: false }])
    await expectCode(close(first, '2099-01-01'), 'day_not_over')
    for (const wrong of ['2026-02-30', 'today', '26-01-01']) {
      await expectRefused(read(wrong), 400)
    }
    const rewrite = sql`UPDATE day_closings SET actor = 'x'`.execute(app.kysely)
    await expect(rewrite).rejects.toThrow(/only added to/)
  })

  test('is a CSV that Excel opens, in each language', async () => {
    for (const locale of LOCALES) {
      const path = `/api/office/admin/closings/${today()}/csv?locale=${locale}`
      const { status, headers, body } = await app.request('GET', path, { as: first })
      expect(status).toBe(200)
      expect(headers.get('content-disposition')).toContain(`karras-${today()}.csv`)
      expect(String(body)).toContain(uiText(locale, 'office-money:closing.lines.d17'))
    }
  })
})

describe('commission', () => {
  const overview = () => app.call(commissions.getCommissions, { as: first })
  const set = (body: Partial<Parameters<typeof change>[0]>, as = first) =>
    change({ teacherId: null, percent: 65, reason: 'test', seen: null, ...body }, as)
  const change = (
    body: { teacherId: number | null; percent: number | null; reason: string; seen: number | null },
    as: Person,
  ) => app.call(commissions.setCommission, { as, body })
  const listed = (q: string) =>
    app.call(commissions.listTeacherShares, { as: first, query: { q, size: 100 } })

  test('is the shop’s or a teacher’s own, from now on, with a history and log entries', async () => {
    const { id: teacherId } = await app.aTeacher({ firstName: 'آمنة', lastName: 'الزواري' })
    const before = await overview()
    expect(before.shop).toMatchObject({ percent: 70, isSet: false })
    const { shop, history } = await set({ seen: before.shop.seen, reason: 'اتفاق جديد' })
    expect(shop).toMatchObject({ percent: 65, isSet: true, seen: history[0]?.id })
    const noted = { teacher: null, percent: 65, reason: 'اتفاق جديد', by: 'Leïla Mansour' }
    expect(history[0]).toMatchObject(noted)
    expect((await listed('امنه زوار')).content).toEqual([
      {
        ...{ teacherId, name: 'آمنة الزواري', percent: 65, isSet: false, seen: null },
        withholding: { percent: 0, seen: null },
      },
    ])
    await set({ teacherId, percent: 80 })
    const [own] = (await listed('الزوارى')).content
    expect(own).toMatchObject({ percent: 80, isSet: true })
    await set({ teacherId, percent: null, seen: own?.seen ?? null })
    expect((await listed('زواري')).content).toMatchObject([{ percent: 65, isSet: false }])
    await set({ percent: null, seen: shop.seen })
    expect((await overview()).shop).toMatchObject({ percent: 70, isSet: false })
    const log = await logOf(app, `teacher ${teacherId}`)
    const change = { actor: `user ${first.id}`, action: 'change setting' }
    expect(log).toEqual([
      { ...change, reason: 'share_percent = 80: test' },
      { ...change, reason: 'share_percent = the default: test' },
    ])
  })

  test('is changed once by two concurrent edits, and refuses invalid input', async () => {
    const { id: teacherId } = await app.aTeacher()
    await expectOneSucceeds([
      set({ teacherId, percent: 75 }),
      set({ teacherId, percent: 60 }, second),
    ])
    await expectCode(set({ teacherId: 999_999 }), 'teacher_not_found')
    for (const wrong of [
      { percent: 101 },
      { percent: -1 },
      { percent: 12.5 },
      { reason: ' ' },
      { reason: 'x'.repeat(301) },
      { percent: '٧٠' as never },
    ]) {
      await expectRefused(set({ teacherId, ...wrong }), 400)
    }
  })
})
