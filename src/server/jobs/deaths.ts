import { sql } from 'kysely'
import type { JobWithMetadata } from 'pg-boss'
import type { Database } from '../database/pool.ts'
import { type Handler, type JobData, JobFailed } from './job.ts'

/** A job during which the process ended so often is set aside: it would end every other as well. */
const DEATHS_MAX = 2

/** The reason of an attempt that the shop's stop interrupted. */
export const STOPPED = { reason: 'the shop was stopped' }

/** Counts the processes that ended during a job. */
export function deathCounter({ kysely }: Pick<Database, 'kysely'>) {
  const released = new Set<string>()
  return {
    /** Notes jobs during which the process before this one ended. */
    noteReleased(ids: readonly string[]): void {
      for (const id of ids) released.add(id)
    },
    /**
     * Counts the process that the last try of a job ended, if it did. A job that has ended too many
     * is given up by `giveUp`, and refused by a final `JobFailed`.
     */
    async refuseDeadly(
      { id, data, retryCount, output }: JobWithMetadata<JobData>,
      giveUp?: Handler,
    ): Promise<void> {
      const isReleased = released.delete(id)
      // The library's own output, where heartbeats have stopped or the job took longer than its
      // queue allows. One that failed, or that the shop's stop interrupted, has left a reason.
      const isLost = retryCount > 0 && !Object.hasOwn(output ?? {}, 'reason')
      if (!isReleased && !isLost) return
      const { deaths } = await kysely
        .insertInto('jobDeaths')
        .values({ jobId: id, deaths: 1 })
        .onConflict((row) =>
          row.column('jobId').doUpdateSet({
            deaths: sql<number>`job_deaths.deaths + 1`,
            lastAt: sql<Date>`now()`,
          }),
        )
        .returning('deaths')
        .executeTakeFirstOrThrow()
      if (deaths < DEATHS_MAX) return
      await giveUp?.(data)
      const reason = `${DEATHS_MAX} times the process ended during it, or it took too long`
      throw new JobFailed(reason, { isFinal: true })
    },
  }
}
