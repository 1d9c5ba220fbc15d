import { type Kysely, sql } from 'kysely'
import type { InvoiceBuyer, Invoice as WireInvoice } from '../../../contract/invoices.ts'
import {
  creditSums,
  grossOf,
  type InvoiceKind,
  type InvoiceSums,
  invoiceNumber,
  invoiceSums,
} from '../../../rules/invoices.ts'
import type { Language } from '../../../rules/languages.ts'
import { hasInvoices, taxesOf } from '../../../rules/site-facts.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import type { InvoiceLine } from '../../database/money-tables.ts'
import type { Schema } from '../../database/schema.ts'
import { type Tx, transaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fault } from '../../http/errors.ts'
import { canonicalJson } from '../../http/idempotency.ts'
import { readFacts } from '../../site-texts/site-texts.ts'
import { logStaff } from '../../staff-log/staff-log.ts'
import { PAID, paidFor, type SoldItem, totalOf } from '../sale.ts'

export type Invoice = Awaited<ReturnType<ReturnType<typeof selectInvoices>['execute']>>[number]

interface InvoiceRequest {
  readonly orderId: number
  readonly buyer: InvoiceBuyer
  /** The customer whose order it has to be; the staff make out invoices for anybody. */
  readonly buyerId?: number
  /** The member of the staff who makes it out. */
  readonly actor?: string
}

/**
 * Makes out the invoice of a paid order, once: the same request again answers it. Throws
 * `order_not_found`, `invoices_not_offered` where the shop has not said who it is,
 * `nothing_to_invoice` for an order that is not paid, was free or refunded, or does not exceed the
 * stamp duty, and `already_invoiced`.
 */
export async function issueInvoice(
  deps: Pick<Deps, 'database' | 'config' | 'now'>,
  { orderId, buyer: { locale, ...buyer }, buyerId, actor }: InvoiceRequest,
): Promise<Invoice> {
  const facts = await readFacts(deps)
  const { legal, contact, brand } = facts
  return transaction(deps.database, async (tx) => {
    // As refunds do: an order is either refunded before, or after its invoice.
    const order = await tx
      .selectFrom('orders')
      .select(['buyerId', 'status'])
      .where('id', '=', orderId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!order || order.buyerId !== (buyerId ?? order.buyerId)) throw fault('order_not_found')
    const known = await selectInvoices(tx)
      .where('orderId', '=', orderId)
      .where('kind', '=', 'invoice')
      .executeTakeFirst()
    if (known) {
      const isSame = known.locale === locale && canonicalJson(known.buyer) === canonicalJson(buyer)
      if (isSame) return known
      throw fault('already_invoiced')
    }
    if (!hasInvoices(legal)) throw fault('invoices_not_offered')
    const lines = order.status === 'paid' ? await linesOf(tx, orderId) : []
    const { rate, stamp } = taxesOf(legal)
    const sums = invoiceSums(totalOf(lines), { rate, stamp })
    if (!sums) throw fault('nothing_to_invoice')
    const { vatRate: _, stamp: __, exemption, ...stated } = legal
    const invoice = await insert(tx, {
      kind: 'invoice',
      orderId,
      corrects: null,
      locale,
      issuedAt: new Date(deps.now()),
      seller: JSON.stringify({
        ...stated,
        mark: { name: brand.name[locale], logo: brand.logo, accent: brand.accent },
        address: contact.addresses[0]?.[locale] ?? '',
        phone: contact.phones[0] ?? '',
        email: contact.email,
        exemption: rate === 0 ? exemption[locale] : '',
      }),
      buyer: JSON.stringify(buyer),
      lines: JSON.stringify(lines.filter(({ price }) => price > 0)),
      vatRate: rate,
      ...sums,
    })
    if (actor) {
      const subject = { kind: 'order', id: orderId }
      await logStaff(tx, {
        actor,
        action: 'issue invoice',
        subject,
        reason: invoiceNumber(invoice),
      })
    }
    return invoice
  })
}

/**
 * Takes a refund back from the invoice of its order, if it has one, by a credit note. The caller
 * holds the lock of the order.
 */
export async function creditInvoice(
  tx: Tx,
  { orderId, items, at }: { orderId: number; items: readonly SoldItem[]; at: Date },
): Promise<void> {
  const ofOrder = await selectInvoices(tx).where('orderId', '=', orderId).execute()
  const invoice = ofOrder.find(({ kind }) => kind === 'invoice')
  const lines = items.map((item) => ({
    documentId: item.documentId,
    title: item.title,
    price: paidFor(item),
    bundleId: item.bundle?.id ?? null,
  }))
  const paid = lines.filter(({ price }) => price > 0)
  if (!invoice || paid.length === 0) return
  const notes = ofOrder.filter(({ corrects }) => corrects === invoice.id)
  const before = notes.reduce((sum, note) => sum + grossOf(note), 0)
  await insert(tx, {
    kind: 'credit_note',
    orderId,
    corrects: invoice.id,
    locale: invoice.locale,
    issuedAt: at,
    seller: JSON.stringify(invoice.seller),
    buyer: JSON.stringify(invoice.buyer),
    lines: JSON.stringify(paid),
    vatRate: invoice.vatRate,
    ...creditSums(invoice, before, totalOf(paid)),
  })
}

interface NewInvoice extends InvoiceSums {
  readonly kind: InvoiceKind
  readonly orderId: number
  readonly corrects: number | null
  readonly issuedAt: Date
  readonly locale: Language
  readonly seller: string
  readonly buyer: string
  readonly lines: string
  readonly vatRate: number | null
}

/**
 * Writes an invoice under the next number of its kind and year. The counter's row stays locked
 * until the transaction ends, and an aborted one gives its number back: hence no gaps.
 */
async function insert(tx: Tx, invoice: NewInvoice): Promise<Invoice> {
  const { kind } = invoice
  const year = Number(tunisianDay(invoice.issuedAt).slice(0, 4))
  const { last } = await tx
    .insertInto('invoiceCounters')
    .values({ kind, year, last: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'year'])
        .doUpdateSet({ last: sql<number>`invoice_counters.last + 1` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  const { id } = await tx
    .insertInto('invoices')
    .values({ ...invoice, year, number: last })
    .returning('id')
    .executeTakeFirstOrThrow()
  return selectInvoices(tx).where('id', '=', id).executeTakeFirstOrThrow()
}

/** The documents of an order that are not refunded, as they were sold. */
async function linesOf(tx: Tx, orderId: number): Promise<InvoiceLine[]> {
  return tx
    .selectFrom('orderItems')
    .innerJoin('documents', 'documents.id', 'orderItems.documentId')
    .select(['documentId', 'documents.title', PAID.as('price'), 'bundleId'])
    .where('orderId', '=', orderId)
    .where('refundedAt', 'is', null)
    .orderBy('documentId')
    .execute()
}

export function selectInvoices(db: Kysely<Schema>) {
  return db.selectFrom('invoices').selectAll('invoices')
}

/** The invoices and credit notes of these orders, oldest first. */
export async function invoicesOf(
  db: Kysely<Schema>,
  orderIds: readonly number[],
): Promise<Map<number, WireInvoice[]>> {
  if (orderIds.length === 0) return new Map()
  const rows = await selectInvoices(db).where('orderId', 'in', orderIds).orderBy('id').execute()
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId)
  return new Map([...byOrder].map(([orderId, found]) => [orderId, found.map(presentInvoice)]))
}

export function presentInvoice(invoice: Invoice): WireInvoice {
  return {
    id: invoice.id,
    kind: invoice.kind,
    number: invoiceNumber(invoice),
    issuedAt: invoice.issuedAt.toISOString(),
    total: grossOf(invoice),
  }
}
