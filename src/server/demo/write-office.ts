import { DAY_MS } from '../../rules/durations.ts'
import { dinars } from '../../rules/money.ts'
import type { Tx } from '../database/transaction.ts'
import { adjustWallet, bookPayout, purchase, refundItems, requestPayout } from '../money/money.ts'
import { userActor } from '../staff-log/staff-log.ts'
import { type DemoShop, entryOf, finalPriceOf } from './demo-data.ts'

/** Writes the data of a teacher's office: sales of the past months, a refund, and payouts. */
export async function writeOffice(tx: Tx, shop: DemoShop): Promise<void> {
  const { office, teachers } = shop
  const now = Date.now()
  const before = (days: number) => new Date(now - days * DAY_MS)
  const teacherId = entryOf(teachers, 'id', office.teacher).id
  const orders = new Map<string, number>()
  for (const { buyer, document, daysAgo } of office.sales) {
    const amount = finalPriceOf(shop, document)
    await adjustWallet(tx, { userId: buyer, amount, note: 'demo purchase' })
    const { orderId } = await purchase(tx, {
      buyerId: buyer,
      documentIds: [document],
      at: before(daysAgo),
    })
    if (orderId !== null) orders.set(`${buyer} ${document}`, orderId)
  }
  for (const { buyer, document } of office.refunds) {
    const orderId = orders.get(`${buyer} ${document}`)
    if (orderId !== undefined) await refundItems(tx, { orderId })
  }
  await tx
    .insertInto('bankAccounts')
    .values({ teacherId, ...office.bankAccount, changedAt: before(DAYS_OF_SALES) })
    .execute()
  const { userId } = await tx
    .selectFrom('teachers')
    .select('userId')
    .where('id', '=', teacherId)
    .executeTakeFirstOrThrow()
  for (const { amount, requestedDaysAgo, paidDaysAgo, reference } of office.payouts) {
    const { id } = await requestPayout(tx, {
      actor: userActor(userId ?? 0),
      teacherId,
      amount: dinars(amount),
      at: before(requestedDaysAgo).getTime(),
    })
    await bookPayout(tx, { payoutId: id, reference, at: before(paidDaysAgo) })
  }
}

/** How many days the sales go back. */
const DAYS_OF_SALES = 340
