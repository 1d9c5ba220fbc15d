import { sql } from 'kysely'
import type { Database } from '../../src/server/database/pool.ts'
import { checkLedger, isLedgerSound } from '../../src/server/money/ledger-check.ts'
import type { Load } from './load.ts'

export interface Books {
  /** What was acknowledged and is not there. */
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly isSound: boolean
}

/** Compares what was acknowledged until now with what the database holds. */
export async function readBooks({ kysely }: Database, load: Load): Promise<Books> {
  const { acknowledged, buyers } = load
  const expected = {
    purchases: [...acknowledged.purchases],
    topUps: [...acknowledged.topUps],
    messages: [...acknowledged.messages],
  }
  const { rows: purchases } = await sql<{ userId: number; documentId: number; times: number }>`
    SELECT user_id AS "userId", document_id AS "documentId", count(*)::integer AS times
    FROM purchases GROUP BY 1, 2`.execute(kysely)
  // One statement, so that payments under way are in both sums or in none.
  const { rows: wallets } = await sql<{ userId: number; sum: number }>`
    SELECT user_id AS "userId", (balance + coalesce(
      (SELECT sum(price) FROM purchases WHERE purchases.user_id = accounts.user_id), 0))::integer AS sum
    FROM accounts WHERE kind = 'customer'`.execute(kysely)
  const payments = await kysely
    .selectFrom('payments')
    .select('reference')
    .where('status', '=', 'paid')
    .execute()
  const { rows: messages } = await sql<{ clientId: string; times: number }>`
    SELECT client_id AS "clientId", count(*)::integer AS times
    FROM chat_messages WHERE client_id IS NOT NULL GROUP BY 1`.execute(kysely)

  const bought = new Set(purchases.map(({ userId, documentId }) => `${userId} ${documentId}`))
  const paid = new Set(payments.map(({ reference }) => reference))
  const written = new Set(messages.map(({ clientId }) => clientId))
  const lost = [
    ...expected.purchases.filter((each) => !bought.has(each)).map((each) => `purchase ${each}`),
    ...expected.topUps.filter((each) => !paid.has(each)).map((each) => `top-up ${each}`),
    ...expected.messages.filter((each) => !written.has(each)).map((each) => `message ${each}`),
  ]
  const doubled = [
    ...purchases
      .filter(({ times }) => times > 1)
      .map(({ userId, documentId }) => `purchase ${userId} ${documentId}`),
    ...messages.filter(({ times }) => times > 1).map(({ clientId }) => `message ${clientId}`),
  ]
  for (const { userId, sum } of wallets) {
    const buyer = buyers.get(userId)
    if (!buyer || sum === buyer.balance) continue
    const list = sum < buyer.balance ? lost : doubled
    list.push(`${Math.abs(sum - buyer.balance)} millimes of customer ${userId}`)
  }
  return { lost, doubled, isSound: isLedgerSound(await checkLedger(kysely)) }
}
