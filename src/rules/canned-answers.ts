import { DEFAULT_LANGUAGE, type InEachLanguage, type Language } from './languages.ts'

/** The longest name of a canned answer, in characters; a button shows it. */
export const CANNED_NAME_MAX_LENGTH = 60

/** The longest text of a canned answer, in characters. */
export const CANNED_TEXT_MAX_LENGTH = 1000

/** The placeholders of a canned answer: `{{name}}`, the customer's first name. */
export const CANNED_PLACEHOLDERS = ['name'] as const

/** Whether every `{{…}}` in a text is a known placeholder. */
export function hasKnownPlaceholders(text: string): boolean {
  const names: readonly string[] = CANNED_PLACEHOLDERS
  return text
    .split('}}')
    .slice(0, -1)
    .every((before) => {
      const opens = before.indexOf('{{')
      return opens === -1 || names.includes(before.slice(opens + 2))
    })
}

/** A text in a language, or else in Arabic, which always exists. */
export function inLanguageOrArabic(texts: InEachLanguage, language: Language): string {
  return texts[language] || texts[DEFAULT_LANGUAGE]
}
