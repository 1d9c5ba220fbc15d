/** How many characters must match for a repetition to be found. */
const SEED = 32
/** How long a repetition must be to be cut out: cutting shorter ones would break the text around them into pieces. */
const REPEATED = 200

/** Joins texts, each without the passages of those before it, since a dictionary needs nothing twice. */
export function newTextOf(texts: readonly string[]): string {
  const places = new Map<string, number>()
  let known = ''

  function add(text: string): void {
    const from = Math.max(0, known.length - SEED + 1)
    known += text
    for (let at = from; at + SEED <= known.length; at++) {
      const seed = known.slice(at, at + SEED)
      if (!places.has(seed)) places.set(seed, at)
    }
  }

  function repeatedAt(text: string, at: number): number {
    const place = places.get(text.slice(at, at + SEED))
    if (place === undefined) return 0
    let length = SEED
    while (at + length < text.length && text[at + length] === known[place + length]) length++
    return length
  }

  for (const text of texts) {
    let from = 0
    let at = 0
    const fresh: string[] = []
    while (at < text.length) {
      const length = repeatedAt(text, at)
      if (length < REPEATED) at++
      else {
        fresh.push(text.slice(from, at))
        at += length
        from = at
      }
    }
    add(fresh.join('') + text.slice(from))
  }
  return known
}
