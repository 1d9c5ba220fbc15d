import type { Transfer } from '../../contract/office-transfers.ts'
import * as transfers from '../../contract/office-transfers.ts'
import { PAYMENT_STATES } from '../../rules/payment-states.ts'
import { ask } from './backend.ts'
import { choiceOf, createTable } from './table.ts'

/** Bank transfers and D17 payments: pending ones, oldest first, or those in another state. */
export const transferTable = createTable({
  what: 'transfers',
  filters: ['state'],
  load: ({ page, q, state }, signal) => {
    const query = { page, ...(q && { q }), ...choiceOf('state', state, PAYMENT_STATES) }
    return ask(transfers.listTransfers, { query }, { signal })
  },
})

/** Decides about a transfer as it was shown; the same `key` decides once. Throws an `ApiError`. */
export async function decideTransfer(
  { paymentRef, state }: Transfer,
  decision: 'confirm' | 'refuse',
  key: string,
): Promise<void> {
  const call = decision === 'confirm' ? transfers.confirmTransfer : transfers.refuseTransfer
  try {
    const input = { params: { paymentRef }, body: { seen: state } }
    await ask(call, input, { idempotencyKey: key })
  } finally {
    transferTable.refresh()
  }
}
