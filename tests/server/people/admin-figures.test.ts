import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addToCart } from '../../../src/contract/carts.ts'
import { getClosing } from '../../../src/contract/office-closings.ts'
import * as figures from '../../../src/contract/office-figures.ts'
import { initiateRecharge } from '../../../src/contract/wallet.ts'
import { DAY_MS } from '../../../src/rules/durations.ts'
import { dinars } from '../../../src/rules/money.ts'
import { daysAfter, periodBefore, periodOf } from '../../../src/rules/tunisia-time.ts'
import {
  EMPTY_SEARCH_DAYS,
  EMPTY_SEARCHES_LEAST,
  OPENED_HEADER,
} from '../../../src/rules/visits.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { keepAllSums } from '../../../src/server/figures/figures.ts'
import { cleanUp } from '../../../src/server/jobs/clean-up.ts'
import { confirmManual, refundItems } from '../../../src/server/money/money.ts'
import { today } from '../../support/dates.ts'
import type { Person } from '../../support/factories.ts'
import { callByCommand } from '../../support/operator.ts'
import { bought } from '../../support/payments.ts'
import { sharedApp } from '../../support/test.ts'

let keys = 0

const app = await sharedApp()
const admin = await app.anOfficeAdministrator({ firstName: 'Leïla', lastName: 'Mansour' })

const ago = (days: number) => new Date(app.deps.now() - days * DAY_MS)
const refund = (orderId: number) =>
  transaction(app.deps.database, (tx) => refundItems(tx, { orderId }))

async function topUp(buyer: Person, amount: number): Promise<void> {
  const { paymentRef } = await app.call(initiateRecharge, {
    as: buyer,
    key: `top-up ${keys++}`,
    body: { userId: buyer.id, amount, paymentMethod: 'D17' },
  })
  await confirmManual(app.deps, paymentRef)
}

interface Period {
  unit: 'day' | 'month' | 'year'
  at?: string
}

const readFigures = (query: Period) => app.call(figures.getFigures, { as: admin, query })
const ranked = (query: Period) => app.call(figures.getRankings, { as: admin, query })

/** The sums of the closings of some days. */
async function closingsOf({ from, to }: { from: string; to: string }) {
  const total = { gross: 0, refunds: 0, topUps: 0 }
  for (let day = from; day <= to && day <= today(app); day = daysAfter(day, 1)) {
    const { lines } = await app.call(getClosing, { as: admin, params: { day } })
    const booked = (name: string) => dinars(lines.find(({ line }) => line === name)?.booked ?? 0)
    total.gross += booked('sales')
    total.refunds += booked('refunds')
    total.topUps += booked('topUps')
  }
  return total
}

const figuresOf = ({ sums }: figures.Figures) => ({
  gross: dinars(sums.gross),
  refunds: dinars(sums.refunds),
  topUps: dinars(sums.card) + dinars(sums.bank_transfer) + dinars(sums.d17),
})

describe('the figures', () => {
  test('show what was sold, refunded, shared and topped up, and by whom', async () => {
    const before = await readFigures({ unit: 'day' })
    const teacher = await app.aTeacher()
    const old = await app.aCustomer({ balance: dinars(100) })
    const buyer = await app.aCustomer({ balance: dinars(100) })
    const dear = await app.aDocument({ price: dinars(20), teacherId: teacher.id, title: 'الكسور' })
    const cheap = await app.aDocument({ price: dinars(5), teacherId: teacher.id })
    const free = await app.aDocument({ price: 0, teacherId: teacher.id })
    await bought(app, old, [cheap], ago(40))
    await bought(app, old, [dear])
    await bought(app, buyer, [dear, free])
    await refund(await bought(app, buyer, [cheap]))
    await topUp(buyer, 30)
    const { sums, owed, sumsBefore } = await readFigures({ unit: 'day' })
    const gained = (name: keyof typeof sums) => dinars(sums[name]) - dinars(before.sums[name])
    expect(gained('gross')).toBe(dinars(45))
    expect(gained('refunds')).toBe(dinars(5))
    expect(gained('teachers')).toBe(dinars(28))
    expect(gained('shop')).toBe(dinars(12))
    expect(gained('d17')).toBe(dinars(30))
    expect(sums.orders - before.sums.orders).toBe(3)
    expect(sums.documents - before.sums.documents).toBe(3)
    expect(sums.newBuyers - before.sums.newBuyers).toBe(1)
    expect(sums.returningBuyers - before.sums.returningBuyers).toBe(1)
    expect(sumsBefore).toEqual(before.sumsBefore)
    expect(figuresOf(await readFigures({ unit: 'day' }))).toEqual(
      await closingsOf({ from: today(app), to: today(app) }),
    )
    // A sale of 40 days ago can be paid out; one of today not yet.
    expect(dinars(owed.payable) - dinars(before.owed.payable)).toBe(dinars(3.5))
    expect(dinars(owed.held) - dinars(before.owed.held)).toBe(dinars(28))
    const closing = await app.call(getClosing, { as: admin, params: { day: today(app) } })
    const accounts = Object.fromEntries(
      closing.balances.map(({ account, closing: end }) => [account, end]),
    )
    expect(owed.wallets).toBe(accounts.customer)
    expect(dinars(owed.payable) + dinars(owed.held) - dinars(owed.overpaid)).toBe(
      dinars(accounts.teacher_earnings ?? 0),
    )

    const { documents, teachers } = await ranked({ unit: 'day' })
    expect(documents).toContainEqual({ id: dear.id, title: 'الكسور', sales: 2, gross: 40 })
    expect(documents.map(({ id }) => id)).not.toContain(cheap.id)
    expect(teachers).toContainEqual(
      expect.objectContaining({ id: teacher.id, sales: 2, gross: 40, share: 28 }),
    )
  })

  test('equal those of the closings, for bookings in any order', async () => {
    const [free, ...others] = await app.documentsAt(0, 2.5, 7, 12.75)
    const documents = [free, ...others]
    const aStep = fc.record({
      act: fc.constantFrom('buy', 'buy', 'refund', 'topUp', 'sum'),
      what: fc.nat(99),
      daysAgo: fc.integer({ min: 0, max: 50 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 4, maxLength: 14 }), async (steps) => {
        const buyer = await app.aCustomer({ balance: dinars(200) })
        const orders = new Map<{ id: number }, number>()
        for (const { act, what, daysAgo } of steps) {
          const document = documents[what % documents.length] ?? free
          if (act === 'buy' && !orders.has(document)) {
            orders.set(document, await bought(app, buyer, [document], ago(daysAgo)))
          }
          if (act === 'topUp') await topUp(buyer, 10 + (what % 20))
          if (act === 'sum') await keepAllSums(app.deps)
          const [last, orderId = 0] = [...orders].at(-1) ?? []
          if (act === 'refund' && last && last !== free) {
            await refund(orderId)
            orders.delete(last)
          }
        }
        const shown = await readFigures({ unit: 'month' })
        expect(figuresOf(shown)).toEqual(await closingsOf(shown.period))
        const net = (points: figures.Figures['points']) =>
          points.reduce((sum, point) => sum + dinars(point.net), 0)
        const { gross, refunds } = figuresOf(shown)
        expect(net(shown.points)).toBe(gross - refunds)
        expect(dinars(shown.sums.shop) + dinars(shown.sums.teachers)).toBe(gross - refunds)
      }),
      { seed: 20_261_122, numRuns: 5 },
    )
    const before = periodOf('month', daysAfter(periodOf('month', today(app)).from, -1))
    const earlier = await readFigures({ unit: 'month', at: before.from })
    expect(figuresOf(earlier)).toEqual(await closingsOf(before))
    const year = await readFigures({ unit: 'year' })
    const thisMonth = year.points.find(({ at }) => at.slice(0, 7) === today(app).slice(0, 7))
    const { gross, refunds } = figuresOf(await readFigures({ unit: 'month' }))
    expect(dinars(thisMonth?.net ?? 0)).toBe(gross - refunds)
  })

  test('compare an unfinished period with as many days of the previous one', () => {
    const cut = (unit: 'day' | 'month' | 'year', day: string) =>
      Object.values(periodBefore(unit, periodOf(unit, day), '2026-03-30'))
    expect(cut('month', '2026-03-30')).toEqual(['2026-02-01', '2026-02-28'])
    expect(cut('year', '2026-03-30')).toEqual(['2025-01-01', '2025-03-30'])
    expect(cut('day', '2026-03-30')).toEqual(['2026-03-29', '2026-03-29'])
    expect(cut('month', '2026-01-15')).toEqual(['2025-12-01', '2025-12-31'])
    expect(
      Object.values(periodBefore('month', periodOf('month', '2026-03-10'), '2026-03-10')),
    ).toEqual(['2026-02-01', '2026-02-10'])
  })

  test('exist for any day, and refuse anything else', async () => {
    for (const at of ['2000-01-01', '2099-12-31']) {
      for (const unit of ['day', 'month', 'year'] as const) {
        const { sums, points } = await readFigures({ unit, at })
        expect(sums.gross, at).toBe(0)
        expect(points.every(({ net }) => net === 0)).toBe(true)
      }
    }
    for (const wrong of ['unit=week', 'unit=day&at=2026-02-30', 'at=2026-01-01']) {
      for (const table of ['figures', 'figures/rankings', 'figures/csv']) {
        const path = `/api/office/admin/${table}?${wrong}`
        expect((await app.request('GET', path, { as: admin })).status, path).toBe(400)
      }
    }
  })

  test('are available as CSV, and on the command line', async () => {
    for (const table of figures.FIGURE_TABLES) {
      const path = `/api/office/admin/figures/csv?unit=month&table=${table}&locale=fr`
      const { status, headers, body } = await app.request('GET', path, { as: admin })
      expect(status, table).toBe(200)
      expect(headers.get('content-type')).toContain('text/csv')
      expect(String(body).split('\r\n').length, table).toBeGreaterThan(1)
    }
    const { sums } = await callByCommand(app, 'getFigures', 'unit=month')
    expect(sums.gross).toBe((await readFigures({ unit: 'month' })).sums.gross)
  })
})

describe('visits', () => {
  const FIREFOX = 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'
  const asks = (
    url: string,
    headers: Record<string, string> = {},
    isEmpty = false,
    method = 'GET',
  ) =>
    app.deps.visits.page(
      {
        method,
        url,
        headers: { 'user-agent': FIREFOX, ...headers },
      } as unknown as IncomingMessage,
      url.split('?')[0] ?? '',
      isEmpty,
    )
  const TYPED = { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }
  const WITHIN = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }

  test('are counted per day, without bots, staff and prefetches', async () => {
    const { sums: before } = await readFigures({ unit: 'day' })
    asks('/', TYPED)
    asks('/fr/shop-details/12', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' })
    asks('/shop-details/13', WITHIN)
    // Prefetched, then opened.
    const opened = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }
    asks('/shop-details/13', { ...WITHIN, 'sec-purpose': 'prefetch' })
    asks('/shop-details/13', { ...opened, [OPENED_HEADER]: '1' }, false, 'HEAD')
    asks('/shop-details/13', opened, false, 'HEAD')
    asks('/shop', { referer: 'http://shop.example/', host: 'shop.example' })
    asks('/shop', { referer: 'https://search.example/?q=karras', host: 'shop.example' })
    for (const headers of [
      { ...TYPED, 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' },
      { ...TYPED, 'user-agent': '' },
      { ...TYPED, 'sec-purpose': 'prefetch' },
      { ...TYPED, 'sec-fetch-dest': 'empty' },
    ]) {
      asks('/shop-details/12', headers)
    }
    asks('/office/orders', TYPED)
    asks('/my-documents?payment=abc', { 'sec-fetch-site': 'cross-site' })
    const customer = await app.aCustomer()
    const { id: documentId } = await app.aDocument({ price: dinars(3) })
    for (let times = 0; times < 2; times++) {
      await app.call(addToCart, { as: customer, query: { userId: customer.id, documentId } })
    }
    const { sums } = await readFigures({ unit: 'day' })
    expect(sums.visits - before.visits).toBe(3)
    expect(sums.details - before.details).toBe(3)
    expect(sums.cart - before.cart).toBe(1)
    const rows = await app.kysely.selectFrom('visitCounts').selectAll().execute()
    expect(rows.map(({ day, step }) => `${day} ${step}`).sort()).toEqual(
      ['cart', 'details', 'visit'].map((step) => `${today(app)} ${step}`),
    )
  })

  test('record a search without results from its third time on, folded, and nothing personal', async () => {
    const search = (text: string, times = EMPTY_SEARCHES_LEAST) => {
      for (let at = 0; at < times; at++) {
        asks(`/shop?search=${encodeURIComponent(text)}`, { 'sec-fetch-dest': 'empty' }, true)
      }
    }
    search('  الفيزِياء   النّوويّة ')
    search('مرّة واحدة', EMPTY_SEARCHES_LEAST - 1)
    for (const kept of [
      'sami@mail.example',
      '98 765 432',
      '٩٨٧٦٥٤٣٢',
      '+216-98-765-432',
      'https://example.com/x',
      'www.example.com',
      'x',
      '🙂',
      'ك'.repeat(61),
    ]) {
      search(kept)
    }
    await app.deps.visits.flush()
    const stored = () => app.kysely.selectFrom('emptySearches').selectAll().execute()
    expect(await stored()).toEqual([
      { day: today(app), words: 'الفيزيا النوويه', count: EMPTY_SEARCHES_LEAST },
    ])
    search('الفيزياء النووية', 2)
    expect((await ranked({ unit: 'month' })).searches).toEqual([
      { words: 'الفيزيا النوويه', count: EMPTY_SEARCHES_LEAST + 2 },
    ])
    await cleanUp({ ...app.deps, now: () => app.deps.now() + EMPTY_SEARCH_DAYS * DAY_MS })
    expect(await stored()).toHaveLength(1)
    await cleanUp({ ...app.deps, now: () => app.deps.now() + EMPTY_SEARCH_DAYS * DAY_MS + DAY_MS })
    expect(await stored()).toEqual([])
  })
})
