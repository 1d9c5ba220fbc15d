import type { Payout as WirePayout } from '../../../contract/payouts.ts'
import type { Payout } from './payouts.ts'

/** A payout as its teacher sees it. */
export function presentPayout(payout: Payout): WirePayout {
  return {
    id: payout.id,
    state: payout.status,
    amount: payout.amount,
    requestedAt: payout.requestedAt.toISOString(),
    decidedAt: payout.decidedAt?.toISOString() ?? null,
    rib: payout.rib,
    reference: payout.reference,
    reason: payout.reason,
  }
}
