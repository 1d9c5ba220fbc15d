import type { Invoice, InvoiceBuyer } from '../../../contract/invoices.ts'
import * as invoices from '../../../contract/invoices.ts'
import * as orders from '../../../contract/office-orders.ts'
import type { Language } from '../../../rules/languages.ts'
import type { Millimes } from '../../../rules/money.ts'
import { ORDER_STATUSES } from '../../../rules/payment-states.ts'
import { saveFile } from '../../../stores/shared/browser.ts'
import { ask } from '../../kit/backend.ts'
import { saveCsv } from '../../kit/csv.ts'
import { ofAddress, resource } from '../../kit/loader.ts'
import { tableOf } from '../../kit/tables/table.ts'

export const orderTable = tableOf(orders.listShopOrders, { choices: { status: ORDER_STATUSES } })

const order = resource(orders.getShopOrder, ofAddress('order_not_found'))
export const { $state: $shopOrder, load: loadShopOrder } = order

/** Makes out the invoice of an order that is shown. Throws an `ApiError`. */
export async function issueInvoice(id: number, body: InvoiceBuyer): Promise<void> {
  await ask(invoices.issueInvoice, { params: { id }, body })
  order.show(await ask(orders.getShopOrder, { params: { id } }))
}

export async function downloadInvoice({ id, number }: Invoice): Promise<void> {
  const file = await ask(invoices.downloadShopInvoice, { params: { id } })
  saveFile(file as Blob, `${number}.pdf`)
}

/** All invoices and credit notes of the shop, newest first. */
export const invoiceTable = tableOf(invoices.listInvoices)

/** Saves the invoices of a year or month as CSV. Throws an `ApiError`. */
export const exportInvoices = (period: string, locale: Language) =>
  saveCsv(ask(invoices.exportInvoices, { query: { period, locale } }), `karras-${period}.csv`)

/** A refund of an order or of one of its documents; `seen` is the amount that the page showed. */
export interface OrderRefund {
  orderId: number
  documentId?: number
  seen: Millimes
}

/**
 * Refunds an order, once for each `key`; whether that waits for a second person. Throws an
 * `ApiError`.
 */
export async function refundShopOrder(
  { orderId, ...refund }: OrderRefund,
  reason: string,
  key: string,
): Promise<boolean> {
  const input = { params: { id: orderId }, body: { ...refund, reason } }
  try {
    const { waits } = await ask(orders.refundShopOrder, input, { idempotencyKey: key })
    return waits !== null
  } finally {
    order.show(await ask(orders.getShopOrder, { params: { id: orderId } }))
  }
}
