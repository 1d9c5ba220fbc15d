import type { Language } from './languages.ts'

export interface Passage {
  readonly language: Language
  readonly text: string
}

/** A line of only formulas and numbers has no recognizable language. */
const WORD = /\p{L}{2,}/u

const FRENCH = /(?<!\p{L})(?:le|la|les|de|des|du|et|est|un|une|que|dans|pour|sur)(?!\p{L})/giu
const ENGLISH = /(?<!\p{L})(?:the|of|and|is|are|to|in|you|your|with|what|this)(?!\p{L})/giu

/**
 * Splits the text of a page into passages of one language each, so that a screen reader uses the
 * right voice: many French exercises have an Arabic heading.
 */
export function passagesOf(text: string): Passage[] {
  const latin = count(text, ENGLISH) > count(text, FRENCH) ? 'en' : 'fr'
  const languageOf = (words: string) => (directionOf([words], words) === 'rtl' ? 'ar' : latin)
  const passages: { language: Passage['language']; text: string }[] = []
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const last = passages.at(-1)
    const language = WORD.test(line) ? languageOf(line) : (last?.language ?? languageOf(text))
    if (last?.language === language) last.text += `\n${line}`
    else passages.push({ language, text: line })
  }
  return passages
}

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
