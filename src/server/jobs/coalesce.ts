/**
 * Runs `work` one at a time: all calls during a run share the next run, which thus begins after each
 * of them.
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
