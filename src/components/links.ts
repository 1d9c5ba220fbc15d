import { pathIn } from '../i18n/paths.ts'
import { type Brand, haveSameIcons, iconAddress } from '../rules/brand.ts'
import { SITE } from '../site.ts'

/**
 * The URL where teachers ask to join, or staff log in: in the shop's own office, or in another one
 * at `officeUrl`; null in front of another backend, which has no office here.
 */
export function officePage(
  page: 'join' | 'login',
  { officeUrl, isForeign, locale }: Pick<App.Locals, 'officeUrl' | 'isForeign' | 'locale'>,
): string | null {
  if (officeUrl !== null) return `${officeUrl}/${page}`
  return isForeign ? null : pathIn(locale, `/office/${page}`)
}

/** The address of the shop's icon: the one of the first brand is a file, others are drawn. */
export const shopIcon = (brand: Brand): string =>
  haveSameIcons(brand, SITE) ? '/favicon.svg' : iconAddress(brand, '64')

/** The `tel:` URL of a phone number in any notation. */
export function phoneHref(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '')}`
}
