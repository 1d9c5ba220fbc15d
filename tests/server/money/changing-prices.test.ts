import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Api, ApiError, createApi } from '../../../src/client/api.ts'
import { httpTransport } from '../../../src/client/http.ts'
import type { NewPrices } from '../../../src/contract/errors.ts'
import { createAndPay, payFromWallet } from '../../../src/contract/wallet.ts'
import { finalPrice } from '../../../src/rules/discount.ts'
import { dinars, type Millimes } from '../../../src/rules/money.ts'
import { amount } from '../../support/amount.ts'
import { testApp } from '../../support/app.ts'
import type { Person } from '../../support/factories.ts'
import { expectSoundLedger } from '../../support/payments.ts'
import { randomFrom } from '../../support/random.ts'

const DOCUMENTS = amount('PRICE_CHANGE_DOCUMENTS', { usual: 12, long: 60 })
const BUYERS = 6
const random = randomFrom(Number(process.env.CHAOS_SEED ?? 1))

test('while prices change at random, nobody is charged another total than they sent', async () => {
  const app = await testApp()
  const { id: teacherId } = await app.aTeacher()
  const ids: number[] = []
  for (let at = 0; at < DOCUMENTS; at++) ids.push((await app.aDocument({ teacherId })).id)
  const buyers: Person[] = []
  // Enough for everything.
  for (let at = 0; at < BUYERS; at++) buyers.push(await app.aCustomer({ balance: dinars(9_000) }))
  const listed = await app.kysely.selectFrom('documents').select(['id', 'finalPrice']).execute()
  const prices = new Map(listed.map(({ id, finalPrice }) => [id, finalPrice ?? 0]))

  let isOver = false
  const changing = (async () => {
    while (!isOver) {
      const price = dinars(random.between(0, 20))
      const priceDiscount = random.unit() < 0.3 && price > dinars(2) ? price - dinars(2) : null
      const document = app.kysely.updateTable('documents').where('id', '=', random.pick(ids))
      await document.set({ price, priceDiscount }).execute()
    }
  })()
  const api = createApi(httpTransport(app.url))
  const buying = Promise.all(buyers.map((buyer) => buyAll(api, buyer, ids, new Map(prices))))
  const done = await buying.finally(() => {
    isOver = true
  })
  await changing

  // What the wallets lost, not what the orders say.
  const { rows } = await sql<{ buyerId: number; ids: number[]; charged: Millimes }>`
    SELECT o.buyer_id, array_agg(i.document_id ORDER BY i.document_id) AS ids,
      coalesce((SELECT -sum(e.amount) FROM ledger_transactions t
        JOIN ledger_entries e ON e.transaction_id = t.id
        JOIN accounts a ON a.id = e.account_id AND a.user_id = o.buyer_id
        WHERE t.order_id = o.id), 0)::bigint AS charged
    FROM orders o JOIN order_items i ON i.order_id = o.id
    GROUP BY o.id`.execute(app.kysely)
  const charged = new Map(rows.map((row) => [paymentOf(row.buyerId, row.ids), row.charged]))
  const sent = new Map(done.flatMap((each) => [...each.sent]))
  expect(rows).toHaveLength(sent.size)
  expect(charged).toEqual(sent)
  await expectSoundLedger(app)
  expect(sent.size).toBeGreaterThanOrEqual((BUYERS * DOCUMENTS) / 2)
  const refused = done.reduce((sum, each) => sum + each.refused, 0)
  expect(refused, 'some saw an older price').toBeGreaterThan(0)
})

const paymentOf = (buyerId: number, documentIds: readonly number[]) =>
  `${buyerId}: ${documentIds.join()}`

/**
 * Buys every document, one or two at a time, with the total that the buyer saw last; returns the total of each
 * payment that was made, and how many were refused since a price had changed.
 */
async function buyAll(
  api: Api,
  { id: userId, token }: Person,
  documentIds: readonly number[],
  seen: Map<number, Millimes>,
) {
  const left = [...documentIds]
  const sent = new Map<string, Millimes>()
  let refused = 0
  while (left.length > 0) {
    const wanted = left.splice(0, random.between(1, 2)).sort((one, other) => one - other)
    const call = random.unit() < 0.5 ? payFromWallet : createAndPay
    let idempotencyKey = randomUUID()
    for (;;) {
      const total = wanted.reduce((sum, id) => sum + (seen.get(id) ?? 0), 0)
      const body = { userId, documentIds: wanted, total }
      const prices = await pricesRefused(api(call, { body }, { token, idempotencyKey }))
      if (prices === 'busy') continue
      if (prices === null) {
        sent.set(paymentOf(userId, wanted), total)
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

/** The prices with which the shop refuses a payment; null if it accepts, `busy` if it has no time. */
async function pricesRefused(paying: Promise<unknown>): Promise<NewPrices | 'busy' | null> {
  try {
    await paying
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 503) return 'busy'
    if (error.code !== 'price_changed' || !error.prices) throw error
    return error.prices
  }
}
