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

export const shopOrder = resource(orders.getShopOrder, ofAddress('order_not_found'))

/** Makes out the invoice of an order that is shown. Throws an `ApiError`. */
export async function issueInvoice(id: number, body: InvoiceBuyer): Promise<void> {
  const issued = await ask(invoices.issueInvoice, { params: { id }, body })
  const order = shopOrder.value()
  if (!order) return
  const others = order.invoices.filter((each) => each.id !== issued.id)
  shopOrder.show({ ...order, invoices: [...others, issued] })
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

/**
 * Refunds an order or one of its documents, once for each `key`; `seen` is the amount that the page
 * showed. Throws an `ApiError`.
 */
export const refundShopOrder = (
  id: number,
  body: { documentId?: number; seen: Millimes; reason: string },
  idempotencyKey: string,
) =>
  ask(orders.refundShopOrder, { params: { id }, body }, { idempotencyKey }).finally(
    shopOrder.refresh,
  )
