// What pages and the service worker have to agree on.

/** The service worker's address, and the policy of trusted types that allows it. */
export const WORKER_ADDRESS = '/sw.js'
export const WORKER_POLICY = 'offline'

/**
 * The cache of public pages as of their last visit, keyed by path, searches among them: the worker
 * fills it, and a log-out deletes it.
 */
export const PAGES_CACHE = 'pages'

/**
 * An empty cache whose name ends in when somebody logged out in this browser (ms since 1970): the
 * worker keeps no page that was opened before. One step makes it, which a page that is being left
 * still takes.
 */
export const LOG_OUT_MARK = 'logged-out-'

/** A message from a page to the worker. */
export interface ToWorker {
  /**
   * Keep these shells (pages without data) with everything that they load; the answer is a
   * `ShellsAnswer`.
   */
  keep?: string[]
  /** The URLs of visits that the worker did not see, and since when they are open (ms since 1970). */
  visited?: { url: string; since: number }[]
}

/** Whether the worker has kept the shells; `full`: there was no space left. */
export type ShellsAnswer = 'kept' | 'full' | 'failed'

/** Whether an error means that the browser has no space left for the shop. */
export const isOutOfSpace = (error: unknown): boolean =>
  error instanceof Error && error.name === 'QuotaExceededError'
