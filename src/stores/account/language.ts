import { LANGUAGES, type Language } from '../../rules/languages.ts'
import { LANGUAGE_KEY, LANGUAGE_SENT_KEY } from '../../rules/storage-keys.ts'
import { persistedText } from '../shared/persistence.ts'

// Written by the frame of the page on which it was chosen; another page follows.
const $chosen = persistedText(LANGUAGE_KEY)
const $sent = persistedText(LANGUAGE_SENT_KEY)

/** The language that the visitor has chosen since the last one was sent to the server, or null. */
export function unsentLanguage(): Language | null {
  const chosen = $chosen.get()
  if (chosen === $sent.get()) return null
  return LANGUAGES.find((language) => language === chosen) ?? null
}

/** Notes that the server knows the language that is chosen now. */
export function markLanguageSent(): void {
  $sent.set($chosen.get())
}
