import { readonlyType } from 'nanostores'
import { LANGUAGES, type Language } from '../../rules/languages.ts'
import { LANGUAGE_KEY, LANGUAGE_SENT_KEY } from '../../rules/storage-keys.ts'
import { persistedText } from './persistence.ts'

const $chosen = persistedText(LANGUAGE_KEY)
const $sent = persistedText(LANGUAGE_SENT_KEY)

/** The language that the visitor chose in this browser; '' without a choice. */
export const $language = readonlyType($chosen)

export function chooseLanguage(language: string): void {
  $chosen.set(language)
}

/** The language that the visitor chose and that the server does not know yet, or null. */
export function unsentLanguage(): Language | null {
  const chosen = $chosen.get()
  if (chosen === $sent.get()) return null
  return LANGUAGES.find((language) => language === chosen) ?? null
}

export function markLanguageSent(): void {
  $sent.set($chosen.get())
}
