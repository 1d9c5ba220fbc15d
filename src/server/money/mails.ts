import { formatDate } from '../../i18n/dates.ts'
import { fillText, isolate, priceText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Texts } from '../../i18n/texts.ts'
import { byBundle } from '../../rules/by-bundle.ts'
import { HOUR_MS } from '../../rules/durations.ts'
import type { Millimes } from '../../rules/money.ts'
import type { PageAddress } from '../../rules/pages.ts'
import { readableRib } from '../../rules/rib.ts'
import { ibanOf } from '../../rules/site-facts.ts'
import { normalisePhone, readableReference } from '../../rules/typed-numbers.ts'
import type { Deps } from '../deps.ts'
import {
  type Fact,
  letter,
  type Part,
  shortMessage,
  type Writers,
  type Written,
} from '../mail/mail.ts'
import { readFacts } from '../site-texts/site-texts.ts'
import { PAID, PAID_WITHOUT_CODE, totalOf } from './sale.ts'

type Parts = Pick<Deps, 'config' | 'database' | 'payments'>

type MoneyMail =
  | 'receipt'
  | 'payment_waiting'
  | 'payment_refused'
  | 'top_up_credited'
  | 'money_in_wallet'
  | 'refund'
  | 'order_expired'
  | 'payout_paid'
  | 'payout_refused'
  | 'bank_account_changed'
  | 'wallet_adjusted'

/** Writes the mails about money, each from the state at the time of sending. */
export function moneyMailWriters(parts: Parts): Pick<Writers, MoneyMail> {
  const readerOf = (texts: Texts, { locale, email, phone, firstName }: Addressee): Reader => ({
    texts,
    locale,
    words: texts[locale].mail,
    to: email,
    phone,
    name: firstName,
    siteUrl: parts.config.siteUrl,
  })
  return {
    async receipt({ orderId }, texts) {
      const order = await readNumbered(parts, orderId)
      if (order?.status !== 'paid' || order.paidAt === null || order.number === null) return null
      const reader = readerOf(texts, order)
      const { paid, confirmed, labels } = reader.words
      // Staff confirmed that the money of a transfer arrived.
      const words = { ...paid, ...(order.provider === 'manual' && confirmed) }
      const values = { number: order.number, amount: priceText(reader.locale, order.total) }
      return writeLetter(
        reader,
        words,
        values,
        [
          {
            facts: [
              { label: labels.receipt, value: String(order.number), isStrong: true },
              { label: labels.order, value: String(order.id) },
              dateOf(reader, order.paidAt),
            ],
          },
          {
            facts: [
              ...linesOf(reader, order.items),
              ...(order.code === null ? [] : [codeFact(reader, order)]),
              totalFact(reader, order.total),
            ],
          },
          { button: paid.button, href: orderLink(reader, order.id) },
        ],
        // A buyer who pays from the wallet is at the screen.
        order.provider === null ? undefined : 'paid',
      )
    },
    async order_expired({ orderId }, texts) {
      const order = await readOrder(parts, orderId)
      if (order?.status !== 'expired') return null
      const reader = readerOf(texts, order)
      const { expired } = reader.words
      return writeLetter(reader, expired, { order: order.id }, [
        { facts: [orderFact(reader, order.id)] },
        { facts: [...linesOf(reader, order.items), totalFact(reader, order.total)] },
        { button: expired.button, href: linkTo(reader, '/shop') },
      ])
    },
    async money_in_wallet({ reference, why, documentIds }, texts) {
      const payment = await readPayment(parts, reference)
      if (!payment?.orderId) return null
      const { orderId } = payment
      const order = await readOrder(parts, orderId)
      const items = (order?.items ?? []).filter(({ documentId: id }) => documentIds.includes(id))
      const amount = why === 'owned' ? totalOf(items) : payment.amount
      const reader = readerOf(texts, payment)
      const { subject, title, why: reasons, button } = reader.words.inWallet
      const values = { amount: priceText(reader.locale, amount), order: orderId }
      return writeLetter(
        reader,
        { subject, title, text: reasons[why] },
        values,
        [
          {
            facts: [
              amountFact(reader, amount),
              orderFact(reader, orderId),
              referenceFact(reader, reference),
            ],
          },
          ...(items.length > 0 ? [{ facts: linesOf(reader, items) }] : []),
          { button, href: linkTo(reader, '/charging') },
        ],
        'credited',
      )
    },
    async refund({ orderId, documentIds }, texts) {
      const order = await readOrder(parts, orderId)
      if (!order) return null
      const items = order.items.filter(({ documentId: id }) => documentIds.includes(id))
      const total = totalOf(items)
      const reader = readerOf(texts, order)
      const { refunded } = reader.words
      return writeLetter(
        reader,
        refunded,
        { amount: priceText(reader.locale, total) },
        [
          { facts: [orderFact(reader, orderId)] },
          { facts: [...linesOf(reader, items), totalFact(reader, total)] },
          { button: refunded.button, href: orderLink(reader, orderId) },
        ],
        'refunded',
      )
    },
    async payment_waiting({ reference }, texts) {
      const payment = await readPayment(parts, reference)
      if (payment?.status !== 'pending' || payment.method === 'card') return null
      const { method, amount, expiresAt } = payment
      const reader = readerOf(texts, payment)
      const { waiting, labels } = reader.words
      const { bank, d17 } = await readFacts(parts)
      const account: Fact[] =
        method === 'd17'
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
      const words = { subject: waiting.subject, title: waiting.title, text: waiting[method] }
      return writeLetter(reader, words, { amount: priceText(reader.locale, amount) }, [
        {
          facts: [
            amountFact(reader, amount),
            { ...referenceFact(reader, reference), isStrong: true },
            ...account,
            { label: labels.until, value: dayAndHour(reader.locale, expiresAt) },
          ],
        },
        { text: waiting.after },
        { button: waiting.button, href: paymentLink(reader, payment) },
      ])
    },
    async payment_refused({ reference }, texts) {
      const payment = await readPayment(parts, reference)
      if (payment?.status !== 'refused') return null
      const { amount, orderId } = payment
      const reader = readerOf(texts, payment)
      const { refused } = reader.words
      const { contact } = await readFacts(parts)
      // Where the shop gives no address, it can be written to on its own pages.
      const email = contact.email || linkTo(reader, '/chat')
      const values = { amount: priceText(reader.locale, amount), email }
      return writeLetter(reader, refused, values, [
        { facts: [amountFact(reader, amount), referenceFact(reader, reference)] },
        { text: fillText(refused.sent, values) },
        orderId === null
          ? { button: refused.top_up, href: linkTo(reader, '/charging') }
          : { button: refused.order, href: orderLink(reader, orderId) },
      ])
    },
    async top_up_credited({ reference }, texts) {
      const payment = await readPayment(parts, reference)
      if (payment?.status !== 'paid' || payment.purpose !== 'top_up') return null
      const { amount, settledAt } = payment
      if (settledAt === null) return null
      const reader = readerOf(texts, payment)
      const { credited } = reader.words
      return writeLetter(
        reader,
        credited,
        { amount: priceText(reader.locale, amount) },
        [
          {
            facts: [
              amountFact(reader, amount),
              referenceFact(reader, reference),
              dateOf(reader, settledAt),
            ],
          },
          { button: credited.button, href: linkTo(reader, '/shop') },
        ],
        'credited',
      )
    },
    async payout_paid({ payoutId }, texts) {
      const payout = await readPayout(parts, payoutId)
      if (payout?.status !== 'paid') return null
      const reader = readerOf(texts, payout)
      const { payoutPaid, labels } = reader.words
      const reference = { label: labels.reference, value: payout.reference ?? '', isStrong: true }
      return payoutLetter(reader, payout, payoutPaid, reference)
    },
    async payout_refused({ payoutId }, texts) {
      const payout = await readPayout(parts, payoutId)
      if (payout?.status !== 'refused') return null
      const reader = readerOf(texts, payout)
      const { payoutRefused, labels } = reader.words
      const reason = { label: labels.reason, value: payout.reason ?? '', isStrong: true }
      return payoutLetter(reader, payout, payoutRefused, reason)
    },
    async bank_account_changed({ userId, to = null }, texts) {
      const account = await readBankAccount(parts, userId)
      if (!account) return null
      const phone = to === null ? null : normalisePhone(to)
      if (phone !== null) {
        const digits = account.rib.slice(-4)
        const text = shortMessage(texts, account.locale, 'bankAccount', { digits })
        return { phone, text, isCode: false }
      }
      const reader = readerOf(texts, { ...account, email: to ?? account.email })
      const { bankAccountChanged: words, labels } = reader.words
      return writeLetter(reader, words, {}, [
        {
          facts: [
            { label: labels.holder, value: account.holder },
            // Others may read a mail: these digits suffice to recognise one's own account.
            { label: labels.rib, value: `… ${account.rib.slice(-4)}`, isStrong: true },
          ],
        },
        { button: words.button, href: linkTo(reader, '/office/payouts') },
      ])
    },
    async wallet_adjusted({ adjustmentId }, texts) {
      const adjustment = await readAdjustment(parts, adjustmentId)
      if (adjustment?.state !== 'made') return null
      const reader = readerOf(texts, adjustment)
      const { button, given, taken, questions } = reader.words.walletAdjusted
      const isGiven = adjustment.amount > 0
      const amount = Math.abs(adjustment.amount)
      const values = { amount: priceText(reader.locale, amount) }
      return writeLetter(reader, isGiven ? given : taken, values, [
        { facts: [amountFact(reader, amount)] },
        { text: questions },
        { button, href: linkTo(reader, '/charging') },
      ])
    },
  }
}

type Addressee = {
  locale: Locale
  email: string | null
  phone: string | null
  firstName: string
}

/** The recipient of a mail, and the site that its links lead to. */
interface Reader {
  readonly texts: Texts
  readonly locale: Locale
  readonly words: Texts[Locale]['mail']
  readonly to: string | null
  /** Gets what matters as a text message where there is no e-mail address. */
  readonly phone: string | null
  readonly name: string
  /** The site's origin. */
  readonly siteUrl: string
}

type PaymentRow = NonNullable<Awaited<ReturnType<typeof readPayment>>>
type PayoutRow = NonNullable<Awaited<ReturnType<typeof readPayout>>>

const ADDRESSEE = ['users.email', 'users.phone', 'users.firstName', 'users.locale'] as const

function readPayment({ database }: Parts, reference: string) {
  return database.kysely
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.userId')
    .selectAll('payments')
    .select(ADDRESSEE)
    .where('payments.reference', '=', reference)
    .executeTakeFirst()
}

async function readOrder({ database }: Parts, orderId: number) {
  const { kysely } = database
  const order = await kysely
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.buyerId')
    .leftJoin('receipts', 'receipts.orderId', 'orders.id')
    .leftJoin('discountCodes', 'discountCodes.id', 'orders.codeId')
    .select(['orders.id', 'orders.status', 'orders.total', 'orders.paidAt', 'receipts.number'])
    .select('discountCodes.code')
    .select(ADDRESSEE)
    .where('orders.id', '=', orderId)
    .executeTakeFirst()
  if (!order) return undefined
  const payments = await kysely
    .selectFrom('payments')
    .select(['provider', 'status'])
    .where('orderId', '=', orderId)
    .orderBy('id', 'desc')
    .execute()
  const payment = payments.find(({ status }) => status === 'paid') ?? payments[0]
  const items = await kysely
    .selectFrom('orderItems')
    .innerJoin('documents', 'documents.id', 'orderItems.documentId')
    .select([
      'documentId',
      'documents.title',
      PAID.as('price'),
      PAID_WITHOUT_CODE.as('priceBefore'),
      'bundleId',
    ])
    .where('orderId', '=', orderId)
    .orderBy('documentId')
    .execute()
  return { ...order, items, provider: payment?.provider ?? null }
}

/** An order, with the number of its receipt if it is paid. */
async function readNumbered(parts: Parts, orderId: number) {
  const order = await readOrder(parts, orderId)
  if (order?.status !== 'paid' || order.number !== null) return order
  await parts.payments.numberReceipts()
  return readOrder(parts, orderId)
}

/** Undefined also if the teacher has no user account to send mail to. */
function readPayout({ database }: Parts, payoutId: number) {
  return database.kysely
    .selectFrom('payouts')
    .innerJoin('teachers', 'teachers.id', 'payouts.teacherId')
    .innerJoin('users', 'users.id', 'teachers.userId')
    .selectAll('payouts')
    .select(ADDRESSEE)
    .where('payouts.id', '=', payoutId)
    .executeTakeFirst()
}

function readBankAccount({ database }: Parts, userId: number) {
  return database.kysely
    .selectFrom('bankAccounts')
    .innerJoin('teachers', 'teachers.id', 'bankAccounts.teacherId')
    .innerJoin('users', 'users.id', 'teachers.userId')
    .select(['holder', 'rib'])
    .select(ADDRESSEE)
    .where('users.id', '=', userId)
    .executeTakeFirst()
}

function readAdjustment({ database }: Parts, adjustmentId: number) {
  return database.kysely
    .selectFrom('adjustments')
    .innerJoin('users', 'users.id', 'adjustments.userId')
    .select(['amount', 'state'])
    .select(ADDRESSEE)
    .where('adjustments.id', '=', adjustmentId)
    .executeTakeFirst()
}

function payoutLetter(
  reader: Reader,
  payout: PayoutRow,
  words: { subject: string; title: string; text: string; button: string },
  fact: Fact,
) {
  const { labels } = reader.words
  return writeLetter(reader, words, { amount: priceText(reader.locale, payout.amount) }, [
    {
      facts: [
        { label: labels.payout, value: String(payout.id) },
        amountFact(reader, payout.amount),
        ...(payout.withheld > 0
          ? [
              { label: labels.withheld, value: priceText(reader.locale, payout.withheld) },
              {
                label: labels.transferred,
                value: priceText(reader.locale, payout.amount - payout.withheld),
                isStrong: true,
              },
            ]
          : []),
        { label: labels.holder, value: payout.holder },
        { label: labels.rib, value: readableRib(payout.rib) },
        fact,
      ],
    },
    { button: words.button, href: linkTo(reader, '/office/payouts') },
  ])
}

/**
 * A letter with a greeting and its text before its parts; `given` fills the placeholders, also of the
 * text message to somebody without an e-mail address.
 */
function writeLetter(
  { texts, locale, to, phone, name }: Reader,
  words: { subject: string; title: string; text: string },
  given: Readonly<Record<string, string | number>>,
  parts: readonly Part[],
  sms?: 'paid' | 'credited' | 'refunded',
): Exclude<Written, null> {
  if (to === null && phone !== null && sms) {
    return { phone, text: shortMessage(texts, locale, sms, given), isCode: false }
  }
  // A name may be of either direction: isolated, it does not reorder the sentence around it.
  const values = { ...given, name: isolate(name) }
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

interface Line {
  title: string
  price: Millimes
  /** The price before the order's code. */
  priceBefore: Millimes
  bundleId: number | null
}

/** The documents of an order, those of a bundle below its name. */
const linesOf = ({ words, locale, texts }: Reader, items: readonly Line[]): Fact[] =>
  byBundle(items).flatMap(({ bundleId: number, items: ofBundle }) => [
    ...(number === null
      ? []
      : [{ label: fillText(texts[locale].order.page.bundle, { number }), value: '' }]),
    ...ofBundle.map(({ title, price, priceBefore }) => {
      const amount = priceText(locale, price)
      const before = priceText(locale, priceBefore)
      const isSame = price === priceBefore
      const value = isSame ? amount : fillText(words.labels.withCode, { amount, before })
      return { label: title, value }
    }),
  ])

/** What the order's code took off. */
const codeFact = (
  { words, locale }: Reader,
  { code, items }: { code: string | null; items: readonly Line[] },
): Fact => ({
  label: fillText(words.labels.code, { code: isolate(code) }),
  value: priceText(
    locale,
    items.reduce((sum, { price, priceBefore }) => sum + price - priceBefore, 0),
  ),
})

const totalFact = ({ words, locale }: Reader, sum: Millimes): Fact => ({
  label: words.labels.total,
  value: priceText(locale, sum),
  isStrong: true,
})

const amountFact = ({ words, locale }: Reader, sum: Millimes): Fact => ({
  label: words.labels.amount,
  value: priceText(locale, sum),
  isStrong: true,
})

const orderFact = ({ words }: Reader, id: number): Fact => ({
  label: words.labels.order,
  value: String(id),
})

const referenceFact = ({ words, texts, locale }: Reader, reference: string): Fact => ({
  label: words.labels.reference,
  value: readableReference(reference, texts[locale].brand.references),
})

const dateOf = ({ words, locale }: Reader, at: Date): Fact => ({
  label: words.labels.date,
  value: formatDate(locale, at.toISOString()),
})

const orderLink = (reader: Reader, id: number) => linkTo(reader, `/order?id=${id}`)

/** The address of a page of the site, in the reader's language. */
const linkTo = ({ siteUrl, locale }: Reader, page: PageAddress) =>
  `${siteUrl}${pathIn(locale, page)}`

/** The address of the payment's page, stored perhaps without the origin; otherwise that of its order's page. */
function paymentLink(reader: Reader, { payUrl, orderId }: PaymentRow): string {
  if (payUrl) return new URL(payUrl, reader.siteUrl).href
  return orderId === null ? linkTo(reader, '/charging') : orderLink(reader, orderId)
}

/** `5 March 2026 14:30`, in Tunisia's time (UTC+1 all year). */
function dayAndHour(locale: Locale, at: Date): string {
  const hour = new Date(at.getTime() + HOUR_MS).toISOString().slice(11, 16)
  return `${formatDate(locale, at.toISOString())} ${hour}`
}
