/** How many reads of one kind run at a time; more would only share the database's processors. */
const AT_ONCE = 2

interface Batch<Key, Value> {
  readonly keys: Set<Key>
  readonly values: Promise<ReadonlyMap<Key, Value>>
  readonly begin: () => void
}

/**
 * Batches reads by key, such as an id: all keys requested while the previous reads run are read
 * together. Under load, one read of twenty keys costs little more than one of a single key. A read
 * always starts after the request for it.
 */
export function gathered<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
) {
  let running = 0
  let next: Batch<Key, Value> | undefined

  function makeBatch(): Batch<Key, Value> {
    const keys = new Set<Key>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const values = begun.then(() => read([...keys])).finally(finish)
    return { keys, values, begin }
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

  return (keys: Iterable<Key>): Promise<ReadonlyMap<Key, Value>> => {
    if (!next) {
      next = makeBatch()
      // Runs after all requests that have arrived by now.
      setImmediate(beginNext)
    }
    for (const key of keys) next.keys.add(key)
    return next.values
  }
}
