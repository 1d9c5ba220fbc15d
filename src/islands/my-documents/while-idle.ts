/** The least idle time (ms) that is still used for another item. */
const LEAST_MS = 4

/** For browsers without `requestIdleCallback`: one item at a time. */
const ONE_ITEM = { timeRemaining: () => 0 }
const PAUSE_MS = 20

/** Calls `work` for each item while the page is idle. Returns a function that stops it. */
export function whileIdle<Item>(items: readonly Item[], work: (item: Item) => void): () => void {
  let at = 0
  let isStopped = false
  const schedule =
    window.requestIdleCallback ?? ((work: typeof run) => setTimeout(work, PAUSE_MS, ONE_ITEM))
  function run(idle: Pick<IdleDeadline, 'timeRemaining'>) {
    do {
      const item = items[at++]
      if (item === undefined || isStopped) return
      work(item)
    } while (idle.timeRemaining() > LEAST_MS)
    schedule(run)
  }
  schedule(run)
  return () => {
    isStopped = true
  }
}
