/** The longest name of a canned answer, in characters; it stands on a button. */
export const CANNED_NAME_MAX_LENGTH = 60

/** The longest text of a canned answer, in characters. */
export const CANNED_TEXT_MAX_LENGTH = 1000

/** What a canned answer may leave to be filled in: `{{name}}`, the customer's first name. */
export const CANNED_PLACEHOLDERS = ['name'] as const

/** Whether every `{{…}}` of a text is one that is filled in. */
export function hasKnownPlaceholders(text: string): boolean {
  const names: readonly string[] = CANNED_PLACEHOLDERS
  return [...text.matchAll(/\{\{(.*?)\}\}/gs)].every(([, name = '']) => names.includes(name))
}

/** A text in a language; where it has none, the Arabic one, which is always there. */
export function inLanguageOrArabic<Language extends string>(
  texts: Readonly<Record<Language | 'ar', string>>,
  language: Language,
): string {
  return texts[language] || texts.ar
}
