import type { Locale } from '../i18n/locales.ts'
import { pathIn } from '../i18n/paths.ts'

/**
 * The URL where teachers ask to join, or staff log in: in the shop's own office, or in another one
 * at `officeUrl`.
 */
export function officePage(
  page: 'join' | 'login',
  { officeUrl, locale }: { officeUrl: string | null; locale: Locale },
): string {
  return officeUrl === null ? pathIn(locale, `/office/${page}`) : `${officeUrl}/${page}`
}

/** The `tel:` URL of a phone number in any notation. */
export function phoneHref(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '')}`
}
