/** Rendering uses one core; with a few pages at once their compression keeps the other one busy. */
const AT_ONCE = 4

/** Does something for each item, a few at a time, and lets requests through in between. */
export async function inTurns<T>(
  items: Iterable<T> | AsyncIterable<T>,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const remaining =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const work = async () => {
    for (;;) {
      const { done, value } = await remaining.next()
      if (done) return
      await act(value)
      await new Promise(setImmediate)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
