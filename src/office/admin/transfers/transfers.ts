import type { Difference, Transfer } from '../../../contract/office-transfers.ts'
import * as transfers from '../../../contract/office-transfers.ts'
import { PAYMENT_STATES } from '../../../rules/payment-states.ts'
import { ask } from '../../kit/backend.ts'
import { resource } from '../../kit/loader.ts'
import { tableOf } from '../../kit/tables/table.ts'

/** Bank transfers and D17 payments: pending ones, oldest first, or those in another state. */
export const transferTable = tableOf(transfers.listTransfers, {
  choices: { state: PAYMENT_STATES },
})

/**
 * Decides about a transfer as it was shown, once for each `key`; whether that waits for a second
 * person. `reason` is for a confirmation. Throws an `ApiError`.
 */
export async function decideTransfer(
  { paymentRef, state: seen }: Transfer,
  { decision, reason }: { decision: 'confirm' | 'refuse'; reason: string },
  key: string,
): Promise<boolean> {
  const params = { paymentRef }
  const once = { idempotencyKey: key }
  try {
    const { waits } =
      decision === 'confirm'
        ? await ask(transfers.confirmTransfer, { params, body: { seen, reason } }, once)
        : await ask(transfers.refuseTransfer, { params, body: { seen } }, once)
    return waits !== null
  } finally {
    transferTable.refresh()
  }
}

const differences = resource(transfers.listDifferences, () => ({ query: {} }))
/** The first page of payments on which the gateway and the shop disagree, oldest first. */
export const { $state: $differences, load: loadDifferences } = differences

/** Waits for `work`, then reloads the lists on the page, even if it failed. */
async function andRefresh<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    await differences.refresh()
    transferTable.refresh()
  }
}

export const askAgain = ({ paymentRef }: Difference) =>
  andRefresh(ask(transfers.askAboutPayment, { params: { paymentRef } }))

/** Books the amount that arrived; the same `key` books it only once. Throws an `ApiError`. */
export const bookDifference = ({ id }: Difference, key: string) =>
  andRefresh(ask(transfers.bookDifference, { params: { id } }, { idempotencyKey: key }))

export const closeDifference = ({ id }: Difference, reason: string) =>
  andRefresh(ask(transfers.closeDifference, { params: { id }, body: { reason } }))
