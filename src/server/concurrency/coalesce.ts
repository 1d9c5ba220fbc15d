/**
 * Runs `work` once at a time. All calls during a run share the next run, which therefore begins
 * after each of these calls.
 */
export function coalesce<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  let queued: Promise<Result> | undefined
  return () => {
    if (!queued) {
      queued = last.then(() => {
        queued = undefined
        return work()
      })
      last = queued.catch(() => {})
    }
    return queued
  }
}
