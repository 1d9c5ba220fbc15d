import { LANGUAGES, type Language } from './languages.ts'

/** What `of` makes for each language, by language. */
export function inEachLanguage<T>(of: (language: Language) => T): Record<Language, T> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<
    Language,
    T
  >
}
