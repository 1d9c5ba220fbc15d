/**
 * Runs `work` one at a time: all who call while it runs share the one run after it, which so begins
 * after each of their calls.
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
