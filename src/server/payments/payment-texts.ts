import { readFileSync } from 'node:fs'
import { LOCALES, type Locale } from '../../i18n/locales.ts'

/** `locales/<lang>/payment.json`. */
export interface PaymentTexts {
  readonly sandbox: {
    readonly title: string
    readonly banner: string
    readonly text: string
    readonly amount: string
    readonly pay: string
    readonly refuse: string
    readonly later: string
    readonly laterNote: string
    readonly back: string
    readonly paid: string
  }
  readonly transfer: {
    readonly bank_transfer: string
    readonly d17: string
    readonly text: string
    readonly reference: string
    readonly referenceNote: string
    readonly amount: string
    readonly bank: string
    readonly holder: string
    readonly rib: string
    readonly iban: string
    readonly phone: string
    readonly copy: string
    readonly copied: string
    readonly nextTitle: string
    readonly next: readonly string[]
    readonly until: string
    readonly documents: string
    readonly back: string
    readonly paid: string
    readonly refused: string
    readonly expired: string
  }
  readonly unknown: { readonly title: string; readonly text: string; readonly home: string }
}

// Read once at the start; Vite, which gives pages their texts, is not here.
const texts = Object.fromEntries(
  LOCALES.map((locale) => {
    const file = new URL(`../../../locales/${locale}/payment.json`, import.meta.url)
    return [locale, JSON.parse(readFileSync(file, 'utf8')) as PaymentTexts]
  }),
) as Record<Locale, PaymentTexts>

/** The texts of the backend's own payment pages in a language. */
export function paymentTexts(locale: Locale): PaymentTexts {
  return texts[locale]
}
