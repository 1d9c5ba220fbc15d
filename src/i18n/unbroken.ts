/**
 * A title whose French punctuation stays with the word before it: in "Équations : cours", the colon
 * never starts a line. People type a normal space before it.
 */
export function unbroken(title: string): string {
  return title
    .replace(/ (?=[;!?](?:\s|$))/g, '\u202f')
    .replace(/ (?=[:»](?:\s|$))|(?<=«) /g, '\u00a0')
}

/** A kind of document with a word of so many letters is set in smaller type; longer ones may break. */
const LONG_FROM = 10
const HYPHENATED_FROM = 15

const LONG_WORD = new RegExp(`\\p{Script=Latin}{${HYPHENATED_FROM},}`, 'gu')
const VOWEL = '[aeiouyœæàâäéèêëîïôöùûü]'
/** Before a single consonant between two vowels, where French allows it everywhere. */
const SYLLABLE_END = new RegExp(`(?<=..${VOWEL})(?=(?!${VOWEL})\\p{L}${VOWEL}..)`, 'giu')

/**
 * A text for the label of a cover, which has little room: long words in Latin letters with soft
 * hyphens, where alone they may be broken; Arabic ones are never broken. `isLong` asks for smaller
 * type.
 */
export function lettering(text: string): { readonly text: string; readonly isLong?: true } {
  const hasLongWord = text.split(/\s/).some((word) => word.length >= LONG_FROM)
  return {
    text: text.replace(LONG_WORD, (word) => word.replace(SYLLABLE_END, '\u00ad')),
    ...(hasLongWord && { isLong: true }),
  }
}
