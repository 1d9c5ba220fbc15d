import type { Deps } from '../deps.ts'
import { Refused } from '../refused.ts'
import type { Payment } from './payments.ts'
import { book, close } from './settle.ts'

/**
 * The operator has the money of a bank transfer or a D17 payment: settled like a gateway's, even
 * after it was refused or has expired. Throws `Refused`.
 */
export async function confirmManual(deps: Deps, reference: string): Promise<Payment> {
  const payment = await findManual(deps, reference)
  if (payment.status === 'paid') {
    throw new Refused(`Payment ${reference} was confirmed before.`)
  }
  return (await book(deps, payment.id, null)) ?? payment
}

/** The money will not come; an order without another pending payment is cancelled. Throws `Refused`. */
export async function refuseManual(deps: Deps, reference: string): Promise<Payment> {
  const payment = await findManual(deps, reference)
  if (payment.status === 'paid') {
    throw new Refused(
      `Payment ${reference} was confirmed before; refund its order in place of refusing it.`,
    )
  }
  const refused = await close(deps, payment.id, 'refused')
  if (!refused) {
    throw new Refused(`Payment ${reference} is ${payment.status} already.`)
  }
  if (refused.orderId !== null) await cancelUnpaid(deps, refused.orderId)
  return refused
}

async function findManual({ database }: Deps, reference: string): Promise<Payment> {
  const payment = await database.kysely
    .selectFrom('payments')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (!payment) throw new Refused(`There is no payment ${reference}.`)
  if (payment.provider === 'manual') return payment
  throw new Refused(
    `Payment ${reference} is made at the gateway, which alone says whether it was paid.`,
  )
}

async function cancelUnpaid({ database }: Deps, orderId: number): Promise<void> {
  await database.kysely
    .updateTable('orders')
    .set({ status: 'cancelled' })
    .where('id', '=', orderId)
    .where('status', '=', 'pending')
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('payments')
            .select('id')
            .where('payments.orderId', '=', orderId)
            .where('payments.status', '=', 'pending'),
        ),
      ),
    )
    .execute()
}
