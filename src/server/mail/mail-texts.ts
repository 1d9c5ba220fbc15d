import { readFileSync } from 'node:fs'
import { LOCALES, type Locale } from '../../i18n/locales.ts'

/** `reset` of `locales/<lang>/mail.json`. */
export interface ResetMailTexts {
  readonly subject: string
  readonly title: string
  readonly hello: string
  readonly asked: string
  readonly button: string
  readonly link: string
  readonly once: string
  readonly ignore: string
}

interface MailTexts {
  readonly reset: ResetMailTexts
}

// Read once at the start; Vite, which gives pages their texts, is not here.
const texts = Object.fromEntries(
  LOCALES.map((locale) => {
    const file = new URL(`../../../locales/${locale}/mail.json`, import.meta.url)
    return [locale, JSON.parse(readFileSync(file, 'utf8')) as MailTexts]
  }),
) as Record<Locale, MailTexts>

/** The texts of mails in a language. */
export function mailTexts(locale: Locale): MailTexts {
  return texts[locale]
}
