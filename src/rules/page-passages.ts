import type { Language } from './languages.ts'
import { directionOf } from './reading-direction.ts'

/** A part of a page that is in one language. */
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

const count = (text: string, words: RegExp): number => text.match(words)?.length ?? 0
