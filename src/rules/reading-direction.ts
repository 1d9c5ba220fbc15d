const ARABIC = /\p{Script=Arabic}/gu
const LETTER = /\p{L}/gu

/**
 * The least number of letters of a document's text that decide on its direction; the title may have
 * fewer.
 */
const LETTERS_MIN = 40

/**
 * The order of a document's pages: right-to-left if at least two of five letters are Arabic, as in
 * a mathematics book with formulas. `texts` are those of its first pages; if these are pictures,
 * its title decides.
 */
export function directionOf(texts: readonly string[], title: string): 'rtl' | 'ltr' {
  const text = texts.join(' ')
  const decides = count(text, LETTER) >= LETTERS_MIN ? text : title
  return count(decides, ARABIC) * 5 >= count(decides, LETTER) * 2 ? 'rtl' : 'ltr'
}

function count(text: string, kind: RegExp): number {
  return text.match(kind)?.length ?? 0
}
