/** Below this many ms left to it a page has something else to do. */
const LEAST_MS = 4

/** For browsers that do not tell when they are idle: one item at a time. */
const ONE_ITEM = { timeRemaining: () => 0 }
const PAUSE_MS = 20

/** Does work for each item while the page has nothing else to do. Returns what ends that. */
export function whileIdle<Item>(items: readonly Item[], work: (item: Item) => void): () => void {
  let at = 0
  let isOver = false
  const ask =
    window.requestIdleCallback ?? ((work: typeof go) => setTimeout(work, PAUSE_MS, ONE_ITEM))
  function go(idle: Pick<IdleDeadline, 'timeRemaining'>) {
    do {
      const item = items[at++]
      if (item === undefined || isOver) return
      work(item)
    } while (idle.timeRemaining() > LEAST_MS)
    ask(go)
  }
  ask(go)
  return () => {
    isOver = true
  }
}
