import type { Queue as QueueSettings } from 'pg-boss'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'

/** The schema of the library's own tables, separate from the shop's. */
export const SCHEMA = 'jobs'

const seconds = (milliseconds: number) => milliseconds / SECOND_MS

/** A worker without a heartbeat for longer than this loses its job. */
const SILENCE_MS = 15 * SECOND_MS
/** How often jobs whose worker is gone are recovered. */
export const RESCUE_EVERY_MS = 10 * SECOND_MS
/** How often finished jobs are deleted. */
export const SWEEP_EVERY_MS = 10 * MINUTE_MS

/** The queues; a dead-letter queue comes before the queue that names it. */
export const QUEUES = {
  /** Mails that were given up; they stay until an operator retries them. */
  failed_mail: { retentionSeconds: seconds(90 * DAY_MS) },
  mail: {
    deadLetter: 'failed_mail',
    // After 5, 10, 20 … seconds, then hourly: about 8 hours in all.
    retryLimit: 16,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: seconds(HOUR_MS),
    heartbeatSeconds: seconds(SILENCE_MS),
    expireInSeconds: seconds(5 * MINUTE_MS),
    // The library deletes jobs that wait longer; a shop may close for a summer.
    retentionSeconds: seconds(365 * DAY_MS),
    deleteAfterSeconds: seconds(HOUR_MS),
  },
  /**
   * Lists that are checked or imported; a list that was unfinished when the shop stopped starts
   * again, however often: the import itself counts the tries that failed.
   */
  imports: {
    retryLimit: 1000,
    retryDelay: 5,
    heartbeatSeconds: seconds(SILENCE_MS),
    expireInSeconds: seconds(2 * HOUR_MS),
    deleteAfterSeconds: seconds(HOUR_MS),
  },
  /** Timed tasks. A failed one is not retried, since its next turn is due soon. */
  clock: {
    policy: 'exclusive',
    retryLimit: 0,
    heartbeatSeconds: seconds(SILENCE_MS),
    expireInSeconds: seconds(HOUR_MS),
  },
} as const satisfies Record<string, Omit<QueueSettings, 'name'>>

export type Queue = keyof typeof QUEUES

/** From this priority on, a job may use the workers that are reserved for urgent ones. */
export const URGENT = 100

/**
 * The workers of each queue: how many jobs run at once, and how often the workers poll. The workers
 * reserved for urgent jobs stay free even while all others hang.
 */
export const LANES = [
  { queue: 'mail', atOnce: 4, least: undefined, everyMs: SECOND_MS },
  { queue: 'mail', atOnce: 2, least: URGENT, everyMs: SECOND_MS },
  // One at a time: an import takes only the processor time that visitors leave.
  { queue: 'imports', atOnce: 1, least: undefined, everyMs: SECOND_MS },
  { queue: 'clock', atOnce: 2, least: undefined, everyMs: 5 * SECOND_MS },
] as const
