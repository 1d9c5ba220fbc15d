import { sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import type { Tx } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { type ApiFault, fault } from '../http/errors.ts'
import { enqueueMail } from '../mail/mail.ts'
import { doneBefore, logStaff } from '../staff-log/staff-log.ts'
import { type Acting, act, BY_COMMAND } from './acting.ts'
import { creditInvoice } from './invoices/invoices.ts'
import { lockWalletOf } from './ledger.ts'
import {
  bookRefund,
  countSales,
  idsOf,
  isFreed,
  type SharedItem,
  type SoldItem,
  tagsOfSale,
  totalOf,
} from './sale.ts'
import { type Executors, propose } from './two-people/acts.ts'

/** What to refund: one document of an order, or all its items, or those of a bundle, that are not refunded yet. */
interface RefundRequest {
  readonly orderId: number
  readonly documentId?: number | undefined
  readonly bundleId?: number | undefined
  readonly reason?: string
  /** The sum that the staff member was shown; a refund of another sum is refused. */
  readonly seen?: Millimes
}

interface Refund {
  readonly orderId: number
  readonly buyerId: number
  readonly total: Millimes
  readonly items: readonly SoldItem[]
  /** The act that waits for a second, while nothing is refunded; null: it is done. */
  readonly waits: number | null
}

const REFUND = 'refund'

const orderSubject = (id: number) => ({ kind: 'order', id })

/**
 * Refunds a paid order, or one document of it, to its buyer's wallet and revokes the grants, once however
 * often it is called; then refreshes the pages and mails the buyer. Throws `order_not_found`,
 * `order_not_paid`, `document_not_found`, `bundle_opened`, and `done_before` or `refund_changed` where it was refunded before,
 * or the sum is not the one `seen`.
 */
export async function refundOrder(
  deps: Pick<Deps, 'database' | 'jobs' | 'publisher' | 'now'>,
  request: RefundRequest,
  acting: Acting = BY_COMMAND,
): Promise<Refund> {
  const refund = await act(deps, acting, async (tx): Promise<Refund> => {
    const { orderId, documentId = null, bundleId, reason = '' } = request
    const { buyerId, status } = await findOrder(tx, orderId)
    if (status !== 'paid') throw notPaid(orderId, status)
    const items = await refundable(tx, request)
    const total = totalOf(items)
    const waits = await propose(tx, deps, acting, {
      kind: 'refund',
      subject: `order ${orderId}`,
      userId: buyerId,
      amount: total,
      reason,
      input: { orderId, documentId, ...(bundleId && { bundleId }) },
      // What a code made free takes nothing from the shop, but from its teacher.
      alwaysTwo: total === 0 && items.some(isFreed),
      detail: `${orderId}: ${items.map(({ title }) => title).join(', ')}`.slice(0, DETAIL_LENGTH),
    })
    if (waits !== null) return { orderId, buyerId, total: 0, items: [], waits }
    // The rest that can be refunded only shrinks until it is locked.
    return refundAndTell(tx, deps, request, acting.actor)
  })
  deps.publisher.changed(tagsOfSale(refund.items))
  return refund
}

/** How much of the titles of an order a second is shown. */
const DETAIL_LENGTH = 300

/** Refunds what a second has confirmed, if it is still the same sum. */
export function refundAct(deps: Pick<Deps, 'jobs' | 'publisher' | 'now'>): Executors['refund'] {
  return async (tx, { input, amount: seen, reason, decider }) => {
    const request = { ...input, documentId: input.documentId ?? undefined, reason, seen }
    const { items } = await refundAndTell(tx, deps, request, decider)
    return () => deps.publisher.changed(tagsOfSale(items))
  }
}

async function refundAndTell(
  tx: Tx,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  request: RefundRequest,
  actor: string,
): Promise<Refund> {
  const refunded = await refundItems(tx, request, new Date(now()))
  const { orderId, reason = null } = request
  await logStaff(tx, { actor, action: REFUND, subject: orderSubject(orderId), reason })
  await enqueueMail(tx, jobs, 'refund', { orderId, documentIds: idsOf(refunded.items) })
  return refunded
}

/**
 * Refunds within a transaction, as `refundOrder` does, with a credit note for an invoiced order; the caller
 * refreshes the pages and mails the buyer.
 */
export async function refundItems(
  tx: Tx,
  request: RefundRequest,
  at = new Date(),
): Promise<Refund> {
  const { orderId } = request
  const wallet = await lockWalletOf(tx, async () => (await findOrder(tx, orderId)).buyerId)
  const order = await tx
    .selectFrom('orders')
    .select(['buyerId', 'status'])
    .where('id', '=', orderId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (order.status !== 'paid') throw notPaid(orderId, order.status)
  const items = await refundable(tx, request)
  const total = totalOf(items)
  if (request.seen !== undefined && request.seen !== total) {
    throw await refundedBefore(
      tx,
      orderId,
      `The sum left of order ${orderId} has changed meanwhile.`,
    )
  }
  const note = request.reason ?? ''
  await bookRefund(tx, { orderId, walletId: wallet.accountId, note }, items)
  // Grants by another order stay, since that order paid for them.
  await tx
    .deleteFrom('purchases')
    .where('userId', '=', order.buyerId)
    .where('orderId', '=', orderId)
    .where('documentId', 'in', idsOf(items))
    .execute()
  await countSales(tx, items, -1)
  await creditInvoice(tx, { orderId, items, at })
  return { orderId, buyerId: order.buyerId, total, items, waits: null }
}

async function findOrder(tx: Tx, orderId: number) {
  const order = await tx
    .selectFrom('orders')
    .select(['buyerId', 'status'])
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (!order) throw fault('order_not_found', { message: `There is no order ${orderId}.` })
  return order
}

const notPaid = (orderId: number, status: string) =>
  fault('order_not_paid', { message: `Order ${orderId} is ${status}, not paid.` })

/** The requested items that were not refunded before. A bundle is refunded whole, before any of it was opened. */
async function refundable(
  tx: Tx,
  { orderId, documentId, bundleId }: RefundRequest,
): Promise<SharedItem[]> {
  const { rows } = await sql<SharedItem & { isRefunded: boolean; isOpened: boolean }>`
    SELECT i.document_id, i.price, i.price_before, i.code_off, d.title, i.teacher_id, i.teacher_share AS share,
      CASE WHEN i.bundle_id IS NOT NULL
        THEN json_build_object('id', i.bundle_id, 'total', i.bundle_total) END AS bundle,
      i.refunded_at IS NOT NULL AS is_refunded, EXISTS (SELECT FROM readings r
        WHERE r.user_id = o.buyer_id AND r.document_id = i.document_id AND r.seen_version > 0) AS is_opened
    FROM order_items i JOIN documents d ON d.id = i.document_id JOIN orders o ON o.id = i.order_id
    WHERE i.order_id = ${orderId} AND (${documentId ?? null}::integer IS NULL
      OR i.document_id = ${documentId ?? null}::integer)
      AND (${bundleId ?? null}::integer IS NULL OR i.bundle_id = ${bundleId ?? null}::integer)
    ORDER BY i.document_id`.execute(tx)
  if (bundleId && rows.some(({ isOpened }) => isOpened)) throw fault('bundle_opened')
  if (bundleId && rows.length === 0) throw fault('bundle_not_found')
  const items = rows.filter(({ isRefunded }) => !isRefunded)
  if (rows.length === 0 && documentId !== undefined) {
    const message = `Document ${documentId} is not part of order ${orderId}.`
    throw fault('document_not_found', { message })
  }
  if (items.length === 0) {
    const what = documentId === undefined ? 'All of' : `Document ${documentId} of`
    throw await refundedBefore(tx, orderId, `${what} order ${orderId} was refunded before.`)
  }
  return items.map(({ isRefunded: _, isOpened: __, ...item }) => item)
}

async function refundedBefore(tx: Tx, orderId: number, message: string): Promise<ApiFault> {
  const first = await doneBefore(tx, { subject: orderSubject(orderId), actions: [REFUND] })
  return fault(first?.code ?? 'refund_changed', { ...first?.extra, message })
}
