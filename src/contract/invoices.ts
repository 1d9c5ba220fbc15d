import * as s from 'superstruct'
import { BUYER_ADDRESS_MAX_LENGTH, INVOICE_KINDS } from '../rules/invoices.ts'
import { LANGUAGES } from '../rules/languages.ts'
import { FACT_MAX_LENGTH } from '../rules/site-facts.ts'
import { MailLanguage } from './account-fields.ts'
import { defineCall } from './call.ts'
import { taxNumber } from './tax-number.ts'
import { byId, dinarAmount, id, moment, nameText, nothing, pageOf, pageQuery } from './values.ts'

/** An invoice of an order, or a credit note for what was refunded of it later. */
export const Invoice = s.type({
  id: id(),
  kind: s.enums(INVOICE_KINDS),
  /** Consecutive within its kind and year: `2026-000123`. */
  number: s.string(),
  issuedAt: moment(),
  total: dinarAmount(),
})
export type Invoice = s.Infer<typeof Invoice>

/** To whom an invoice is made out. */
export const InvoiceBuyer = s.object({
  name: nameText(1, FACT_MAX_LENGTH),
  address: nameText(1, BUYER_ADDRESS_MAX_LENGTH),
  taxNumber: taxNumber(),
  /** The language of the invoice. */
  locale: MailLanguage,
})
export type InvoiceBuyer = s.Infer<typeof InvoiceBuyer>

const OF_AN_INVOICE = [
  'order_not_found',
  'invoices_not_offered',
  'nothing_to_invoice',
  'already_invoiced',
] as const

/**
 * Makes out the invoice of the caller's own paid order, over what of it is not refunded. An order
 * has one invoice, which never changes: the same request again answers it, another is refused.
 */
export const requestInvoice = defineCall('POST /orders/:id/invoice', 'user', {
  feature: 'orders',
  params: byId,
  body: InvoiceBuyer,
  result: Invoice,
  errors: OF_AN_INVOICE,
})

/** An invoice, or a credit note, of the caller's own order as a PDF. */
export const downloadInvoice = defineCall('GET /invoices/:id/pdf', 'user', {
  feature: 'orders',
  params: byId,
  answers: 'file',
  result: nothing(),
  errors: ['not_found'],
})

/** An invoice as administrators find it. */
export const ShopInvoice = s.type({ ...Invoice.schema, orderId: id(), buyer: s.string() })
export type ShopInvoice = s.Infer<typeof ShopInvoice>

/** Invoices and credit notes, newest first. */
export const listInvoices = defineCall('GET /office/admin/invoices', 'admin', {
  query: s.object({ ...pageQuery, orderId: s.optional(id()) }),
  result: pageOf(ShopInvoice),
})

/** Makes out the invoice of a paid order, for its buyer. */
export const issueInvoice = defineCall('POST /office/admin/orders/:id/invoice', 'admin', {
  params: byId,
  body: InvoiceBuyer,
  result: Invoice,
  errors: OF_AN_INVOICE,
})

export const downloadShopInvoice = defineCall('GET /office/admin/invoices/:id/pdf', 'admin', {
  params: byId,
  answers: 'file',
  result: nothing(),
  errors: ['not_found'],
})

/**
 * The invoices and credit notes of a year, or of one of its months, for an accountant: CSV, oldest
 * first, amounts to the millime, credit notes below 0.
 */
export const exportInvoices = defineCall('GET /office/admin/invoices/csv', 'admin', {
  query: s.object({
    /** `2026`, or `2026-11` */
    period: s.pattern(s.string(), /^20\d\d(?:-(?:0[1-9]|1[0-2]))?$/),
    locale: s.optional(s.enums(LANGUAGES)),
  }),
  answers: 'file',
  result: nothing(),
})
