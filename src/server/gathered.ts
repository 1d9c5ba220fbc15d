/** How many reads of one kind run at a time; more would only share the database's processors. */
const AT_ONCE = 2

interface Batch<Value> {
  readonly ids: Set<number>
  readonly values: Promise<ReadonlyMap<number, Value>>
  readonly begin: () => void
}

/**
 * Reads by id, at once for all who ask while the reads before are under way: under load, one for twenty
 * costs little more than one for one. Nobody gets what was read before they asked.
 */
export function gathered<Value>(
  read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
) {
  let running = 0
  let next: Batch<Value> | undefined

  function makeBatch(): Batch<Value> {
    const ids = new Set<number>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const values = begun.then(() => read([...ids])).finally(finish)
    return { ids, values, begin }
  }

  function beginNext(): void {
    if (!next || running >= AT_ONCE) return
    running++
    const { begin } = next
    next = undefined
    begin()
  }

  function finish(): void {
    running--
    beginNext()
  }

  return (ids: Iterable<number>): Promise<ReadonlyMap<number, Value>> => {
    if (!next) {
      next = makeBatch()
      // After all requests that have arrived by now.
      setImmediate(beginNext)
    }
    for (const id of ids) next.ids.add(id)
    return next.values
  }
}
