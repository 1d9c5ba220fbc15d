interface Options<Piece, Result> {
  /** The owner of a piece: only one piece of an owner is worked on at a time. */
  readonly ownerOf: (piece: Piece) => unknown
  /**
   * Works on pieces of different owners; returns the result or error of each, in their order. The
   * next group begins beside it once it calls `letNextBegin`, or else at its end.
   */
  readonly work: (
    pieces: readonly Piece[],
    letNextBegin: () => void,
  ) => Promise<readonly (Result | Error)[]>
  /** The most groups that are worked on at a time. */
  readonly atOnce: number
  /**
   * How long a group that has not called it delays the next one (milliseconds): a slow group may be
   * waiting for something that the others do not need.
   */
  readonly patienceMs: number
  /** The most pieces in a group; when as many wait, one begins at once, beside any other group. */
  readonly most: number
  /**
   * A group of more than this takes at most half of the pieces that wait or are worked on, so that
   * the next one, which begins beside it, is as large: a group of one or two takes nearly as long.
   */
  readonly undivided: number
  /** How many pieces may wait; further ones are refused with `refusal`. */
  readonly waiting: number
  /** How many of them may belong to one owner, who could otherwise take every place. */
  readonly waitingOfOne: number
  readonly refusal: () => Error
}

interface Waiting<Piece, Result> {
  readonly piece: Piece
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Works on pieces that arrive one by one, in groups of those that arrived while earlier groups were
 * worked on. Pieces that arrive one at a time are groups of their own and do not wait.
 */
export function grouped<Piece, Result>(options: Options<Piece, Result>) {
  const { ownerOf, work, atOnce, patienceMs, most, undivided } = options
  const { waiting, waitingOfOne, refusal } = options
  let queue: Waiting<Piece, Result>[] = []
  const busy = new Set<unknown>()
  /** The running groups that delay the next one. */
  const delaying = new Set<unknown>()
  let running = 0
  let isDue = false

  function takeGroup(): Waiting<Piece, Result>[] {
    const half = Math.ceil((queue.length + busy.size) / 2)
    const size = Math.min(most, Math.max(undivided, half))
    const group: Waiting<Piece, Result>[] = []
    const others: Waiting<Piece, Result>[] = []
    for (const each of queue) {
      const owner = ownerOf(each.piece)
      const isNext = group.length < size && !busy.has(owner)
      if (isNext) busy.add(owner)
      const place = isNext ? group : others
      place.push(each)
    }
    queue = others
    return group
  }

  function beginNext(): void {
    isDue = false
    if (running >= atOnce || (delaying.size > 0 && queue.length < most)) return
    const group = takeGroup()
    if (group.length > 0) void run(group)
  }

  async function run(group: readonly Waiting<Piece, Result>[]): Promise<void> {
    running++
    delaying.add(group)
    const letNextBegin = () => {
      if (delaying.delete(group)) beginNext()
    }
    const impatience = setTimeout(letNextBegin, patienceMs)
    try {
      const results = await work(
        group.map(({ piece }) => piece),
        letNextBegin,
      )
      for (const [at, { resolve, reject }] of group.entries()) {
        const result = results[at] as Result | Error
        if (result instanceof Error) reject(result)
        else resolve(result)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    clearTimeout(impatience)
    delaying.delete(group)
    running--
    for (const { piece } of group) busy.delete(ownerOf(piece))
    beginNext()
  }

  function isFullFor(owner: unknown): boolean {
    const isOwn = (each: Waiting<Piece, Result>) => ownerOf(each.piece) === owner
    return queue.length >= waiting || queue.filter(isOwn).length >= waitingOfOne
  }

  return async (piece: Piece): Promise<Result> => {
    if (isFullFor(ownerOf(piece))) throw refusal()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    queue.push({ piece, resolve, reject })
    if (!isDue) {
      isDue = true
      // Runs after all pieces that have arrived by now are queued.
      setImmediate(beginNext)
    }
    return promise
  }
}
