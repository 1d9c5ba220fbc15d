// What pages and the service worker have to agree on.

/** The service worker's address, and the policy of trusted types that allows it. */
export const WORKER_ADDRESS = '/sw.js'
export const WORKER_POLICY = 'offline'

/** A message from a page to the worker: keep these pages, which are shells, with all that they load. */
export interface KeepShells {
  keep: string[]
}
