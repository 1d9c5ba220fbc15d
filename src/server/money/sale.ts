import { sql } from 'kysely'
import type { BundlePart } from '../../contract/bundle-part.ts'
import { restPrices } from '../../rules/bundles.ts'
import type { Millimes } from '../../rules/money.ts'
import { CATALOGUE_TAG, documentTag, teacherTag } from '../../rules/page-tags.ts'
import { type SellingBundle, sellingBundles } from '../bundles/bundles.ts'
import { idList } from '../database/sql-parts.ts'
import type { Tx } from '../database/transaction.ts'
import { type ApiFault, fault } from '../http/errors.ts'
import { post } from './ledger.ts'
import { reverseShares } from './shares.ts'

/** A document at the price for which it is sold. */
export interface SoldItem {
  readonly documentId: number
  readonly title: string
  readonly teacherId: number
  /** What its teacher and the shop share. */
  readonly price: Millimes
  /** The price before a teacher's code. */
  readonly priceBefore?: Millimes | null | undefined
  /** What a code of the shop takes off: the buyer pays the rest of the price. */
  readonly codeOff?: Millimes | undefined
  /** The bundle of whose price it is a share, and what of that price these items are. */
  readonly bundle?: { readonly id: number; readonly total: Millimes } | null | undefined
}

/** A document that was sold, and its teacher's part of the price. */
export interface SharedItem extends SoldItem {
  /** null: sold before prices were shared. */
  readonly share: Millimes | null
}

/** A document that somebody wants to buy, at the final price of this moment. */
export interface RequestedItem extends SoldItem {
  /** The price before any discount, and what it costs by itself. */
  readonly fullPrice: Millimes
  readonly singlePrice: Millimes
  /** Its part of a requested bundle for sale. */
  readonly part?: BundlePart | undefined
  readonly isPublished: boolean
  readonly isOwned: boolean
  /** Whether its buyer has any order that is pending; the same for all that are requested. */
  readonly hasOrders: boolean
}

/** What the buyer pays for an item. */
export const paidFor = ({ price, codeOff = 0 }: Pick<SoldItem, 'price' | 'codeOff'>): Millimes =>
  price - codeOff

/** The same of rows of `order_items`. */
export const PAID = sql<Millimes>`order_items.price - order_items.code_off`

/** What the buyer would have paid without the order's code. */
export const PAID_WITHOUT_CODE = sql<Millimes>`coalesce(order_items.price_before, order_items.price)`

/** What item `i` cost before the order's code; null where that lowered nothing. */
export const PRICE_BEFORE = sql<Millimes | null>`
  coalesce(i.price_before, nullif(i.price, i.price - i.code_off))`

/** Whether a code made an item free: it counts as no sale, and its buyer's rating as no buyer's. */
export const isFreed = (item: Pick<SoldItem, 'price' | 'priceBefore' | 'codeOff'>): boolean =>
  paidFor(item) === 0 && Boolean(item.priceBefore || item.codeOff)

export function totalOf(items: readonly Pick<SoldItem, 'price' | 'codeOff'>[]): Millimes {
  return items.reduce((sum, item) => sum + paidFor(item), 0)
}

export function idsOf(items: readonly { readonly documentId: number }[]): number[] {
  return items.map(({ documentId }) => documentId)
}

/** What a buyer wants: documents, the bundles at whose prices, and the code that lowers them. */
export interface Wanted {
  readonly documentIds: readonly number[]
  readonly bundleIds?: readonly number[] | undefined
  readonly code?: CodeUse | undefined
}

/** A code that somebody pays with, and when. */
export interface CodeUse {
  readonly text: string
  readonly at: Date
}

/** Documents at this buyer's prices, in the requested order; unknown ones are left out. */
export async function readRequested(
  tx: Tx,
  buyerId: number,
  { documentIds, bundleIds = [] }: Wanted,
): Promise<RequestedItem[]> {
  const { rows } = await sql<Omit<RequestedItem, 'singlePrice'>>`
    SELECT d.id AS document_id, d.title, d.teacher_id, d.is_published, d.price AS full_price,
      -- The same value, but more expensive to compute.
      CASE WHEN EXISTS (SELECT FROM timed_discounts WHERE document_id = d.id)
        THEN price_now(d) ELSE d.final_price END AS price,
      EXISTS (
        SELECT FROM purchases WHERE user_id = ${buyerId} AND document_id = requested.document_id
      ) AS is_owned,
      EXISTS (
        SELECT FROM orders WHERE buyer_id = ${buyerId} AND status = 'pending'
      ) AS has_orders
    FROM unnest(${idList(documentIds)}) WITH ORDINALITY AS requested (document_id, place)
    JOIN documents d ON d.id = requested.document_id
    ORDER BY requested.place`.execute(tx)
  const items = rows.map((row) => ({ ...row, singlePrice: row.price }))
  return atBundlePrices(items, await sellingBundles(tx, bundleIds, buyerId))
}

/**
 * Documents at their shares of the bundles all of whose documents are requested or owned; of two bundles with
 * the same document, the cheaper one counts.
 */
function atBundlePrices(
  items: readonly RequestedItem[],
  bundles: readonly SellingBundle[],
): RequestedItem[] {
  const priced = new Map(items.map((item) => [item.documentId, item]))
  for (const { id, documents } of bundles) {
    const lacked = documents.filter(({ isOwned }) => !isOwned)
    const prices = restPrices(lacked.map(({ bundle }) => bundle.share))
    const isWhole = lacked.every(
      (each) => priced.get(each.id)?.bundle === undefined && priced.has(each.id),
    )
    const total = prices.reduce((sum, price) => sum + price, 0)
    for (const { id: documentId, bundle: part } of documents) {
      const item = priced.get(documentId)
      const at = lacked.findIndex((each) => each.id === documentId)
      if (!item || item.bundle) continue
      const share = isWhole && at >= 0 && { price: prices[at] ?? 0, bundle: { id, total } }
      priced.set(documentId, { ...item, part, ...share })
    }
  }
  return [...priced.values()]
}

/**
 * The refusal of a payment whose buyer was shown another total than these documents cost now: the prices
 * that it would be charged by, those of the same snapshot that decided.
 */
export function priceChanged(requested: readonly RequestedItem[]): ApiFault {
  const documents = requested.map((item) => ({
    id: item.documentId,
    title: item.title,
    price: item.fullPrice,
    priceDiscount: item.singlePrice < item.fullPrice ? item.singlePrice : null,
    isOwned: item.isOwned,
    ...(item.part && { bundle: item.part }),
  }))
  const total = totalOf(requested.filter(({ isOwned }) => !isOwned))
  return fault('price_changed', { prices: { total, documents } })
}

/**
 * Stores when an order's items were sold and how their prices were shared; wallet orders are inserted with
 * these columns.
 */
export async function markSold(
  tx: Tx,
  orderId: number,
  items: readonly SharedItem[],
): Promise<void> {
  await sql`
    UPDATE order_items SET sold_at = now(), teacher_id = sold.teacher_id, teacher_share = sold.share
    FROM unnest(
      ${idsOf(items)}::integer[],
      ${items.map(({ teacherId }) => teacherId)}::integer[],
      ${items.map(({ share }) => share)}::bigint[]
    ) AS sold (document_id, teacher_id, share)
    WHERE order_items.order_id = ${orderId} AND order_items.document_id = sold.document_id`.execute(
    tx,
  )
}

/**
 * Refunds items of an order into the buyer's wallet, which the caller has locked, from their teachers and the
 * shop: each returns its share of the sale. Items that are refunded together, and only those, carry the time
 * of their ledger transaction.
 */
export async function bookRefund(
  tx: Tx,
  { orderId, walletId, note }: { orderId: number; walletId: number; note?: string },
  items: readonly SharedItem[],
): Promise<void> {
  const entries = await reverseShares(tx, items)
  entries.push({ accountId: walletId, amount: totalOf(items) })
  await post(tx, { kind: 'refund', orderId, ...(note && { note }), entries })
  await tx
    .updateTable('orderItems')
    .set({ refundedAt: sql<Date>`now()`, codeReturned: sql.ref('codeOff') })
    .where('orderId', '=', orderId)
    .where('documentId', 'in', idsOf(items))
    .execute()
}

/**
 * Adds one sale to the count of each document (`by` -1 subtracts one), and notes that the pages that show it
 * change: soon after a sale, at once after a refund. All buyers contend for these rows, so they are locked
 * last, for the shortest time, and lower ids first, so that purchases do not deadlock.
 */
export async function countSales(tx: Tx, sold: readonly SoldItem[], by: 1 | -1 = 1): Promise<void> {
  const items = sold.filter((item) => !isFreed(item))
  if (items.length === 0) return
  await sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM documents WHERE id = ANY (${idList(idsOf(items))})
      ORDER BY id FOR NO KEY UPDATE
    ), counted AS (
      UPDATE documents SET sales_count = greatest(sales_count + ${by}::integer, 0)
      FROM locked WHERE documents.id = locked.id
    )
    INSERT INTO page_changes (tags, soon)
    VALUES (${tagsOfSale(items)}::text[], ${by > 0}::boolean)`.execute(tx)
}

/** The tags of the pages that show what was sold or refunded. */
export function tagsOfSale(
  items: readonly { readonly documentId: number; readonly teacherId: number }[],
): string[] {
  const tags = items.flatMap(({ documentId, teacherId }) => [
    documentTag(documentId),
    teacherTag(teacherId),
  ])
  return [...new Set([...tags, CATALOGUE_TAG])]
}
