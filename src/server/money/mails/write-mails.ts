import type { Locale } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import type { Texts } from '../../../i18n/texts.ts'
import type { Deps } from '../../deps.ts'
import type { Writers } from '../../mail/mail.ts'
import { readFacts } from '../../site-texts/site-texts.ts'
import * as mails from './letters.ts'

type Parts = Pick<Deps, 'config' | 'database' | 'payments'>

type Kind =
  | 'receipt'
  | 'payment_waiting'
  | 'payment_refused'
  | 'top_up_credited'
  | 'money_in_wallet'
  | 'refund'
  | 'order_expired'

/** Writes the mails about payments, each from the state at the time of sending. */
export function paymentMailWriters(parts: Parts): Pick<Writers, Kind> {
  return {
    async receipt({ orderId }, texts) {
      const order = await readNumbered(parts, orderId)
      if (order?.status !== 'paid' || order.paidAt === null || order.number === null) return null
      const { id, number, total, items } = order
      const isConfirmed = order.provider === 'manual'
      return mails.paidMail(
        readerOf(parts, texts, order),
        { id, number, total, items, paidAt: order.paidAt },
        isConfirmed,
      )
    },
    async order_expired({ orderId }, texts) {
      const order = await readOrder(parts, orderId)
      return order?.status === 'expired'
        ? mails.expiredMail(readerOf(parts, texts, order), order)
        : null
    },
    async money_in_wallet({ reference, why, documentIds }, texts) {
      const payment = await readPayment(parts, reference)
      if (!payment?.orderId) return null
      const order = await readOrder(parts, payment.orderId)
      const items = (order?.items ?? []).filter(({ documentId: id }) => documentIds.includes(id))
      const ofItems = items.reduce((sum, { price }) => sum + price, 0)
      const amount = why === 'owned' ? ofItems : payment.amount
      const money = { orderId: payment.orderId, reference, amount, why, items }
      return mails.inWalletMail(readerOf(parts, texts, payment), money)
    },
    async refund({ orderId, documentIds }, texts) {
      const order = await readOrder(parts, orderId)
      if (!order) return null
      const items = order.items.filter(({ documentId: id }) => documentIds.includes(id))
      const total = items.reduce((sum, { price }) => sum + price, 0)
      return mails.refundedMail(readerOf(parts, texts, order), { orderId, total, items })
    },
    async payment_waiting({ reference }, texts) {
      const payment = await readPayment(parts, reference)
      if (payment?.status !== 'pending' || payment.method === 'card') return null
      const { method, amount, expiresAt } = payment
      const reader = readerOf(parts, texts, payment)
      const href = hrefOf(reader, payment)
      const facts = await readFacts(parts)
      return mails.waitingMail(reader, { method, amount, expiresAt, reference, href }, facts)
    },
    async payment_refused({ reference }, texts) {
      const payment = await readPayment(parts, reference)
      if (payment?.status !== 'refused') return null
      const { amount, orderId } = payment
      const facts = await readFacts(parts)
      return mails.refusedMail(
        readerOf(parts, texts, payment),
        { amount, reference, orderId },
        facts,
      )
    },
    async top_up_credited({ reference }, texts) {
      const payment = await readPayment(parts, reference)
      if (payment?.status !== 'paid' || payment.purpose !== 'top_up') return null
      const { amount, settledAt } = payment
      if (settledAt === null) return null
      return mails.creditedMail(readerOf(parts, texts, payment), { amount, reference, settledAt })
    },
  }
}

type PaymentRow = NonNullable<Awaited<ReturnType<typeof readPayment>>>

function readPayment({ database }: Parts, reference: string) {
  return database.kysely
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.userId')
    .selectAll('payments')
    .select(['users.email', 'users.firstName', 'users.locale'])
    .where('payments.reference', '=', reference)
    .executeTakeFirst()
}

async function readOrder({ database }: Parts, orderId: number) {
  const { kysely } = database
  const order = await kysely
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.buyerId')
    .leftJoin('receipts', 'receipts.orderId', 'orders.id')
    .select(['orders.id', 'orders.status', 'orders.total', 'orders.paidAt', 'receipts.number'])
    .select(['users.email', 'users.firstName', 'users.locale'])
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
    .select(['documentId', 'documents.title', 'orderItems.price'])
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

function readerOf(
  { config }: Parts,
  texts: Texts,
  { locale, email, firstName }: { locale: Locale; email: string; firstName: string },
): mails.Reader {
  return { texts, locale, to: email, name: firstName, siteUrl: config.siteUrl }
}

/** The address of the payment's page, stored perhaps without the origin; otherwise that of its order's page. */
function hrefOf({ siteUrl, locale }: mails.Reader, { payUrl, orderId }: PaymentRow): string {
  if (payUrl) return new URL(payUrl, siteUrl).href
  return `${siteUrl}${pathIn(locale, orderId === null ? '/charging' : `/order?id=${orderId}`)}`
}
