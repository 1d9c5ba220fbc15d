import { sql } from 'kysely'
import { startEmbedded } from '../../src/server/database/embedded.ts'
import { openDatabase } from '../../src/server/database/pool.ts'
import { checkLedger, isLedgerSound } from '../../src/server/money/ledger-check.ts'
import type { KonnectStandIn } from '../support/konnect.ts'
import type { Acknowledged } from './shopper.ts'

/** What is wrong in a stopped shop's database. */
export interface Faults {
  /** How many payments the gateway's books hold. */
  readonly paid: number
  /** How many wallet purchases and gateway payments shoppers got acknowledged. */
  readonly acknowledged: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly isSound: boolean
}

interface Balance {
  userId: number
  /** The wallet's balance, in millimes. */
  balance: number
  /** The prices of all owned documents, in millimes. */
  spent: number
}

/**
 * Compares the database of `dataDir` with the gateway's books and with what shoppers got
 * acknowledged.
 */
export async function faultsIn(
  dataDir: string,
  konnect: KonnectStandIn,
  byShopper: ReadonlyMap<number, Acknowledged>,
): Promise<Faults> {
  const server = await startEmbedded({ dataDir })
  const database = openDatabase(server.connection)
  const { kysely } = database
  const lost: string[] = []
  const doubled: string[] = []
  try {
    const payments = await kysely
      .selectFrom('payments')
      .select(['reference', 'userId', 'status', 'purpose'])
      .execute()
    const { rows: balances } = await sql<Balance>`
      SELECT a.user_id AS "userId", a.balance, coalesce(
        (SELECT sum(price) FROM purchases p WHERE p.user_id = a.user_id), 0)::bigint AS spent
      FROM accounts a WHERE a.kind = 'customer'`.execute(kysely)
    const { rows: grants } = await sql<{ userId: number; documentId: number; times: number }>`
      SELECT user_id AS "userId", document_id AS "documentId", count(*)::integer AS times
      FROM purchases GROUP BY 1, 2`.execute(kysely)

    const payerOf = new Map(payments.map((payment) => [payment.reference, payment.userId]))
    const paidBy = new Map<number, number>()
    const booked = [...konnect.books.values()].filter(({ paid }) => paid > 0)
    for (const { orderId, paid } of booked) {
      const payer = payerOf.get(orderId)
      if (payer === undefined) lost.push(`the gateway's payment ${orderId}`)
      else paidBy.set(payer, (paidBy.get(payer) ?? 0) + paid)
    }

    let acknowledged = 0
    for (const [userId, { bought, started, paid }] of byShopper) {
      acknowledged += bought.size + paid.size
      const owned = new Set(
        grants.filter((grant) => grant.userId === userId).map(({ documentId }) => documentId),
      )
      for (const id of bought) if (!owned.has(id)) lost.push(`document ${id} of user ${userId}`)
      const states = new Map(payments.map(({ reference, status }) => [reference, status]))
      for (const reference of started) {
        if (!states.has(reference)) lost.push(`the started payment ${reference}`)
      }
      for (const reference of paid) {
        if (states.get(reference) !== 'paid') lost.push(`the paid payment ${reference}`)
      }
      // Every millime paid is in the wallet or was the price of an owned document.
      const { balance = 0, spent = 0 } = balances.find((row) => row.userId === userId) ?? {}
      const difference = balance + spent - (paidBy.get(userId) ?? 0)
      if (difference < 0) lost.push(`${-difference} millimes of user ${userId}`)
      if (difference > 0) doubled.push(`${difference} millimes of user ${userId}`)
    }
    for (const { userId, documentId, times } of grants) {
      if (times > 1) doubled.push(`document ${documentId} of user ${userId}`)
    }
    const isSound = isLedgerSound(await checkLedger(kysely))
    return { paid: booked.length, acknowledged, lost, doubled, isSound }
  } finally {
    await database.close()
    await server.stop()
  }
}
