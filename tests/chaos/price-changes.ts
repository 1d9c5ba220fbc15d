import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ApiError, createApi } from '../../src/client/api.ts'
import { httpTransport } from '../../src/client/http.ts'
import type { NewPrices } from '../../src/contract/errors.ts'
import { createAndPay, payFromWallet } from '../../src/contract/wallet.ts'
import { finalPrice } from '../../src/rules/discount.ts'
import { dinars, type Millimes } from '../../src/rules/money.ts'
import type { Database } from '../../src/server/database/pool.ts'
import { checkLedger, isLedgerSound } from '../../src/server/money/ledger-check.ts'
import type { Random } from '../support/random.ts'

/** The shop on which prices change, and who buys there. */
interface Market {
  /** Where the shop listens. */
  readonly url: string
  readonly database: Database
  readonly buyers: readonly { readonly id: number; readonly token: string }[]
  /** Each buyer pays for each of them once. */
  readonly documentIds: readonly number[]
  readonly random: Random
}

interface Outcome {
  /** Payments that were made, payments refused because a price had changed, changes of prices. */
  readonly paid: number
  readonly refused: number
  readonly changes: number
  /** Charges that differ from the total that their buyer had sent. */
  readonly wrong: readonly string[]
  readonly isSound: boolean
}

/**
 * Lets buyers pay for documents, one or two at a time, with the total that they saw last, while prices and
 * discounts change at random; then compares what each was charged with what each had sent. The wallets hold
 * enough for everything.
 */
export async function payWhilePricesChange(market: Market): Promise<Outcome> {
  const { database, buyers } = market
  const prices = await pricesOf(database)
  let isOver = false
  const changing = changePrices(market, () => isOver)
  try {
    const done = await Promise.all(buyers.map((buyer) => buyAll(market, buyer, new Map(prices))))
    isOver = true
    const changes = await changing
    const sent = new Map(done.flatMap(({ sent }) => [...sent]))
    const { rows } = await sql<{ buyerId: number; documentIds: number[]; charged: number }>`
      SELECT o.buyer_id, array_agg(i.document_id ORDER BY i.document_id) AS document_ids,
        -- What the wallet lost, not what the order says.
        coalesce((SELECT -sum(e.amount) FROM ledger_transactions t
          JOIN ledger_entries e ON e.transaction_id = t.id
          JOIN accounts a ON a.id = e.account_id AND a.user_id = o.buyer_id
          WHERE t.order_id = o.id), 0)::bigint AS charged
      FROM orders o JOIN order_items i ON i.order_id = o.id
      WHERE o.buyer_id = ANY (${buyers.map(({ id }) => id)}::integer[])
      GROUP BY o.id`.execute(database.kysely)
    const wrong = rows.flatMap(({ buyerId, documentIds, charged }) => {
      const total = sent.get(nameOf(buyerId, documentIds))
      return total === charged ? [] : [`${buyerId} saw ${total} and paid ${charged}`]
    })
    if (rows.length !== sent.size) wrong.push(`${sent.size} payments made, ${rows.length} booked`)
    const refused = done.reduce((sum, each) => sum + each.refused, 0)
    const isSound = isLedgerSound(await checkLedger(database.kysely))
    return { paid: sent.size, refused, changes, wrong, isSound }
  } finally {
    isOver = true
    await changing
  }
}

async function changePrices(
  { database, documentIds, random }: Market,
  isOver: () => boolean,
): Promise<number> {
  let changes = 0
  for (; !isOver(); changes++) {
    const price = dinars(random.between(0, 20))
    const priceDiscount = random.unit() < 0.3 && price > dinars(2) ? price - dinars(2) : null
    await database.kysely
      .updateTable('documents')
      .set({ price, priceDiscount })
      .where('id', '=', random.pick(documentIds))
      .execute()
  }
  return changes
}

const nameOf = (buyerId: number, documentIds: readonly number[]) =>
  `${buyerId}: ${documentIds.join()}`

async function pricesOf({ kysely }: Database): Promise<Map<number, Millimes>> {
  const documents = await kysely.selectFrom('documents').select(['id', 'finalPrice']).execute()
  return new Map(documents.map(({ id, finalPrice }) => [id, finalPrice ?? 0]))
}

/** Buys every document; returns the total that was sent with each payment that was made. */
async function buyAll(
  { url, documentIds, random }: Market,
  { id: userId, token }: Market['buyers'][number],
  seen: Map<number, Millimes>,
): Promise<{ sent: Map<string, Millimes>; refused: number }> {
  const api = createApi(httpTransport(url))
  const left = [...documentIds]
  const sent = new Map<string, Millimes>()
  let refused = 0
  while (left.length > 0) {
    const wanted = left.splice(0, random.between(1, 2)).sort((one, other) => one - other)
    const call = random.unit() < 0.5 ? payFromWallet : createAndPay
    let idempotencyKey = randomUUID()
    for (;;) {
      const total = wanted.reduce((sum, id) => sum + (seen.get(id) ?? 0), 0)
      const prices = await pricesRefused(() =>
        api(call, { body: { userId, documentIds: wanted, total } }, { token, idempotencyKey }),
      )
      if (prices === 'busy') continue
      if (prices === null) {
        sent.set(nameOf(userId, wanted), total)
        break
      }
      refused++
      for (const { id, ...priced } of prices.documents) seen.set(id, finalPrice(priced))
      // As the pages do: another total is another body.
      idempotencyKey = randomUUID()
    }
  }
  return { sent, refused }
}

/** The prices with which the shop refuses; null if it accepts, `busy` if it has no time. */
async function pricesRefused(pay: () => Promise<unknown>): Promise<NewPrices | 'busy' | null> {
  try {
    await pay()
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 503) return 'busy'
    if (error.code !== 'price_changed' || !error.prices) throw error
    return error.prices
  }
}
