import { sql } from 'kysely'
import type { PurchaseResult } from '../../contract/wallet.ts'
import type { Millimes } from '../../rules/money.ts'
import { takeOutOfCart } from '../carts/carts.ts'
import { type Tx, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { type Intent, once } from '../http/idempotency.ts'
import { enqueueMail } from '../mail/mail.ts'
import { type Consent, consentTo } from '../site-texts/site-texts.ts'
import { atCodePrices, lockCode } from './codes/apply.ts'
import { noteLink } from './earnings/links.ts'
import { lockOwnWallet, post } from './ledger.ts'
import {
  countSales,
  idsOf,
  priceChanged,
  readRequested,
  type SharedItem,
  type SoldItem,
  tagsOfSale,
  totalOf,
  type Wanted,
} from './sale.ts'
import { shareSale } from './shares.ts'
import { replaceOwned, replaceUnpayable } from './waiting-orders.ts'

/** The result of a purchase. Documents in `owned` were bought before and are not paid again. */
export interface Purchase {
  /** null if there was nothing to buy. */
  readonly orderId: number | null
  readonly owned: readonly SoldItem[]
  readonly bought: readonly SoldItem[]
}

interface PurchaseRequest extends Wanted {
  readonly buyerId: number
  /** The price that the buyer was shown; without it, the current prices are charged. */
  readonly total?: Millimes | undefined
  /** What the buyer read before paying (`consentTo`). */
  readonly notice?: string | null
  /** The teacher's link by which the buyer came. */
  readonly link?: string | undefined
  /** When it happened, for demo data; now by default. */
  readonly at?: Date
}

/**
 * Pays for documents from the buyer's wallet at the current prices and grants them, all in the caller's
 * transaction. Throws `document_not_found` for one that is unknown or not published, `price_changed`
 * when the new ones do not cost the total that the buyer was shown, `insufficient_balance` when the wallet holds
 * less than they cost.
 */
export async function purchase(tx: Tx, request: PurchaseRequest): Promise<Purchase> {
  const made = await sell(tx, request)
  await countSales(tx, made.bought)
  return made
}

/** Does the work of a purchase except its count, whose rows all buyers contend for. */
async function sell(tx: Tx, request: PurchaseRequest): Promise<Purchase> {
  const { buyerId, documentIds, notice, link, at } = request
  // Locked before anything is read: another purchase of the same buyer is either visible here, or waits for
  // this one.
  const wallet = await lockOwnWallet(tx, buyerId)
  const before = await readRequested(tx, buyerId, request)
  // Such an order gives its use of the code back.
  if (request.code && before[0]?.hasOrders) await replaceUnpayable(tx, buyerId, documentIds)
  await lockCode(tx, request.code)
  const { items: requested, codeId, refusal } = await atCodePrices(tx, before, request)
  const owned = requested.filter(({ isOwned }) => isOwned)
  const bought = requested.filter(({ isOwned }) => !isOwned)
  if (requested.length < documentIds.length || bought.some(({ isPublished }) => !isPublished)) {
    throw fault('document_not_found')
  }
  const total = totalOf(bought)
  if (request.total === undefined && refusal) throw fault(refusal)
  if (request.total !== undefined && request.total !== total) throw priceChanged(requested)
  if (total > wallet.balance) throw fault('insufficient_balance')
  if (bought.length === 0) return { orderId: null, owned, bought }

  const { items, entries } = await shareSale(tx, bought)
  const orderId = await writePaidOrder(tx, { buyerId, items, notice, codeId, at })
  await noteLink(tx, orderId, link)
  entries.push({ accountId: wallet.accountId, amount: -total })
  await post(tx, { kind: 'purchase', orderId, entries, ...(at && { at }) })
  if (bought[0]?.hasOrders) await replaceOwned(tx, buyerId)
  return { orderId, owned, bought }
}

interface PaidOrder {
  readonly buyerId: number
  readonly items: readonly SharedItem[]
  readonly notice?: string | null | undefined
  readonly codeId?: number | null
  readonly at?: Date | undefined
}

/** Writes an order that is paid from the wallet, with its items, and grants them. */
export async function writePaidOrder(
  tx: Tx,
  { buyerId, items, notice = null, codeId = null, at }: PaidOrder,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    WITH placed AS (
      INSERT INTO orders (buyer_id, status, method, total, notice, code_id, created_at, paid_at)
      SELECT ${buyerId}::integer, 'paid', 'wallet', ${totalOf(items)}::bigint, ${notice}::text,
        ${codeId}::integer, made.at, made.at
      FROM coalesce(${at ?? null}::timestamptz, now()) AS made (at)
      RETURNING id, buyer_id, paid_at
    ), lines AS (
      INSERT INTO order_items (order_id, document_id, price, sold_at, teacher_id, teacher_share,
        bundle_id, bundle_total, price_before, code_off)
      SELECT placed.id, item.document_id, item.price, placed.paid_at, item.teacher_id, item.share,
        item.bundle_id, item.bundle_total, item.price_before, item.code_off
      FROM placed, unnest(
        ${idsOf(items)}::integer[],
        ${items.map(({ price }) => price)}::bigint[],
        ${items.map(({ teacherId }) => teacherId)}::integer[],
        ${items.map(({ share }) => share)}::bigint[],
        ${items.map(({ bundle }) => bundle?.id)}::integer[],
        ${items.map(({ bundle }) => bundle?.total)}::bigint[],
        ${items.map(({ priceBefore }) => priceBefore)}::bigint[],
        ${items.map(({ codeOff = 0 }) => codeOff)}::bigint[]
      ) AS item (document_id, price, teacher_id, share, bundle_id, bundle_total, price_before, code_off)
      RETURNING order_id, document_id, price - code_off AS paid,
        price = code_off AND (code_off > 0 OR price_before IS NOT NULL) AS is_freed
    ), granted AS (
      INSERT INTO purchases (user_id, document_id, order_id, price, is_freed, purchased_at)
      SELECT placed.buyer_id, lines.document_id, placed.id, lines.paid, lines.is_freed, placed.paid_at
      FROM placed JOIN lines ON lines.order_id = placed.id
    )
    SELECT id FROM placed`.execute(tx)
  const [order] = rows
  if (!order) throw new Error('the order was not written')
  return order.id
}

/** A payment for documents from the buyer's wallet, by a call with an idempotency key. */
interface WalletPayment extends Intent, Consent, Wanted {
  readonly total?: Millimes | undefined
  readonly link?: string | undefined
  /** Whether the documents are removed from the buyer's cart. */
  readonly isOfCart: boolean
}

/**
 * Pays once for each key in a transaction of its own, mails the receipt and refreshes the public pages.
 * Throws as `purchase` does, and `DatabaseUnavailable` if too many payments wait for their turn.
 */
export async function payFromWallet(deps: Deps, payment: WalletPayment): Promise<PurchaseResult> {
  let bought: readonly SoldItem[] = []
  const pay = async (tx: Tx) => {
    // Discards what an aborted attempt bought.
    bought = []
    const answer = await once(
      tx,
      payment,
      async () => {
        const notice = await consentTo(tx, { ...payment, at: new Date(deps.now()) })
        const made = await sell(tx, { ...payment, buyerId: payment.userId, notice })
        if (payment.isOfCart) await takeOutOfCart(tx, payment.userId, payment.documentIds)
        const { orderId, owned } = made
        if (orderId !== null) await enqueueMail(tx, deps.jobs, 'receipt', { orderId })
        bought = made.bought
        return owned.length === 0 ? ALL_BOUGHT : presentPartial(owned)
      },
      ALL_BOUGHT,
    )
    // Last, so that other buyers wait for the commit alone.
    await countSales(tx, bought)
    return answer
  }
  const turn = String(payment.userId)
  const result = await deps.payments.turns.take(() => transaction(deps.database, pay), turn)
  if (bought.length > 0) deps.publisher.changedSoon(tagsOfSale(bought))
  return result
}

const ALL_BOUGHT: PurchaseResult = { status: 'SUCCESS', excludedDocuments: [] }

/** A purchase without the documents that its buyer owned. */
function presentPartial(owned: readonly SoldItem[]): PurchaseResult {
  return {
    status: 'PARTIAL_SUCCESS',
    excludedDocuments: owned.map(({ documentId, title }) => ({ id: documentId, title })),
  }
}
