import type { Language } from './languages.ts'

export interface Passage {
  readonly language: Language
  readonly text: string
}

/** A line of only formulas and numbers has no recognizable language. */
const WORD = /\p{L}{2,}/u

const FRENCH = /(?<!\p{L})(?:le|la|les|de|des|du|et|est|un|une|que|dans|pour|sur)(?!\p{L})/giu
const ENGLISH = /(?<!\p{L})(?:the|of|and|is|are|to|in|you|your|with|what|this)(?!\p{L})/giu

/** A page's text by language, for the voice of screen readers: many exercises mix two. */
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

/** The fewest letters of a text that decide on its direction; a title may have fewer. */
const LETTERS_MIN = 40

/** Right-to-left if two of five letters are Arabic (formulas); without texts the title decides. */
export function directionOf(texts: readonly string[], title: string): 'rtl' | 'ltr' {
  const text = texts.join(' ')
  const decides = count(text, LETTER) >= LETTERS_MIN ? text : title
  return count(decides, ARABIC) * 5 >= count(decides, LETTER) * 2 ? 'rtl' : 'ltr'
}

function count(text: string, kind: RegExp): number {
  return text.match(kind)?.length ?? 0
}
