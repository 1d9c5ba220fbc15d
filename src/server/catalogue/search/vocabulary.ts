/**
 * The folded words of the catalogue and of its names, each with a number, and the documents that
 * have them.
 */
export function openVocabulary() {
  const words: string[] = []
  const numbers = new Map<string, number>()
  /** By word: the slots of its documents, each once. */
  const slots: number[][] = []
  let sorted: string[] = []
  let unsorted: string[] = []
  const letters = new Set<string>()
  /** All words, one per line, with the offset of each; null: has to be rebuilt. */
  let lines: { text: string; starts: Int32Array } | null = null

  /** Adds a word of a name, which no document needs to have, and returns its number. */
  function name(word: string): number {
    const known = numbers.get(word)
    if (known !== undefined) return known
    const number = words.push(word) - 1
    numbers.set(word, number)
    slots.push([])
    unsorted.push(word)
    lines = null
    for (const letter of word) letters.add(letter)
    return number
  }

  /** Adds a document's word, and returns its number. */
  function add(word: string, slot: number): number {
    const number = name(word)
    const known = slots[number] as number[]
    if (known.at(-1) !== slot) known.push(slot)
    return number
  }

  /** The numbers of the words that start with `prefix`, including that word itself. */
  function startingWith(prefix: string): number[] {
    if (unsorted.length > 0) {
      // Two sorted runs: the sort merges them in one pass.
      sorted = [...sorted, ...unsorted.sort()].sort()
      unsorted = []
    }
    const found: number[] = []
    for (let at = firstNotBelow(sorted, prefix); at < sorted.length; at++) {
      const word = sorted[at] as string
      if (!word.startsWith(prefix)) break
      found.push(numbers.get(word) as number)
    }
    return found
  }

  /** The numbers of the words that contain `part`. */
  function containing(part: string): number[] {
    lines ??= joined(words)
    const { text, starts } = lines
    const found: number[] = []
    let number = 0
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, starts[number])) {
      number = lastNotAbove(starts, at)
      found.push(number)
      number++
      if (number >= words.length) break
    }
    return found
  }

  return {
    name,
    add,
    startingWith,
    containing,
    numberOf: (word: string) => numbers.get(word),
    wordOf: (number: number) => words[number] ?? '',
    slotsOf: (number: number): readonly number[] => slots[number] ?? [],
    /** The number of words. */
    size: () => words.length,
    /** Every letter and digit of the words. */
    letters: (): readonly string[] => [...letters],
  }
}

function joined(words: readonly string[]): { text: string; starts: Int32Array } {
  const starts = new Int32Array(words.length)
  let at = 0
  for (const [number, word] of words.entries()) {
    starts[number] = at
    at += word.length + 1
  }
  return { text: `${words.join('\n')}\n`, starts }
}

/** The index of the first word that is not before this one. */
function firstNotBelow(sorted: readonly string[], word: string): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] as string) < word) from = middle + 1
    else to = middle
  }
  return from
}

function lastNotAbove(starts: Int32Array, place: number): number {
  let [from, to] = [0, starts.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((starts[middle] as number) <= place) from = middle + 1
    else to = middle
  }
  return from - 1
}
