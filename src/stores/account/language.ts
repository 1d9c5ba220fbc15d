import { LANGUAGES, type Language } from '../../rules/languages.ts'
import { LANGUAGE_KEY, LANGUAGE_TOLD_KEY } from '../../rules/storage-keys.ts'
import { persistedText } from '../shared/persistence.ts'

// Written by the frame of the page on which it was chosen; another page follows.
const $chosen = persistedText(LANGUAGE_KEY)
const $told = persistedText(LANGUAGE_TOLD_KEY)

/** What the visitor has chosen and the server has not been told, null for nothing. */
export function untoldLanguage(): Language | null {
  const chosen = $chosen.get()
  if (chosen === $told.get()) return null
  return LANGUAGES.find((language) => language === chosen) ?? null
}

/** The server knows the language of this account: what was chosen before counts no more. */
export function noteLanguageTold(): void {
  $told.set($chosen.get())
}
