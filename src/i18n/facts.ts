import { LOGO_MAX_BYTES, penOf } from '../rules/brand.ts'
import { DRAFTS_MAX } from '../rules/document-life.ts'
import { HOUR_MS } from '../rules/durations.ts'
import { PACKAGE_MAX_FILES } from '../rules/imports.ts'
import type { InEachLanguage } from '../rules/languages.ts'
import { PASSWORD_MIN_LENGTH } from '../rules/password-strength.ts'
import { MAX_TOP_UP, MIN_TOP_UP } from '../rules/payment-methods.ts'
import { RATING_MAX } from '../rules/rating.ts'
import { RIB_LENGTH } from '../rules/rib.ts'
import { PHONE_DIGITS } from '../rules/typed-numbers.ts'
import { BACKUP_MAX_AGE_MS } from '../rules/upkeep.ts'
import { FILE_MAX_PAGES, inMegabytes, UPLOAD_MAX_BYTES, UPLOADS_PER_DAY } from '../rules/uploads.ts'
import { EMPTY_SEARCH_DAYS, EMPTY_SEARCHES_LEAST } from '../rules/visits.ts'
import { fillText, limitText, pluralText } from './format.ts'
import type { Locale } from './locales.ts'

/** A counted thing in its plural forms: `characters_one`, `characters_other`, … */
type Units = Readonly<Record<string, string>>

/** What texts and mails show of the shop's brand. */
export interface ShopNames {
  readonly name: InEachLanguage
  readonly slogan: InEachLanguage
  readonly accent: string
}

/**
 * Limits and other facts from the rules, worded in a language; `site`, `slogan` and `pen`
 * are the shop's own.
 */
function factsOf(locale: Locale, units: Units, shop: ShopNames): Readonly<Record<string, string>> {
  return {
    site: shop.name[locale],
    slogan: shop.slogan[locale],
    pen: penOf(shop),
    minimumTopUp: limitText(locale, MIN_TOP_UP),
    maximumTopUp: limitText(locale, MAX_TOP_UP),
    passwordLength: pluralText(locale, units, 'characters', PASSWORD_MIN_LENGTH),
    phoneDigits: String(PHONE_DIGITS),
    bestRating: String(RATING_MAX),
    ribDigits: String(RIB_LENGTH),
    documentMegabytes: String(inMegabytes(UPLOAD_MAX_BYTES.document)),
    logoKilobytes: String(LOGO_MAX_BYTES / 1024),
    pictureMegabytes: String(inMegabytes(UPLOAD_MAX_BYTES.cover)),
    mostPages: String(FILE_MAX_PAGES),
    uploadsPerDay: String(UPLOADS_PER_DAY),
    mostDrafts: String(DRAFTS_MAX),
    mostPackageFiles: String(PACKAGE_MAX_FILES),
    backupHours: String(BACKUP_MAX_AGE_MS / HOUR_MS),
    emptySearchDays: String(EMPTY_SEARCH_DAYS),
    emptySearchesLeast: String(EMPTY_SEARCHES_LEAST),
  }
}

/** Fills the facts that texts name, such as `{{minimumTopUp}}` and the shop's name, `{{site}}`. */
export function factFiller(
  locale: Locale,
  units: Units,
  shop: ShopNames,
): (text: string) => string {
  const facts = factsOf(locale, units, shop)
  return (text) => fillText(text, facts)
}
