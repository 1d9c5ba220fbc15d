// What pages and the service worker have to agree on.

/** The service worker's address, and the policy of trusted types that allows it. */
export const WORKER_ADDRESS = '/sw.js'
export const WORKER_POLICY = 'offline'

/** A message from a page to the worker. */
export interface ToWorker {
  /** Keep these pages, which are shells, with all that they load; answered with `ShellsAnswer`. */
  keep?: string[]
  /** These addresses were visited while the worker did not see it. */
  visited?: string[]
}

/** Whether the worker has kept the shells, or had no space left for them. */
export type ShellsAnswer = 'kept' | 'full' | 'failed'

/** Whether an error says that the browser has no space left for the shop. */
export const isOutOfSpace = (error: unknown): boolean =>
  error instanceof Error && error.name === 'QuotaExceededError'
