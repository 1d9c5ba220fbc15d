const ARABIC = /\p{Script=Arabic}/gu
const LETTER = /\p{L}/gu

/** So many letters of its text say which direction a document has; its title may say it with fewer. */
const LETTERS_MIN = 40

/**
 * The order in which a document's pages follow each other: from right to left where at least two of
 * five letters are Arabic, as in a mathematics book with its formulas. `texts`: of its first pages;
 * where they are pictures, its title decides.
 */
export function directionOf(texts: readonly string[], title: string): 'rtl' | 'ltr' {
  const text = texts.join(' ')
  const decides = count(text, LETTER) >= LETTERS_MIN ? text : title
  return count(decides, ARABIC) * 5 >= count(decides, LETTER) * 2 ? 'rtl' : 'ltr'
}

function count(text: string, kind: RegExp): number {
  return text.match(kind)?.length ?? 0
}
