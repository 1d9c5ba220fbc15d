/** The languages of the shop. Arabic comes first: it is the default, and its pages live at the root. */
export const LANGUAGES = ['ar', 'fr', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** What `of` makes for each language, by language. */
export function inEachLanguage<T>(of: (language: Language) => T): Record<Language, T> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<
    Language,
    T
  >
}
