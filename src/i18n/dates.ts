import type { Locale } from './locales.ts'

// Constants, because the ICU data of server and browser may differ, which would break hydration.
const MONTHS: Readonly<Record<Locale, readonly string[]>> = {
  ar: [
    'جانفي',
    'فيفري',
    'مارس',
    'أفريل',
    'ماي',
    'جوان',
    'جويلية',
    'أوت',
    'سبتمبر',
    'أكتوبر',
    'نوفمبر',
    'ديسمبر',
  ],
  fr: [
    'janvier',
    'février',
    'mars',
    'avril',
    'mai',
    'juin',
    'juillet',
    'août',
    'septembre',
    'octobre',
    'novembre',
    'décembre',
  ],
  en: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
}

/** A day as `5 مارس 2026` or `1er octobre 2026`, in Tunisia's time (UTC+1 all year). */
export function formatDate(locale: Locale, iso: string): string {
  const day = new Date(Date.parse(iso) + 3_600_000)
  if (Number.isNaN(day.getTime())) return ''
  const number = day.getUTCDate()
  const ordinal = locale === 'fr' && number === 1 ? 'er' : ''
  return `${number}${ordinal} ${MONTHS[locale][day.getUTCMonth()]} ${day.getUTCFullYear()}`
}
