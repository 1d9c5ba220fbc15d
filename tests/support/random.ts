/** A pseudo-random sequence, the same for the same seed. */
export interface Random {
  /** 0 ≤ x < 1. */
  unit(): number
  /** A whole number, both ends included. */
  between(from: number, to: number): number
  pick<T>(choices: readonly T[]): T
}

/** Mulberry32: 32 bits of state are plenty for titles and exercises. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(unit() * (to - from + 1))
  return {
    unit,
    between,
    pick(choices) {
      const choice = choices[between(0, choices.length - 1)]
      if (choice === undefined) throw new RangeError('nothing to pick from')
      return choice
    },
  }
}
