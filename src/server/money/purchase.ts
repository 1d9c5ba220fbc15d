import { sql } from 'kysely'
import type { Millimes } from '../../rules/money.ts'
import type { Tx } from '../database/transaction.ts'
import { ApiFault, fault } from '../http/errors.ts'
import { type AnyWallet, lockWallets, postAll } from './ledger.ts'
import {
  countSales,
  idsOf,
  priceChanged,
  type RequestedItem,
  readAllRequested,
  type SharedItem,
  type SoldItem,
  totalOf,
} from './sale.ts'
import { shareSales } from './shares.ts'
import { replaceOwned } from './waiting-orders.ts'

/** The result of a purchase. Documents in `owned` were bought before and are not paid again. */
export interface Purchase {
  readonly buyerId: number
  /** null if there was nothing to buy. */
  readonly orderId: number | null
  readonly owned: readonly SoldItem[]
  readonly bought: readonly SoldItem[]
}

interface PurchaseRequest {
  readonly buyerId: number
  readonly documentIds: readonly number[]
  /** What the buyer was shown that it costs; without it, the prices of now are charged. */
  readonly total?: Millimes | undefined
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
  const [outcome] = await purchaseAll(tx, [request])
  if (!outcome) throw new Error('the purchase has no outcome')
  if (outcome instanceof ApiFault) throw outcome
  return outcome
}

/**
 * Runs purchases of different buyers, each like `purchase`, with as many statements as a single one takes.
 * Returns their outcomes in the order of the requests; a refused purchase has changed nothing. `meanwhile`
 * runs in the same transaction, before the rows that all buyers contend for are locked.
 */
export async function purchaseAll(
  tx: Tx,
  requests: readonly PurchaseRequest[],
  meanwhile: (purchases: readonly Purchase[]) => Promise<void> = async () => {},
): Promise<(Purchase | ApiFault)[]> {
  // Locked before anything is read: another purchase of the same buyers is either visible here, or waits for
  // this one.
  const buyerIds = requests.map(({ buyerId }) => buyerId)
  const wallets = await lockWallets(tx, buyerIds)
  const requested = await readAllRequested(tx, requests)
  const checked = requests.map((request) => {
    const { buyerId } = request
    return check(request, wallets.get(buyerId), requested.get(buyerId) ?? [])
  })

  const admitted = checked.flatMap((each) => (each instanceof ApiFault ? [] : each))
  const sales = admitted.filter(({ bought }) => bought.length > 0)
  const shared = await shareSales(
    tx,
    sales.map(({ bought }) => bought),
  )
  const orders = await writePaidOrders(
    tx,
    sales.map(({ buyerId, at }, place) => ({ buyerId, at, items: shared[place]?.items ?? [] })),
  )
  const made = (sale: CheckedSale): Purchase => {
    const { buyerId, owned, bought } = sale
    return { buyerId, owned, bought, orderId: orders.get(buyerId) ?? null }
  }
  await meanwhile(admitted.map(made))

  await postAll(
    tx,
    sales.map(({ buyerId, accountId, total, at }, place) => ({
      kind: 'purchase',
      orderId: orders.get(buyerId) ?? null,
      entries: [...(shared[place]?.entries ?? []), { accountId, amount: -total }],
      ...(at && { at }),
    })),
  )
  for (const { buyerId, bought } of sales) {
    if (bought[0]?.hasOrders) await replaceOwned(tx, buyerId)
  }
  await countSales(
    tx,
    sales.flatMap(({ bought }) => bought),
  )
  return checked.map((each) => (each instanceof ApiFault ? each : made(each)))
}

interface CheckedSale extends PurchaseRequest {
  readonly accountId: number
  readonly owned: readonly RequestedItem[]
  readonly bought: readonly RequestedItem[]
  readonly total: Millimes
}

function check(
  request: PurchaseRequest,
  wallet: AnyWallet | undefined,
  requested: readonly RequestedItem[],
): CheckedSale | ApiFault {
  if (!wallet) throw new Error(`user ${request.buyerId} has no wallet`)
  if (wallet.isClosed) return fault('account_merged')
  const owned = requested.filter((document) => document.isOwned)
  const bought = requested.filter((document) => !document.isOwned)
  if (
    requested.length < request.documentIds.length ||
    bought.some((document) => !document.isPublished)
  ) {
    return fault('document_not_found')
  }
  const total = totalOf(bought)
  if (request.total !== undefined && request.total !== total) return priceChanged(requested)
  if (total > wallet.balance) return fault('insufficient_balance')
  return { ...request, accountId: wallet.accountId, owned, bought, total }
}

interface PaidOrder {
  readonly buyerId: number
  readonly items: readonly SharedItem[]
  readonly at?: Date | undefined
}

/** Writes an order that is paid from the wallet, with its items, and grants them. */
export async function writePaidOrder(
  tx: Tx,
  buyerId: number,
  items: readonly SharedItem[],
): Promise<number> {
  const id = (await writePaidOrders(tx, [{ buyerId, items }])).get(buyerId)
  if (id === undefined) throw new Error('the order was not written')
  return id
}

/** Writes such an order for each of several buyers; returns the ids of the orders by buyer. */
async function writePaidOrders(
  tx: Tx,
  orders: readonly PaidOrder[],
): Promise<ReadonlyMap<number, number>> {
  if (orders.length === 0) return new Map()
  const items = orders.flatMap(({ items }) => items)
  const { rows } = await sql<{ id: number; buyerId: number }>`
    WITH placed AS (
      INSERT INTO orders (buyer_id, status, method, total, created_at, paid_at)
      SELECT buyer_id, 'paid', 'wallet', total, coalesce(made_at, now()), coalesce(made_at, now())
      FROM unnest(
        ${orders.map(({ buyerId }) => buyerId)}::integer[],
        ${orders.map(({ items }) => totalOf(items))}::bigint[],
        ${orders.map(({ at }) => at ?? null)}::timestamptz[]
      ) AS given (buyer_id, total, made_at)
      RETURNING id, buyer_id, paid_at
    ), lines AS (
      INSERT INTO order_items (order_id, document_id, price, sold_at, teacher_id, teacher_share)
      SELECT placed.id, item.document_id, item.price, placed.paid_at, item.teacher_id, item.share
      FROM placed JOIN unnest(
        ${orders.flatMap(({ buyerId, items }) => items.map(() => buyerId))}::integer[],
        ${idsOf(items)}::integer[],
        ${items.map(({ price }) => price)}::bigint[],
        ${items.map(({ teacherId }) => teacherId)}::integer[],
        ${items.map(({ share }) => share)}::bigint[]
      ) AS item (buyer_id, document_id, price, teacher_id, share)
        ON item.buyer_id = placed.buyer_id
      RETURNING order_id, document_id, price
    ), granted AS (
      INSERT INTO purchases (user_id, document_id, order_id, price, purchased_at)
      SELECT placed.buyer_id, lines.document_id, placed.id, lines.price, placed.paid_at
      FROM placed JOIN lines ON lines.order_id = placed.id
    )
    SELECT id, buyer_id FROM placed`.execute(tx)
  return new Map(rows.map(({ id, buyerId }) => [buyerId, id]))
}
