import type { Result } from '../../contract/call.ts'
import type { Difference } from '../../contract/office-transfers.ts'
import * as differences from '../../contract/office-transfers.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'
import { transferTable } from './transfers.ts'

type Page = Result<typeof differences.listDifferences>

const loader = createLoader<Page>('payments that differ')
/** The first page of payments on which the gateway and the shop disagree, oldest first. */
export const $differences = loader.$state

export const loadDifferences = (): Promise<void> =>
  loader.load(() => ask(differences.listDifferences, { query: {} }))

/** Waits for `work`, then reloads the lists on the page, even if it failed. */
async function andRefresh<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    const query = {}
    await ask(differences.listDifferences, { query }).then(loader.show, () => undefined)
    transferTable.refresh()
  }
}

/** Queries the gateway again and books what it confirms. Throws an `ApiError`. */
export const askAgain = ({ paymentRef }: Difference) =>
  andRefresh(ask(differences.askAboutPayment, { params: { paymentRef } }))

/** Books the amount that arrived; the same `key` books it only once. Throws an `ApiError`. */
export const bookDifference = ({ id }: Difference, key: string) =>
  andRefresh(ask(differences.bookDifference, { params: { id } }, { idempotencyKey: key }))

/** Throws an `ApiError`. */
export const closeDifference = ({ id }: Difference, reason: string) =>
  andRefresh(ask(differences.closeDifference, { params: { id }, body: { reason } }))
