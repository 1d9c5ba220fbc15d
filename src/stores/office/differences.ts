import type { Result } from '../../contract/call.ts'
import type { Difference } from '../../contract/office-differences.ts'
import * as differences from '../../contract/office-differences.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'
import { transferTable } from './transfers.ts'

type Page = Result<typeof differences.listDifferences>

const reading = createLoader<Page>('payments that differ')
/** The payments of which the gateway says something else, oldest first; the first page of them. */
export const $differences = reading.$state

export const loadDifferences = (): Promise<void> =>
  reading.load(() => ask(differences.listDifferences, { query: {} }))

/** Does something about a difference, and reads again what the page shows. */
async function andRefresh<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    const query = {}
    await ask(differences.listDifferences, { query }).then(reading.show, () => undefined)
    transferTable.refresh()
  }
}

/** Asks the gateway again; what it confirms is booked. Throws an `ApiError`. */
export const askAgain = ({ paymentRef }: Difference) =>
  andRefresh(ask(differences.askAboutPayment, { params: { paymentRef } }))

/** Books what really came; the same `key` does it once. Throws an `ApiError`. */
export const bookDifference = ({ id }: Difference, key: string) =>
  andRefresh(ask(differences.bookDifference, { params: { id } }, { idempotencyKey: key }))

/** Throws an `ApiError`. */
export const closeDifference = ({ id }: Difference, reason: string) =>
  andRefresh(ask(differences.closeDifference, { params: { id }, body: { reason } }))
