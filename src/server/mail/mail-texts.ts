import type { Locale } from '../../i18n/locales.ts'
import { TEXTS } from '../../i18n/texts.ts'

/** The texts of mails in a language. */
export function mailTexts(locale: Locale) {
  return TEXTS[locale].mail
}

/** The texts of the mail to somebody who is away. */
export function chatMailTexts(locale: Locale) {
  return TEXTS[locale]['chat-mail']
}
