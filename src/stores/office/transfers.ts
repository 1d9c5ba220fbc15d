import type { Result } from '../../contract/call.ts'
import type { Difference, Transfer } from '../../contract/office-transfers.ts'
import * as transfers from '../../contract/office-transfers.ts'
import { PAYMENT_STATES } from '../../rules/payment-states.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'
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

type Page = Result<typeof transfers.listDifferences>

const loader = createLoader<Page>('payments that differ')
/** The first page of payments on which the gateway and the shop disagree, oldest first. */
export const $differences = loader.$state

export const loadDifferences = (): Promise<void> =>
  loader.load(() => ask(transfers.listDifferences, { query: {} }))

/** Waits for `work`, then reloads the lists on the page, even if it failed. */
async function andRefresh<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    const query = {}
    await ask(transfers.listDifferences, { query }).then(loader.show, () => undefined)
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
