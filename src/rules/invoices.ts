import type { Millimes } from './money.ts'
import { plainSigns } from './pasted-text.ts'

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const
export type InvoiceKind = (typeof INVOICE_KINDS)[number]

/** The longest address of a buyer on an invoice, in characters. */
export const BUYER_ADDRESS_MAX_LENGTH = 200

/** The highest VAT rate and stamp duty that a shop may state, in percent and dinars. */
const VAT_RATE_MAX = 50
export const STAMP_DUTY_MAX = 10

/** What an amount that was paid consists of, in whole millimes: `net + vat + stamp`. */
export interface InvoiceSums {
  readonly net: Millimes
  readonly vat: Millimes
  readonly stamp: Millimes
}

/** The sum of an invoice, as its buyer paid it. */
export function grossOf({ net, vat, stamp }: InvoiceSums): Millimes {
  return net + vat + stamp
}

/**
 * What a sum that was paid consists of. Prices are what one pays, so the stamp duty is inside, and
 * the VAT is inside the rest, rounded to the nearest millime. Null where nothing is left to
 * invoice: an invoice does not cost more than was paid.
 */
export function invoiceSums(
  paid: Millimes,
  { rate, stamp }: { rate: number | null; stamp: Millimes },
): InvoiceSums | null {
  const taxed = paid - stamp
  if (paid <= 0 || taxed <= 0) return null
  // In hundredths of a percent, so that every step is exact.
  const hundredths = Math.round((rate ?? 0) * 100)
  const net = Math.round((taxed * 10_000) / (10_000 + hundredths))
  return { net, vat: taxed - net, stamp }
}

/**
 * The part of an invoice that a refund takes back, where `before` was refunded earlier: everything in
 * proportion, so that the credit notes of an invoice sum to it once all is refunded.
 */
export function creditSums(
  invoice: InvoiceSums,
  before: Millimes,
  refunded: Millimes,
): InvoiceSums {
  const gross = grossOf(invoice)
  const until = (sum: Millimes, part: Millimes) => Math.round((part * sum) / gross)
  const of = (part: Millimes) => until(before + refunded, part) - until(before, part)
  const vat = of(invoice.vat)
  const stamp = of(invoice.stamp)
  return { net: refunded - vat - stamp, vat, stamp }
}

/** The number of an invoice, consecutive within its kind and year: `2026-000123`. */
export function invoiceNumber({ year, number }: { year: number; number: number }): string {
  return `${year}-${String(number).padStart(6, '0')}`
}

/** A typed percentage, such as `19` or `7,5 %`, of at most `most`; null if it is none. */
export function readRate(text: string, most: number): string | null {
  const [, plain] = /^(\d{1,2}(?:[.,]\d{1,2})?) ?%?$/.exec(plainSigns(text)) ?? []
  const rate = Number(plain?.replace(',', '.') ?? Number.NaN)
  return rate <= most ? String(rate) : null
}

/** A typed rate of VAT, with a dot; null if it is none. */
export function readVatRate(text: string): string | null {
  return readRate(text, VAT_RATE_MAX)
}
