/** The longest word that is corrected, in letters. */
const CORRECTED_LENGTH_MAX = 24

const NUMBER = /^\p{N}+$/u

/**
 * The words that may have been meant before a typing slip: without a doubled or added letter, with
 * two neighbouring letters swapped back, and with a missing letter of `alphabet`.
 */
export function undoneSlips(word: string, alphabet: readonly string[]): string[] {
  const letters = [...word]
  if (letters.length > CORRECTED_LENGTH_MAX) return []
  const undone = letters.map((_, at) => splice(letters, at, 1))
  for (let at = 0; at + 1 < letters.length; at++) {
    undone.push(splice(letters, at, 2, letters[at + 1], letters[at]))
  }
  for (let at = 0; at <= letters.length; at++) {
    for (const letter of alphabet) undone.push(splice(letters, at, 0, letter))
  }
  return unlike(word, undone)
}

/**
 * The words with one letter replaced by another of `alphabet`; none for a number, since that would
 * be another number.
 */
export function replacedLetters(word: string, alphabet: readonly string[]): string[] {
  const letters = [...word]
  if (letters.length > CORRECTED_LENGTH_MAX || NUMBER.test(word)) return []
  const replaced = letters.flatMap((_, at) =>
    alphabet.map((letter) => splice(letters, at, 1, letter)),
  )
  return unlike(word, replaced)
}

function splice(
  letters: readonly string[],
  at: number,
  count: number,
  ...put: (string | undefined)[]
) {
  return letters.slice(0, at).join('') + put.join('') + letters.slice(at + count).join('')
}

function unlike(word: string, others: readonly string[]): string[] {
  return [...new Set(others)].filter((other) => other !== word && other !== '')
}
