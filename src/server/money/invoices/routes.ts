import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import * as calls from '../../../contract/invoices.ts'
import { DEFAULT_LOCALE, type Locale } from '../../../i18n/locales.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { csvRows, csvTable } from '../../../rules/csv.ts'
import { grossOf, invoiceNumber } from '../../../rules/invoices.ts'
import { PAGE_SIZE } from '../../../rules/pager.ts'
import { monthsAfter, startOfMonth, tunisianDay } from '../../../rules/tunisia-time.ts'
import { countRows } from '../../database/count-rows.ts'
import type { Schema } from '../../database/schema.ts'
import type { Deps } from '../../deps.ts'
import { printSheet } from '../../drawing/drawing.ts'
import { fault } from '../../http/errors.ts'
import { csvFile, pageOf, type Route, route } from '../../http/route.ts'
import { findLogo } from '../../site-texts/site-texts.ts'
import { inTime } from '../../workers/workers.ts'
import { type Invoice, issueInvoice, presentInvoice, selectInvoices } from './invoices.ts'
import { invoiceSheet } from './sheet.ts'

export const invoiceRoutes: Route[] = [
  route(calls.requestInvoice, async ({ input: { params, body }, user, deps }) => {
    const request = { orderId: params.id, buyer: body, buyerId: user.id }
    return presentInvoice(await issueInvoice(deps, request))
  }),

  route(calls.downloadInvoice, async ({ input: { params }, user, deps, reply }) => {
    const invoice = await selectInvoices(deps.database.kysely)
      .innerJoin('orders', 'orders.id', 'invoices.orderId')
      .where('orders.buyerId', '=', user.id)
      .where('invoices.id', '=', params.id)
      .executeTakeFirst()
    return sendInvoice(deps, reply, invoice, user.id)
  }),

  route(calls.listInvoices, async ({ input: { query }, deps }) => {
    const { page = 0, size = PAGE_SIZE, orderId } = query
    let found = selectInvoices(deps.database.kysely)
    if (orderId !== undefined) found = found.where('orderId', '=', orderId)
    const rows = await found
      .orderBy('id', 'desc')
      .limit(size)
      .offset(page * size)
      .execute()
    const invoices = rows.map((row) => {
      return { ...presentInvoice(row), orderId: row.orderId, buyer: row.buyer.name }
    })
    return pageOf(invoices, { total: await countRows(found), page, size })
  }),

  route(calls.issueInvoice, async ({ input: { params, body }, user, deps }) => {
    const request = { orderId: params.id, buyer: body, actor: user.actor }
    return presentInvoice(await issueInvoice(deps, request))
  }),

  route(calls.downloadShopInvoice, async ({ input: { params }, user, deps, reply }) => {
    const invoice = await selectInvoices(deps.database.kysely)
      .where('id', '=', params.id)
      .executeTakeFirst()
    return sendInvoice(deps, reply, invoice, user.id)
  }),

  route(calls.exportInvoices, async ({ input: { query }, deps, reply }) => {
    const { period, locale = DEFAULT_LOCALE } = query
    const isYear = period.length === 4
    const from = isYear ? `${period}-01` : period
    const span = { from, to: monthsAfter(from, isYear ? 12 : 1) }
    return csvFile(
      reply,
      `karras-${period}.csv`,
      Readable.from(csvOf(deps.database.kysely, span, locale)),
    )
  }),
]

/** Sends an invoice as PDF; throws `not_found` for none, and `WorkersBusy`. */
async function sendInvoice(
  { database, workers }: Deps,
  reply: FastifyReply,
  invoice: Invoice | undefined,
  userId: number,
): Promise<FastifyReply> {
  if (!invoice) throw fault('not_found')
  const corrected =
    invoice.corrects === null
      ? null
      : await selectInvoices(database.kysely)
          .where('id', '=', invoice.corrects)
          .executeTakeFirstOrThrow()
  const customer = { lane: 'bought', account: `user ${userId}` } as const
  const logo = await findLogo(database.kysely, invoice.seller.mark?.logo ?? '')
  const sheet = invoiceSheet(invoice, corrected, logo?.content ?? null)
  const pdf = await inTime(printSheet(workers, sheet, customer))
  return reply
    .headers({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${invoice.kind}-${invoiceNumber(invoice)}.pdf"`,
      'cache-control': 'private, no-store',
    })
    .send(pdf)
}

/** How many invoices are read at a time. */
const BATCH = 500

/** The file for the accountant, in pieces: a year may have many invoices. */
async function* csvOf(
  db: Kysely<Schema>,
  span: { readonly from: string; readonly to: string },
  locale: Locale,
): AsyncGenerator<string> {
  const { kinds, ...columns } = TEXTS[locale].invoice.csv
  yield csvTable([
    [
      columns.number,
      columns.kind,
      columns.date,
      columns.order,
      columns.corrects,
      columns.buyer,
      columns.taxNumber,
      columns.net,
      columns.rate,
      columns.vat,
      columns.stamp,
      columns.total,
    ],
  ])
  for (let last = 0; ; ) {
    const rows = await selectInvoices(db)
      .leftJoin('invoices as corrected', 'corrected.id', 'invoices.corrects')
      .select(['corrected.year as ofYear', 'corrected.number as ofNumber'])
      .where('invoices.id', '>', last)
      .where('invoices.issuedAt', '>=', startOfMonth(span.from))
      .where('invoices.issuedAt', '<', startOfMonth(span.to))
      .orderBy('invoices.id')
      .limit(BATCH)
      .execute()
    yield csvRows(
      rows.map((row) => {
        const sign = row.kind === 'invoice' ? 1 : -1
        const amount = (millimes: number) => ({ millimes: sign * millimes })
        const { ofYear: year, ofNumber: number } = row
        return [
          invoiceNumber(row),
          kinds[row.kind],
          tunisianDay(row.issuedAt),
          row.orderId,
          year === null || number === null ? null : invoiceNumber({ year, number }),
          row.buyer.name,
          row.buyer.taxNumber,
          amount(row.net),
          row.vatRate,
          amount(row.vat),
          amount(row.stamp),
          amount(grossOf(row)),
        ]
      }),
    )
    last = rows.at(-1)?.id ?? 0
    if (rows.length < BATCH) return
  }
}
