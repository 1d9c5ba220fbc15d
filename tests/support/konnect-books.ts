import type { Millimes } from '../../src/rules/money.ts'
import type { ReportedPayment } from './konnect-faults.ts'

export const WALLET_ID = '5f7a209aeb3f76490ac4a3d1'

/** A payment in the stand-in's own books, which no fault affects. */
export interface BookedPayment {
  readonly id: string
  /** The shop's reference. */
  readonly orderId: string
  /** The requested amount. */
  readonly amount: Millimes
  /** The amount really paid. */
  paid: Millimes
  readonly request: Readonly<Record<string, unknown>>
}

/** Finds a payment by Konnect's reference, or by the shop's. */
export function findBooked(
  books: ReadonlyMap<string, BookedPayment>,
  reference: string,
): BookedPayment {
  const payment =
    books.get(reference) ?? [...books.values()].find(({ orderId }) => orderId === reference)
  if (!payment) throw new Error(`the stand-in has no payment ${reference}`)
  return payment
}

/** A payment as an honest gateway reports it. */
export function reported({ id, orderId, amount, paid }: BookedPayment): ReportedPayment {
  return {
    id,
    status: paid >= amount ? 'completed' : 'pending',
    amountDue: Math.max(0, amount - paid),
    reachedAmount: paid,
    amount,
    token: 'TND',
    orderId,
    receiverWallet: WALLET_ID,
  }
}
