import { HOUR_MS } from '../../rules/durations.ts'
import { dinars } from '../../rules/money.ts'
import { ORDER_LIFETIME_MS } from '../../rules/payment-methods.ts'
import type { Tx } from '../database/transaction.ts'
import { userActor } from '../staff-log/staff-log.ts'
import type { DemoShop } from './demo-data.ts'

/**
 * Writes work that waits for an administrator: transfers, a payment that differs, an adjustment.
 */
export async function writeOfficeMoney(
  tx: Tx,
  { officeMoney: { transfers, difference, adjustment } }: DemoShop,
  siteUrl: string,
): Promise<void> {
  const now = Date.now()
  const before = (hours: number) => new Date(now - hours * HOUR_MS)
  const payments = [
    ...transfers.map((transfer) => ({
      ...transfer,
      provider: 'manual' as const,
      gatewayReference: null,
      payUrl: `${siteUrl}/payment/transfer/${transfer.reference}`,
    })),
    { ...difference, method: 'card' as const, provider: 'sandbox' as const, payUrl: null },
  ]
  const ids = new Map<string, number>()
  for (const { buyer, amount, hoursAgo, ...payment } of payments) {
    const { method, provider, reference, gatewayReference, payUrl } = payment
    const { id } = await tx
      .insertInto('payments')
      .values({
        method,
        provider,
        reference,
        gatewayReference,
        payUrl,
        purpose: 'top_up',
        userId: buyer,
        orderId: null,
        amount: dinars(amount),
        intent: `demo ${reference}`,
        createdAt: before(hoursAgo),
        expiresAt: new Date(before(hoursAgo).getTime() + ORDER_LIFETIME_MS),
        nextCheckAt: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(reference, id)
  }
  const { reference, gatewayReference, amount, reported, hoursAgo } = difference
  await tx
    .insertInto('sandboxPayments')
    .values({
      reference: gatewayReference,
      orderReference: reference,
      amount: dinars(reported),
      status: 'paid',
      successUrl: siteUrl,
      failUrl: siteUrl,
      webhookUrl: siteUrl,
      locale: 'ar',
    })
    .execute()
  await tx
    .insertInto('paymentDifferences')
    .values({
      paymentId: ids.get(reference) ?? 0,
      kind: 'amount',
      expectedAmount: dinars(amount),
      gatewayReference,
      reportedAmount: dinars(reported),
      reportedState: 'paid',
      notedAt: before(hoursAgo),
    })
    .execute()
  await tx
    .insertInto('adjustments')
    .values({
      userId: adjustment.buyer,
      amount: dinars(adjustment.amount),
      reason: adjustment.reason,
      needsSecond: true,
      state: 'proposed',
      proposer: userActor(adjustment.proposer),
      proposedAt: before(adjustment.hoursAgo),
      decider: null,
    })
    .execute()
}
