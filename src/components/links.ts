import type { Locale } from '../i18n/locales.ts'
import { pathIn } from '../i18n/paths.ts'

/** Where teachers ask to join, or staff log in: in the shop's own office, or another at `officeUrl`. */
export function officePage(
  page: 'join' | 'login',
  { officeUrl, locale }: { officeUrl: string | null; locale: Locale },
): string {
  return officeUrl === null ? pathIn(locale, `/office/${page}`) : `${officeUrl}/${page}`
}

/** A `tel:` address from a number as it is written. */
export function phoneHref(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '')}`
}
