import { DEFAULT_LOCALE, type Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import type { Deps } from '../deps.ts'
import { numberReceipts } from '../orders/receipts.ts'
import type { Mail } from './mailer.ts'
import * as mails from './payment-mails.ts'

/**
 * The mails about payments. Each is read and written in the background, when its turn has come:
 * call these after the commit; they never throw and nobody waits for them.
 */
type Parts = Pick<Deps, 'config' | 'database' | 'mailer'>

/** The receipt, once the order is paid. */
export function postReceipt(parts: Parts, orderId: number): void {
  parts.mailer.post(async () => {
    await numberReceipts(parts)
    const order = await readOrder(parts, orderId)
    if (order?.status !== 'paid' || order.paid_at === null || order.number === null) return null
    const { id, number, total, items } = order
    const isConfirmed = order.provider === 'manual'
    return mails.paidMail(
      readerOf(parts, order),
      { id, number, total, items, paidAt: order.paid_at },
      isConfirmed,
    )
  })
}

/** What an expired order was. */
export function postOrderExpired(parts: Parts, orderId: number): void {
  parts.mailer.post(async () => {
    const order = await readOrder(parts, orderId)
    return order?.status === 'expired' ? mails.expiredMail(readerOf(parts, order), order) : null
  })
}

/** What a refund gave back. */
export function postRefunded(parts: Parts, refund: Parameters<typeof mails.refundedMail>[1]): void {
  parts.mailer.post(async () => {
    const order = await readOrder(parts, refund.orderId)
    return order ? mails.refundedMail(readerOf(parts, order), refund) : null
  })
}

/** Where to send the money of a bank transfer or a D17 payment, while it waits for it. */
export function postPaymentWaiting(parts: Parts, reference: string): void {
  postOf(parts, reference, (payment, reader) => {
    const { method, status, amount, expires_at: expiresAt } = payment
    if (status !== 'pending' || method === 'card') return null
    const href = hrefOf(reader, payment)
    return mails.waitingMail(reader, { method, amount, expiresAt, reference, href })
  })
}

export function postPaymentRefused(parts: Parts, reference: string): void {
  postOf(parts, reference, ({ status, amount, order_id: orderId }, reader) =>
    status === 'refused' ? mails.refusedMail(reader, { amount, reference, orderId }) : null,
  )
}

export function postTopUpCredited(parts: Parts, reference: string): void {
  postOf(parts, reference, ({ status, purpose, amount, settled_at: settledAt }, reader) =>
    status === 'paid' && purpose === 'top_up' && settledAt !== null
      ? mails.creditedMail(reader, { amount, reference, settledAt })
      : null,
  )
}

/** That the money of an order went into the wallet, and why. */
export function postMoneyInWallet(
  parts: Parts,
  reference: string,
  money: Pick<Parameters<typeof mails.inWalletMail>[1], 'amount' | 'why' | 'items'>,
): void {
  postOf(parts, reference, ({ order_id: orderId }, reader) =>
    orderId === null ? null : mails.inWalletMail(reader, { ...money, orderId, reference }),
  )
}

type PaymentRow = NonNullable<Awaited<ReturnType<typeof readPayment>>>

function postOf(
  parts: Parts,
  reference: string,
  write: (payment: PaymentRow, reader: mails.Reader) => Mail | null,
): void {
  parts.mailer.post(async () => {
    const payment = await readPayment(parts, reference)
    return payment ? write(payment, readerOf(parts, payment)) : null
  })
}

function readPayment({ database }: Parts, reference: string) {
  return database.kysely
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .selectAll('payments')
    .select(['users.email', 'users.first_name'])
    .where('payments.reference', '=', reference)
    .executeTakeFirst()
}

/** An order with the language of its payment; one that was paid from the wallet says none. */
async function readOrder({ database }: Parts, orderId: number) {
  const { kysely } = database
  const order = await kysely
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.buyer_id')
    .leftJoin('receipts', 'receipts.order_id', 'orders.id')
    .select(['orders.id', 'orders.status', 'orders.total', 'orders.paid_at', 'receipts.number'])
    .select(['users.email', 'users.first_name'])
    .where('orders.id', '=', orderId)
    .executeTakeFirst()
  if (!order) return undefined
  const payments = await kysely
    .selectFrom('payments')
    .select(['locale', 'provider', 'status'])
    .where('order_id', '=', orderId)
    .orderBy('id', 'desc')
    .execute()
  const payment = payments.find(({ status }) => status === 'paid') ?? payments[0]
  const items = await kysely
    .selectFrom('order_items')
    .innerJoin('documents', 'documents.id', 'order_items.document_id')
    .select(['documents.title', 'order_items.price'])
    .where('order_id', '=', orderId)
    .orderBy('document_id')
    .execute()
  const locale = payment?.locale ?? DEFAULT_LOCALE
  return { ...order, items, locale, provider: payment?.provider ?? null }
}

function readerOf(
  { config }: Parts,
  { locale, email, first_name }: { locale: Locale; email: string; first_name: string },
): mails.Reader {
  return { locale, to: email, name: first_name, siteUrl: config.siteUrl }
}

/** The page of the payment, which may be kept with its origin or without; else its order. */
function hrefOf({ siteUrl, locale }: mails.Reader, { pay_url, order_id }: PaymentRow): string {
  if (pay_url) return new URL(pay_url, siteUrl).href
  return `${siteUrl}${pathIn(locale, order_id === null ? '/charging' : `/order?id=${order_id}`)}`
}
