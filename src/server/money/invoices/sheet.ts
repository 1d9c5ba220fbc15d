import { formatDate } from '../../../i18n/dates.ts'
import { DECIMAL_MARK, fillText, percentText } from '../../../i18n/format.ts'
import { TEXTS } from '../../../i18n/texts.ts'
import { penOf } from '../../../rules/brand.ts'
import { byBundle } from '../../../rules/by-bundle.ts'
import { grossOf, invoiceNumber } from '../../../rules/invoices.ts'
import { formatMillimes, type Millimes } from '../../../rules/money.ts'
import type { Sheet } from '../../drawing/drawing.ts'
import type { Invoice } from './invoices.ts'

/**
 * What is printed of an invoice: only what its row holds, and the logo that it names, so that it is
 * printed alike for ever. All amounts have millimes, as those of the taxes need.
 */
export function invoiceSheet(
  invoice: Invoice,
  corrected: Invoice | null,
  logo: Uint8Array | null,
): Sheet {
  const { kind, locale, seller, buyer, vatRate } = invoice
  const {
    invoice: { sheet: texts },
    order,
  } = TEXTS[locale]
  const amount = (millimes: Millimes) => formatMillimes(millimes, DECIMAL_MARK[locale])
  const named = (text: string, number: string) => (number ? fillText(text, { number }) : '')
  const at = invoice.issuedAt.toISOString()
  return {
    locale,
    at,
    mark: {
      name: seller.mark?.name ?? seller.name,
      logo,
      accent: penOf({ accent: seller.mark?.accent ?? '' }),
    },
    // Isolated, it stays from left to right among Arabic words.
    title: fillText(texts.title[kind], { number: `\u2066${invoiceNumber(invoice)}\u2069` }),
    facts: [
      [texts.date, formatDate(locale, at)],
      ...(corrected ? [[texts.corrects, invoiceNumber(corrected)] as const] : []),
      [texts.order, String(invoice.orderId)],
    ],
    parties: [
      {
        label: texts.seller,
        lines: filled([
          seller.name,
          seller.address,
          named(texts.taxNumber, seller.taxNumber),
          named(texts.register, seller.register),
          seller.phone,
          seller.email,
        ]),
      },
      {
        label: texts.buyer,
        lines: filled([buyer.name, buyer.address, named(texts.taxNumber, buyer.taxNumber)]),
      },
    ],
    columns: [texts.document, texts.price],
    rows: byBundle(invoice.lines).flatMap(({ bundleId, items }) => [
      ...(bundleId === null ? [] : [[named(order.page.bundle, String(bundleId)), ''] as const]),
      ...items.map(({ title, price }) => [title, amount(price)] as const),
    ]),
    sums: [
      ...(vatRate ? [[texts.net, amount(invoice.net)] as const] : []),
      ...(vatRate
        ? [
            [
              fillText(texts.vat, { rate: percentText(locale, vatRate) }),
              amount(invoice.vat),
            ] as const,
          ]
        : []),
      ...(invoice.stamp > 0 ? [[texts.stamp, amount(invoice.stamp)] as const] : []),
      [texts.total[kind], amount(grossOf(invoice))],
    ],
    notes: filled([
      seller.exemption && fillText(texts.exempt, { reason: seller.exemption }),
      vatRate || invoice.stamp > 0 ? texts.inside : '',
    ]),
  }
}

const filled = (lines: readonly string[]) => lines.filter((line) => line !== '')
