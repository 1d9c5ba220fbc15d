import { DRAFTS_MAX } from '../rules/document-life.ts'
import { HOUR_MS } from '../rules/durations.ts'
import { EMPTY_SEARCH_DAYS, EMPTY_SEARCHES_LEAST } from '../rules/empty-searches.ts'
import { PACKAGE_MAX_FILES } from '../rules/imports.ts'
import { PASSWORD_MIN_LENGTH } from '../rules/password-strength.ts'
import { PHONE_DIGITS } from '../rules/phone.ts'
import { RATING_MAX } from '../rules/rating.ts'
import { RIB_LENGTH } from '../rules/rib.ts'
import { MAX_TOP_UP, MIN_TOP_UP } from '../rules/top-up.ts'
import { BACKUP_MAX_AGE_MS } from '../rules/upkeep.ts'
import { FILE_MAX_PAGES, inMegabytes, UPLOAD_MAX_BYTES, UPLOADS_PER_DAY } from '../rules/uploads.ts'
import { fillText, limitText, pluralText } from './format.ts'
import type { Locale } from './locales.ts'

/** A counted thing in its plural forms: `characters_one`, `characters_other`, … */
type Units = Readonly<Record<string, string>>

/** Limits and other facts from the rules, worded in a language. */
function factsOf(locale: Locale, units: Units): Readonly<Record<string, string>> {
  return {
    minimumTopUp: limitText(locale, MIN_TOP_UP),
    maximumTopUp: limitText(locale, MAX_TOP_UP),
    passwordLength: pluralText(locale, units, 'characters', PASSWORD_MIN_LENGTH),
    phoneDigits: String(PHONE_DIGITS),
    bestRating: String(RATING_MAX),
    ribDigits: String(RIB_LENGTH),
    documentMegabytes: String(inMegabytes(UPLOAD_MAX_BYTES.document)),
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

/** Fills the facts that a text names, such as `{{minimumTopUp}}`. */
export function fillFacts(locale: Locale, units: Units, text: string): string {
  return fillText(text, factsOf(locale, units))
}
