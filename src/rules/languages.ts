/**
 * The languages of the shop. Arabic comes first: it is the default, and its pages are at the root.
 */
export const LANGUAGES = ['ar', 'fr', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
export const [DEFAULT_LANGUAGE] = LANGUAGES

/** A value for each language, by default a text. */
export type InEachLanguage<T = string> = Readonly<Record<Language, T>>

export function inEachLanguage<T>(of: (language: Language) => T): Record<Language, T> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<
    Language,
    T
  >
}

/** A stored value in each language, and `missing` in those that the shop did not have yet. */
export function completed<T>(
  stored: Readonly<Partial<Record<Language, T>>>,
  missing: T,
): Record<Language, T> {
  return inEachLanguage((language) => stored[language] ?? missing)
}
