import type { Facts } from '../../../contract/site.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import type { Texts } from '../../../i18n/texts.ts'
import { HOUR_MS } from '../../../rules/durations.ts'
import type { Millimes } from '../../../rules/money.ts'
import type { PageAddress } from '../../../rules/pages.ts'
import type { TransferMethod } from '../../../rules/payment-methods.ts'
import type { WalletReason } from '../../../rules/payment-states.ts'
import { ibanOf } from '../../../rules/site-facts.ts'
import { readableReference } from '../../../rules/typed-numbers.ts'
import type { WrittenMail } from '../../mail/mail.ts'
import { type Fact, letter, type Part } from '../../mail/mail.ts'

/** The recipient of a mail, and the site that its links lead to. */
export interface Reader {
  readonly texts: Texts
  readonly locale: Locale
  readonly to: string
  readonly name: string
  /** The site's origin. */
  readonly siteUrl: string
}

export interface Line {
  readonly title: string
  readonly price: Millimes
}

/** The receipt of a paid order; `isConfirmed`: staff confirmed that its money arrived. */
export function paidMail(
  reader: Reader,
  order: { id: number; number: number; paidAt: Date; total: Millimes; items: readonly Line[] },
  isConfirmed: boolean,
): WrittenMail {
  const { paid, confirmed, labels } = reader.texts[reader.locale].mail
  return write(reader, { ...paid, ...(isConfirmed && confirmed) }, { number: order.number }, [
    {
      facts: [
        { label: labels.receipt, value: String(order.number), isStrong: true },
        { label: labels.order, value: String(order.id) },
        { label: labels.date, value: formatDate(reader.locale, order.paidAt.toISOString()) },
      ],
    },
    { facts: [...lines(reader, order.items), total(reader, order.total)] },
    { button: paid.button, href: orderLink(reader, order.id) },
  ])
}

/** The mail that explains how to make a transfer that the shop waits for. */
export function waitingMail(
  reader: Reader,
  payment: {
    method: TransferMethod
    amount: Millimes
    reference: string
    expiresAt: Date
    /** The page that shows the payment. */
    href: string
  },
  { bank, d17 }: Facts,
): WrittenMail {
  const { waiting, labels } = reader.texts[reader.locale].mail
  const account: Fact[] =
    payment.method === 'd17'
      ? [
          { label: labels.phone, value: d17.phone, isStrong: true },
          { label: labels.holder, value: d17.holder },
        ]
      : [
          { label: labels.bank, value: bank.name[reader.locale] },
          { label: labels.holder, value: bank.holder },
          { label: labels.rib, value: bank.rib, isStrong: true },
          { label: labels.iban, value: ibanOf(bank.rib) },
        ]
  return write(
    reader,
    { subject: waiting.subject, title: waiting.title, text: waiting[payment.method] },
    { amount: priceText(reader.locale, payment.amount) },
    [
      {
        facts: [
          amount(reader, payment.amount),
          { label: labels.reference, value: readableReference(payment.reference), isStrong: true },
          ...account,
          { label: labels.until, value: dayAndHour(reader.locale, payment.expiresAt) },
        ],
      },
      { text: waiting.after },
      { button: waiting.button, href: payment.href },
    ],
  )
}

/** The mail about a refused payment, which can be tried again. */
export function refusedMail(
  reader: Reader,
  payment: { amount: Millimes; reference: string; orderId: number | null },
  { contact }: Facts,
): WrittenMail {
  const { refused, labels } = reader.texts[reader.locale].mail
  // Where the shop gives no address, it can be written to on its own pages.
  const email = contact.email || linkTo(reader, '/chat')
  const values = { amount: priceText(reader.locale, payment.amount), email }
  return write(reader, refused, values, [
    {
      facts: [
        amount(reader, payment.amount),
        { label: labels.reference, value: readableReference(payment.reference) },
      ],
    },
    { text: fillText(refused.sent, values) },
    payment.orderId === null
      ? { button: refused.top_up, href: linkTo(reader, '/charging') }
      : { button: refused.order, href: orderLink(reader, payment.orderId) },
  ])
}

/** The mail about a top-up that is in the wallet. */
export function creditedMail(
  reader: Reader,
  payment: { amount: Millimes; reference: string; settledAt: Date },
): WrittenMail {
  const { credited, labels } = reader.texts[reader.locale].mail
  return write(reader, credited, { amount: priceText(reader.locale, payment.amount) }, [
    {
      facts: [
        amount(reader, payment.amount),
        { label: labels.reference, value: readableReference(payment.reference) },
        { label: labels.date, value: formatDate(reader.locale, payment.settledAt.toISOString()) },
      ],
    },
    { button: credited.button, href: linkTo(reader, '/shop') },
  ])
}

/** Says that the money of an order went into the wallet; `items` are those whose price it is, if not all of them. */
export function inWalletMail(
  reader: Reader,
  money: {
    orderId: number
    reference: string
    amount: Millimes
    why: WalletReason
    items: readonly Line[]
  },
): WrittenMail {
  const { inWallet, labels } = reader.texts[reader.locale].mail
  const { subject, title, why, button } = inWallet
  const values = { amount: priceText(reader.locale, money.amount), order: money.orderId }
  return write(reader, { subject, title, text: why[money.why] }, values, [
    {
      facts: [
        amount(reader, money.amount),
        { label: labels.order, value: String(money.orderId) },
        { label: labels.reference, value: readableReference(money.reference) },
      ],
    },
    ...(money.items.length > 0 ? [{ facts: lines(reader, money.items) }] : []),
    { button, href: linkTo(reader, '/charging') },
  ])
}

/** Says what was refunded to the wallet. */
export function refundedMail(
  reader: Reader,
  refund: { orderId: number; total: Millimes; items: readonly Line[] },
): WrittenMail {
  const { refunded, labels } = reader.texts[reader.locale].mail
  return write(reader, refunded, { amount: priceText(reader.locale, refund.total) }, [
    { facts: [{ label: labels.order, value: String(refund.orderId) }] },
    { facts: [...lines(reader, refund.items), total(reader, refund.total)] },
    { button: refunded.button, href: orderLink(reader, refund.orderId) },
  ])
}

/** Says that an order was not paid in time. */
export function expiredMail(
  reader: Reader,
  order: { id: number; total: Millimes; items: readonly Line[] },
): WrittenMail {
  const { expired, labels } = reader.texts[reader.locale].mail
  return write(reader, expired, { order: order.id }, [
    { facts: [{ label: labels.order, value: String(order.id) }] },
    { facts: [...lines(reader, order.items), total(reader, order.total)] },
    { button: expired.button, href: linkTo(reader, '/shop') },
  ])
}

/** A letter with a greeting and its text before its parts; `given` fills the placeholders. */
export function write(
  { texts, locale, to, name }: Reader,
  words: { subject: string; title: string; text: string },
  given: Readonly<Record<string, string | number>>,
  parts: readonly Part[],
): WrittenMail {
  // A name may be of either direction: isolated, it does not reorder the sentence around it.
  const values = { ...given, name: `\u2068${name}\u2069` }
  return letter({
    texts,
    locale,
    to,
    subject: fillText(words.subject, values),
    title: fillText(words.title, values),
    parts: [
      { text: fillText(texts[locale].mail.hello, values) },
      { text: fillText(words.text, values) },
      ...parts,
    ],
  })
}

function lines({ locale }: Reader, items: readonly Line[]): Fact[] {
  return items.map(({ title, price }) => ({ label: title, value: priceText(locale, price) }))
}

function total({ texts, locale }: Reader, sum: Millimes): Fact {
  return { label: texts[locale].mail.labels.total, value: priceText(locale, sum), isStrong: true }
}

function amount({ texts, locale }: Reader, sum: Millimes): Fact {
  return { label: texts[locale].mail.labels.amount, value: priceText(locale, sum), isStrong: true }
}

function orderLink(reader: Reader, id: number): string {
  return linkTo(reader, `/order?id=${id}`)
}

/** The address of a page of the site, in the reader's language. */
export function linkTo({ siteUrl, locale }: Reader, page: PageAddress): string {
  return `${siteUrl}${pathIn(locale, page)}`
}

/** `5 March 2026 14:30`, in Tunisia's time (UTC+1 all year). */
function dayAndHour(locale: Locale, at: Date): string {
  const hour = new Date(at.getTime() + HOUR_MS).toISOString().slice(11, 16)
  return `${formatDate(locale, at.toISOString())} ${hour}`
}
