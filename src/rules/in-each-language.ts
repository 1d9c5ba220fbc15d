import { LANGUAGES, type Language } from './languages.ts'

/** A text in each language, unless it is something else that each language has. */
export type InEachLanguage<T = string> = Readonly<Record<Language, T>>

/** What `of` makes for each language, by language. */
export function inEachLanguage<T>(of: (language: Language) => T): Record<Language, T> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<
    Language,
    T
  >
}
