/** Runs `work` once at a time; calls during a run share the next one, which begins after them. */
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
