import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import * as calls from '../../../src/contract/invoices.ts'
import { getOfficeFacts, saveLegal } from '../../../src/contract/office-facts.ts'
import { getShopOrder, refundShopOrder } from '../../../src/contract/office-orders.ts'
import { getOrder } from '../../../src/contract/orders.ts'
import { dinars } from '../../../src/rules/money.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { issueInvoice } from '../../../src/server/money/invoices/invoices.ts'
import { invoiceSheet } from '../../../src/server/money/invoices/sheet.ts'
import { checkLedger } from '../../../src/server/money/ledger-check.ts'
import { key } from '../../support/admin/payments.ts'
import { amount } from '../../support/amount.ts'
import { testApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import { bought, soundApp } from '../../support/payments.ts'
import { expectCode, expectRefused } from '../../support/refusals.ts'
import { logOf } from '../../support/staff-log.ts'
import { pay } from '../../support/wallet.ts'

const INVOICES = amount('INVOICES', { usual: 200, long: 1000 })

const app = await soundApp()
const administrator = await app.anOfficeAdministrator()

const LEGAL = {
  name: 'Karras SARL',
  taxNumber: '1282182W/A/M/000',
  register: '1282182W',
  vatRate: '19',
  exemption: { ar: '', fr: '', en: '' },
  stamp: '1.00',
}
const BUYER = {
  name: 'Amal Ben Salah',
  address: '4, rue de Sfax, Tunis',
  taxNumber: '',
  locale: 'fr' as const,
}

async function state(value = LEGAL) {
  const { groups } = await app.call(getOfficeFacts, { as: administrator })
  const body = { revision: groups.legal.revision, value }
  return app.call(saveLegal, { as: administrator, body })
}
await state()

/** A customer with a paid order of documents at these prices. */
async function aPurchase(...prices: number[]) {
  const buyer = await app.aCustomer({ balance: dinars(200) })
  const documents = []
  for (const price of prices) documents.push(await app.aDocument({ price: dinars(price) }))
  return { buyer, documents, orderId: await bought(app, buyer, documents) }
}

const askInvoice = (as: Person, id: number, body: object = {}) =>
  app.call(calls.requestInvoice, { as, params: { id }, body: { ...BUYER, ...body } })
const refund = (id: number, seen: number, documentId?: number) =>
  app.call(refundShopOrder, {
    as: administrator,
    key: key(),
    params: { id },
    body: { reason: 'Erreur', seen, ...(documentId && { documentId }) },
  })
const pdf = async (as: Person, path: string) => {
  const answer = await fetch(`${app.url}/api${path}`, {
    headers: { authorization: `Bearer ${as.token}` },
  })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}
const csv = async (query: string) =>
  String(
    (await app.request('GET', `/api/office/admin/invoices/csv?${query}`, { as: administrator }))
      .body,
  )

describe('an invoice', () => {
  test('is made out once, and is shown with the order', async () => {
    const { buyer, orderId } = await aPurchase(12.5)
    const made = await askInvoice(buyer, orderId, { taxNumber: '1282182 w a m 000' })
    expect(made).toMatchObject({ kind: 'invoice', total: 12.5 })
    expect(made.number).toMatch(/^20\d\d-\d{6}$/)
    expect(await askInvoice(buyer, orderId, { taxNumber: '1282182W/A/M/000' })).toEqual(made)
    await expectCode(askInvoice(buyer, orderId), 'already_invoiced')
    const order = await app.call(getOrder, { as: buyer, params: { id: orderId } })
    expect(order.invoices).toEqual([made])
    expect(await app.row('invoices', made.id)).toMatchObject({
      net: 9664,
      vat: 1836,
      stamp: 1000,
      vatRate: 19,
      seller: { name: 'Karras SARL', taxNumber: '1282182W/A/M/000', register: '1282182W' },
      buyer: { name: BUYER.name, taxNumber: '1282182W/A/M/000' },
    })
  })

  test('is made out by the office too, which logs it', async () => {
    const { orderId } = await aPurchase(20)
    const params = { id: orderId }
    const made = await app.call(calls.issueInvoice, { as: administrator, params, body: BUYER })
    const detail = await app.call(getShopOrder, { as: administrator, params })
    expect(detail.invoices).toEqual([made])
    expect(await logOf(app, `order ${orderId}`)).toEqual([
      { actor: `user ${administrator.id}`, action: 'issue invoice', reason: made.number },
    ])
    const list = await app.call(calls.listInvoices, { as: administrator, query: { orderId } })
    expect(list.content).toEqual([{ ...made, orderId, buyer: BUYER.name }])
  })

  test('names a bundle once, above its documents at their shares, and so does its credit note', async () => {
    const { id: teacherId } = await app.aTeacher()
    const of = (title: string, price: number) =>
      app.aDocument({ title, price: dinars(price), teacherId })
    const documents = [await of('Devoir', 6), await of('Corrigé', 4)]
    const single = await of('Résumé', 5)
    const { id: bundleId } = await app.aBundle({ documents, price: dinars(8), teacherId })
    const buyer = await app.aCustomer({ balance: dinars(200) })
    await pay(app, buyer, [...documents, single], { bundleIds: [bundleId] })
    const { id: orderId } = await app.kysely
      .selectFrom('orders')
      .select('id')
      .where('buyerId', '=', buyer.id)
      .executeTakeFirstOrThrow()
    const made = await askInvoice(buyer, orderId)
    const printed = async (id: number) =>
      invoiceSheet(await app.row('invoices', id), null, null).rows
    const heading = [`Vendus ensemble : lot ${bundleId}, chacun pour sa part du prix`, '']
    expect(await printed(made.id)).toEqual([
      ['Résumé', '5,000'],
      heading,
      ['Devoir', '4,800'],
      ['Corrigé', '3,200'],
    ])
    expect((await pdf(buyer, `/invoices/${made.id}/pdf`)).subarray(0, 5).toString()).toBe('%PDF-')
    await refund(orderId, 3.2, documents[1]?.id)
    const { invoices } = await app.call(getOrder, { as: buyer, params: { id: orderId } })
    expect(await printed(invoices[1]?.id ?? 0)).toEqual([heading, ['Corrigé', '3,200']])
  })

  test('is refused with the reason', async () => {
    const { buyer, orderId } = await aPurchase(20)
    const stranger = await app.aCustomer()
    await expectCode(askInvoice(stranger, orderId), 'order_not_found')
    for (const [body, fields] of [
      [{ name: ' ' }, { name: 'required' }],
      [{ address: '' }, { address: 'required' }],
      [{ taxNumber: '1282182X/A/M/000' }, { taxNumber: 'pattern' }],
    ] as const) {
      await expectRefused(askInvoice(buyer, orderId, body), 400, 'invalid_input', { fields })
    }
    const small = await aPurchase(1)
    await expectCode(askInvoice(small.buyer, small.orderId), 'nothing_to_invoice')
    await refund(orderId, 20)
    await expectCode(askInvoice(buyer, orderId), 'nothing_to_invoice')
    await state({ ...LEGAL, taxNumber: '' })
    const late = await aPurchase(20)
    await expectCode(askInvoice(late.buyer, late.orderId), 'invoices_not_offered')
    await state()
  })

  test('never changes', async () => {
    const { buyer, orderId } = await aPurchase(20)
    const { id } = await askInvoice(buyer, orderId)
    await expect(
      sql`UPDATE invoices SET net = 0 WHERE id = ${id}`.execute(app.kysely),
    ).rejects.toThrow('stays')
    await expect(sql`DELETE FROM invoices WHERE id = ${id}`.execute(app.kysely)).rejects.toThrow(
      'stays',
    )
  })

  test('is the same PDF every time, and only its own buyer’s and the office’s', async () => {
    const { buyer, orderId } = await aPurchase(20, 3.5)
    const { id } = await askInvoice(buyer, orderId, { locale: 'ar', name: 'أمل بن صالح' })
    const first = await pdf(buyer, `/invoices/${id}/pdf`)
    await state({ ...LEGAL, name: 'Autre SARL', vatRate: '7' })
    expect(first.subarray(0, 5).toString()).toBe('%PDF-')
    expect(await pdf(administrator, `/office/admin/invoices/${id}/pdf`)).toEqual(first)
    await state()
    const stranger = await app.aCustomer()
    const answer = await app.request('GET', `/api/invoices/${id}/pdf`, { as: stranger })
    expect(answer.status).toBe(404)
  })

  test(`is numbered without a gap: ${INVOICES} by 20 callers at once, though some are aborted`, async () => {
    const { deps, ...own } = await testApp()
    const { id: documentId, teacherId } = await own.aDocument({ price: dinars(20) })
    const { id: buyerId } = await own.aCustomer()
    const { kysely: db } = deps.database
    const value = JSON.stringify({ ...LEGAL, stamp: '1.00' })
    await sql`INSERT INTO site_versions (subject, revision, value, actor, made_at)
      VALUES ('facts legal', 1, ${value}, 'test', now())`.execute(db)
    const { rows: orders } = await sql<{ id: number }>`
      WITH placed AS (
        INSERT INTO orders (buyer_id, status, method, total, paid_at)
        SELECT ${buyerId}, 'paid', 'wallet', 20000, now() FROM generate_series(1, ${INVOICES}::integer)
        RETURNING id
      )
      INSERT INTO order_items (order_id, document_id, price, sold_at, teacher_id, teacher_share)
      SELECT id, ${documentId}, 20000, now(), ${teacherId}, 14000 FROM placed
      RETURNING order_id AS id`.execute(db)
    const waiting = [...orders]
    const caller = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        // A transaction that takes the next number and fails.
        const aborted = transaction(deps.database, async (tx) => {
          await sql`UPDATE invoice_counters SET last = last + 1`.execute(tx)
          throw new Error('aborted')
        }).catch(() => {})
        await issueInvoice(deps, { orderId: next.id, buyer: BUYER })
        await aborted
      }
    }
    await Promise.all(Array.from({ length: 20 }, caller))
    const { rows } = await sql<{ count: number; least: number; most: number }>`
      SELECT count(DISTINCT number)::integer AS count, min(number) AS least, max(number) AS most
      FROM invoices`.execute(db)
    expect(rows).toEqual([{ count: INVOICES, least: 1, most: INVOICES }])
    expect((await checkLedger(db)).wrongInvoices).toEqual([])
  }, 600_000)

  test('is made out once by two who ask at the same time', async () => {
    const { buyer, orderId } = await aPurchase(20)
    const made = await Promise.all(Array.from({ length: 5 }, () => askInvoice(buyer, orderId)))
    expect(new Set(made.map(({ number }) => number)).size).toBe(1)
  })
})

describe('a refund of an invoiced order', () => {
  test('makes credit notes that refer to it and take it back', async () => {
    const { buyer, orderId, documents } = await aPurchase(12.5, 7)
    const { id, number } = await askInvoice(buyer, orderId)
    await refund(orderId, 7, documents[1]?.id)
    await refund(orderId, 12.5)
    const order = await app.call(getOrder, { as: buyer, params: { id: orderId } })
    expect(order.invoices.map(({ kind, total }) => [kind, total])).toEqual([
      ['invoice', 19.5],
      ['credit_note', 7],
      ['credit_note', 12.5],
    ])
    const { rows } = await sql<{ net: number; vat: number; stamp: number }>`
      SELECT sum(net * CASE kind WHEN 'invoice' THEN 1 ELSE -1 END) AS net,
        sum(vat * CASE kind WHEN 'invoice' THEN 1 ELSE -1 END) AS vat,
        sum(stamp * CASE kind WHEN 'invoice' THEN 1 ELSE -1 END) AS stamp
      FROM invoices WHERE id = ${id} OR corrects = ${id}`.execute(app.kysely)
    expect(rows).toEqual([{ net: 0, vat: 0, stamp: 0 }])
    const note = order.invoices[1]
    expect((await pdf(buyer, `/invoices/${note?.id}/pdf`)).length).toBeGreaterThan(1000)

    const lines = (await csv(`period=${number.slice(0, 4)}&locale=fr`)).split('\r\n')
    expect(lines[0]).toContain('Numéro;Nature;Date')
    const mine = lines.filter((line) => line.includes(number))
    expect(mine).toHaveLength(3)
    expect(mine[0]).toContain('15,546;19;2,954;1,000;19,500')
    expect(mine[1]).toMatch(/;-7,000$/)
  })

  test('of an order without an invoice makes none', async () => {
    const { buyer, orderId } = await aPurchase(20)
    await refund(orderId, 20)
    const order = await app.call(getOrder, { as: buyer, params: { id: orderId } })
    expect(order.invoices).toEqual([])
  })
})

test('the export of a month has its invoices alone, safe for spreadsheets', async () => {
  const { buyer, orderId } = await aPurchase(20)
  const { number, issuedAt } = await askInvoice(buyer, orderId, { name: '=1+1' })
  const [year, month] = issuedAt.split('-')
  expect(await csv(`period=${year}-${month}`)).toMatch(new RegExp(`${number};.*;'=1\\+1;`))
  expect(await csv('period=2001')).not.toContain(number)
})

describe('the facts about taxes', () => {
  test('are checked, in one spelling', async () => {
    const saved = await state({
      ...LEGAL,
      taxNumber: '1282182 w/a/m/000',
      vatRate: '7,5 %',
      stamp: '0,6',
    })
    expect(saved.facts.legal).toMatchObject({
      taxNumber: '1282182W/A/M/000',
      vatRate: '7.5',
      stamp: '0.60',
    })
    for (const [value, fields] of [
      [{ taxNumber: '1282182X/A/M/000' }, { 'value.taxNumber': 'pattern' }],
      [{ register: '12' }, { 'value.register': 'pattern' }],
      [{ vatRate: '60' }, { 'value.vatRate': 'pattern' }],
      [{ stamp: '11' }, { 'value.stamp': 'max' }],
      [
        { vatRate: '0', exemption: { ar: 'إعفاء', fr: 'Exonéré', en: '' } },
        { 'value.exemption.en': 'required' },
      ],
    ] as const) {
      await expectRefused(state({ ...LEGAL, ...value }), 400, 'invalid_input', { fields })
    }
    await state()
  })
})
