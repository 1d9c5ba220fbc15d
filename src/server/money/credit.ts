import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { WalletReason } from '../../rules/payment-states.ts'
import { takeOutOfCart } from '../carts/carts.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { enqueueMail } from '../mail/mail.ts'
import { type Entry, lockWalletOf, post, singleAccount } from './ledger.ts'
import type { Payment } from './payments.ts'
import { bookRefund, countSales, idsOf, isFreed, markSold, paidFor, type SoldItem } from './sale.ts'
import { shareSale } from './shares.ts'
import { replaceOwned } from './waiting-orders.ts'

interface Credit {
  readonly payment: Payment
  /** `wallet`: a top-up, or money for an order that was already paid, cancelled or replaced. */
  readonly into: 'wallet' | 'order'
  /** The items sold by this payment. */
  readonly sold: readonly SoldItem[]
  /** The items that the buyer already owned when the money arrived: their price went into the wallet. */
  readonly returned: readonly SoldItem[]
  /** Why money for an order went into the wallet; null if none did. */
  readonly walletReason: WalletReason | null
}

/**
 * Books a payment whose money has arrived, in the caller's transaction: credits the wallet, or sells and
 * grants the order, and mails the payer. Money for an order that was already paid, cancelled or replaced goes
 * into the wallet.
 * Books a payment once: returns null if it was booked before.
 */
export async function credit(
  tx: Tx,
  deps: Pick<Deps, 'jobs' | 'now'>,
  paymentId: number,
  gatewayReference: string | null = null,
): Promise<Credit | null> {
  const credited = await book(tx, { paymentId, gatewayReference, at: new Date(deps.now()) })
  if (credited) await mailCredit(tx, deps.jobs, credited)
  return credited
}

interface Arrival {
  readonly paymentId: number
  readonly gatewayReference: string | null
  readonly at: Date
}

async function book(tx: Tx, { paymentId, gatewayReference, at }: Arrival): Promise<Credit | null> {
  // Wallet, payment, order, counters: all code locks in this order.
  const wallet = await lockWalletOf(tx, async () => {
    const { userId } = await tx
      .selectFrom('payments')
      .select('userId')
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
    return userId
  })
  const found = await tx
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', paymentId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const payment = found.status === 'paid' ? await secondOf(tx, found, gatewayReference) : found
  if (!payment) return null
  const paid = await tx
    .updateTable('payments')
    .set({
      status: 'paid',
      settledAt: at,
      nextCheckAt: null,
      gatewayReference: gatewayReference ?? payment.gatewayReference,
    })
    .where('id', '=', payment.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const gateway = { accountId: await singleAccount(tx, 'gateway'), amount: -paid.amount }

  const order = paid.orderId === null ? null : await lockOrder(tx, paid.orderId)
  if (order && order.status !== 'paid' && payment.status !== 'cancelled') {
    return sell(tx, { payment: paid, orderId: order.id, gateway, walletId: wallet.accountId, at })
  }
  await post(tx, {
    kind: 'top_up',
    paymentId: paid.id,
    note: order ? `for order ${order.id}, which was ${order.status}` : '',
    entries: [gateway, { accountId: wallet.accountId, amount: paid.amount }],
  })
  return {
    payment: paid,
    into: 'wallet',
    sold: [],
    returned: [],
    walletReason: order && walletReasonOf(order),
  }
}

function walletReasonOf({ status }: { status: string }): WalletReason {
  return status === 'paid' || status === 'cancelled' ? status : 'replaced'
}

function lockOrder(tx: Tx, orderId: number) {
  return tx
    .selectFrom('orders')
    .select(['id', 'status'])
    .where('id', '=', orderId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** Records the second payment where the gateway took money twice for one of ours. */
async function secondOf(
  tx: Tx,
  { id: _, reference: __, ...first }: Payment,
  gatewayReference: string | null,
): Promise<Payment | undefined> {
  if (gatewayReference === null || gatewayReference === first.gatewayReference) return undefined
  return tx
    .insertInto('payments')
    .values({
      ...first,
      reference: randomBytes(12).toString('hex'),
      gatewayReference,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'gatewayReference']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

interface PaidOrder {
  readonly payment: Payment
  readonly orderId: number
  readonly gateway: Entry
  readonly walletId: number
  readonly at: Date
}

async function sell(
  tx: Tx,
  { payment, orderId, gateway, walletId, at }: PaidOrder,
): Promise<Credit> {
  const { items, entries } = await shareSale(tx, await readItems(tx, orderId, payment.userId))
  await markSold(tx, orderId, items)
  await post(tx, {
    kind: 'purchase',
    orderId,
    paymentId: payment.id,
    entries: [gateway, ...entries],
  })
  const returned = items.filter(({ isOwned }) => isOwned)
  const sold = items.filter(({ isOwned }) => !isOwned)
  if (returned.length > 0) {
    await bookRefund(tx, { orderId, walletId, note: 'owned before it was paid' }, returned)
  }
  await tx
    .updateTable('orders')
    .set({ status: 'paid', paidAt: at, method: payment.method })
    .where('id', '=', orderId)
    .execute()
  await takeOutOfCart(tx, payment.userId, idsOf(items))
  if (sold.length > 0) {
    await tx
      .insertInto('purchases')
      .values(
        sold.map((item) => ({
          userId: payment.userId,
          documentId: item.documentId,
          orderId,
          price: paidFor(item),
          isFreed: isFreed(item),
        })),
      )
      .execute()
    await replaceOwned(tx, payment.userId)
    await countSales(tx, sold)
  }
  return {
    payment,
    into: 'order',
    sold,
    returned,
    walletReason: returned.length > 0 ? 'owned' : null,
  }
}

async function readItems(
  tx: Tx,
  orderId: number,
  buyerId: number,
): Promise<(SoldItem & { isOwned: boolean })[]> {
  const { rows } = await sql<SoldItem & { isOwned: boolean }>`
    SELECT i.document_id, i.price, i.price_before, i.code_off, d.title, d.teacher_id, p.id IS NOT NULL AS is_owned
    FROM order_items i
    JOIN documents d ON d.id = i.document_id
    LEFT JOIN purchases p ON p.user_id = ${buyerId} AND p.document_id = i.document_id
    WHERE i.order_id = ${orderId} ORDER BY i.document_id`.execute(tx)
  return rows
}

/** Queues the mail about the arrival of a payment's money. */
async function mailCredit(
  tx: Tx,
  jobs: Jobs,
  { payment, into, returned, walletReason }: Credit,
): Promise<void> {
  const { orderId, reference } = payment
  if (orderId === null) return enqueueMail(tx, jobs, 'top_up_credited', { reference })
  if (into === 'order') await enqueueMail(tx, jobs, 'receipt', { orderId })
  if (walletReason === null) return
  const documentIds = returned.map(({ documentId: id }) => id)
  await enqueueMail(tx, jobs, 'money_in_wallet', { reference, why: walletReason, documentIds })
}
