import {
  UNAPPROVED_DRAFTS_MAX,
  UNAPPROVED_MAX_BYTES,
  UNAPPROVED_UPLOADS_PER_DAY,
} from '../rules/approval.ts'
import { LOGO_MAX_BYTES, penOf, referencePrefix } from '../rules/brand.ts'
import { BUNDLE_DOCUMENTS, BUNDLES_MAX } from '../rules/bundles.ts'
import { CORRECTIONS_OF_PAPER_MAX } from '../rules/corrections.ts'
import { CODES_MAX } from '../rules/discount-codes.ts'
import { DRAFTS_MAX } from '../rules/document-life.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../rules/durations.ts'
import { PACKAGE_MAX_FILES } from '../rules/imports.ts'
import type { InEachLanguage } from '../rules/languages.ts'
import { PASSWORD_MIN_LENGTH } from '../rules/password-strength.ts'
import { BANK_TRANSFER_ABOVE, MAX_TOP_UP, MIN_TOP_UP } from '../rules/payment-methods.ts'
import { RATING_MAX } from '../rules/rating.ts'
import { RECEIPT_PHOTOS_MAX } from '../rules/receipt-photos.ts'
import { RETENTION } from '../rules/retention.ts'
import { RIB_EXAMPLE, RIB_LENGTH } from '../rules/rib.ts'
import { CODE_DIGITS, CODE_LIFETIME_MS } from '../rules/sms.ts'
import { TAX_NUMBER_EXAMPLE } from '../rules/tax-number.ts'
import { PHONE_DIGITS } from '../rules/typed-numbers.ts'
import { BACKUP_MAX_AGE_MS } from '../rules/upkeep.ts'
import { FILE_MAX_PAGES, inMegabytes, UPLOAD_MAX_BYTES, UPLOADS_PER_DAY } from '../rules/uploads.ts'
import { EMPTY_SEARCH_DAYS, EMPTY_SEARCHES_LEAST } from '../rules/visits.ts'
import { SITE } from '../site.ts'
import { fillText, limitText, pluralText } from './format.ts'
import type * as arabic from './languages/ar.ts'
import * as ar from './languages/ar.ts'
import * as en from './languages/en.ts'
import * as fr from './languages/fr.ts'
import { LOCALES, type Locale } from './locales.ts'

export type Texts = Readonly<Record<Locale, Arabic>>

/** Texts that replace shipped ones, by key: `shop:title`, `shop:results_few`. */
export type OwnTexts = Readonly<Record<Locale, Readonly<Record<string, string>>>>

/** The texts as written in `locales`, before anything is filled in. */
// The type makes a missing key of a language a compile error here.
export const WRITTEN: Readonly<Record<Locale, Translated>> = { ar, fr, en }

/** All texts of a shop of the first brand; each language has its own plural forms. */
export const TEXTS = textsOf(SITE)

/**
 * All texts, filled with the facts from the rules and the shop's name, and some shipped ones
 * replaced; unknown keys are ignored.
 */
export function textsOf(shop: ShopNames, own?: OwnTexts): Texts {
  const texts = LOCALES.map((locale) => {
    const fill = factFiller(locale, WRITTEN[locale].units.counts, shop)
    const filled = JSON.parse(JSON.stringify(WRITTEN[locale]), (_, value) =>
      typeof value === 'string' ? fill(value) : value,
    )
    for (const [key, text] of Object.entries(own?.[locale] ?? {})) {
      put(filled, key.split(/[:.]/), fill(text))
    }
    return [locale, filled]
  })
  return Object.fromEntries(texts)
}

function put(texts: object, path: readonly string[], text: string): void {
  const last = path.at(-1) ?? ''
  let at: unknown = texts
  for (const name of path.slice(0, -1)) at = inside(at, name)
  if (typeof inside(at, last) === 'string') Object.assign(at as object, { [last]: text })
}

function inside(texts: unknown, name: string): unknown {
  const isThere = typeof texts === 'object' && texts !== null && Object.hasOwn(texts, name)
  return isThere ? (texts as Record<string, unknown>)[name] : undefined
}

/**
 * The texts of a group, with `{{values}}` and plural forms, for islands and mails, which fill them
 * themselves. Throws if there is no such group.
 */
export function textsIn<Group extends TextGroup>(
  locale: Locale,
  group: Group,
  texts = TEXTS,
): TextsAt<Group> {
  return at(texts, locale, group) as TextsAt<Group>
}

/** An unfilled text; throws if there is none. */
export function textIn(locale: Locale, key: TextKey): string {
  const text = at(TEXTS, locale, key)
  if (typeof text !== 'string') throw new Error(`locales/${locale} has no text ${key}`)
  return text
}

function at(texts: Texts, locale: Locale, path: string): unknown {
  let found: unknown = texts[locale]
  for (const name of path.split(/[:.]/)) found = (found as Record<string, unknown>)?.[name]
  if (found === undefined) throw new Error(`locales/${locale} has nothing at ${path}`)
  return found
}

/** All texts of the interface in Arabic; the other languages have the same keys. */
export type Arabic = typeof arabic

/**
 * The suffixes of i18next's plural forms: `items_one`, `items_few`, … are forms of one text,
 * `items`.
 */
type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type Singular<Name extends string> = Name extends `${infer Base}_${PluralForm}` ? Base : Name

type Keys<Texts> = {
  [Name in keyof Texts & string]: Texts[Name] extends string
    ? Singular<Name>
    : Texts[Name] extends readonly string[]
      ? never
      : `${Name}.${Keys<Texts[Name]>}`
}[keyof Texts & string]

type Groups<Texts> = {
  [Name in keyof Texts & string]: Texts[Name] extends string
    ? never
    : Texts[Name] extends readonly string[]
      ? Name
      : Name | `${Name}.${Groups<Texts[Name]>}`
}[keyof Texts & string]

/** The key of a text: `common:menu.home`; plural forms are named without their suffix. */
export type TextKey = {
  [Namespace in keyof Arabic & string]: `${Namespace}:${Keys<Arabic[Namespace]>}`
}[keyof Arabic & string]

/** The key of a group of texts: `cart:add`, `charging:page.balance`. */
export type TextGroup = {
  [Namespace in keyof Arabic & string]: `${Namespace}:${Groups<Arabic[Namespace]>}`
}[keyof Arabic & string]

type GroupWith<Name extends string, Key = TextKey> = Key extends `${infer Group}.${Name}`
  ? Group
  : never

/** A group of texts with the title and the description of a page. */
export type PageTexts = GroupWith<'title'> & GroupWith<'description'>

type At<Texts, Path extends string> = Path extends `${infer First}.${infer Rest}`
  ? At<Texts[First & keyof Texts], Rest>
  : Texts[Path & keyof Texts]

export type TextsAt<Group extends TextGroup> = Group extends `${infer Namespace}:${infer Path}`
  ? At<Arabic[Namespace & keyof Arabic], Path>
  : never

/** The props by which a page gives an island its language and the groups of texts that it needs. */
export type Localization<Group extends TextGroup> = { readonly locale: Locale } & {
  readonly [Name in Group]: TextsAt<Name>
}

/** The same keys in another language, which has its own plural forms. */
type Translated<Texts = Arabic> = {
  readonly [Name in keyof Texts as Name extends `${string}_${PluralForm}`
    ? never
    : Name]: Texts[Name] extends string | readonly string[] ? Texts[Name] : Translated<Texts[Name]>
}

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
    references: referencePrefix(shop),
    minimumTopUp: limitText(locale, MIN_TOP_UP),
    maximumTopUp: limitText(locale, MAX_TOP_UP),
    transferAbove: limitText(locale, BANK_TRANSFER_ABOVE),
    passwordLength: pluralText(locale, units, 'characters', PASSWORD_MIN_LENGTH),
    phoneDigits: String(PHONE_DIGITS),
    codeDigits: String(CODE_DIGITS),
    codeMinutes: String(CODE_LIFETIME_MS / MINUTE_MS),
    bestRating: String(RATING_MAX),
    ribDigits: String(RIB_LENGTH),
    ribExample: `\u2066${RIB_EXAMPLE}\u2069`,
    taxNumberExample: `\u2066${TAX_NUMBER_EXAMPLE}\u2069`,
    registerExample: `\u2066${TAX_NUMBER_EXAMPLE.slice(0, 8)}\u2069`,
    documentMegabytes: String(inMegabytes(UPLOAD_MAX_BYTES.document)),
    logoKilobytes: String(LOGO_MAX_BYTES / 1024),
    photoMegabytes: String(inMegabytes(UPLOAD_MAX_BYTES.receipt)),
    photoDays: String(RETENTION.receiptPhotos / DAY_MS),
    mostPhotos: String(RECEIPT_PHOTOS_MAX),
    pictureMegabytes: String(inMegabytes(UPLOAD_MAX_BYTES.cover)),
    mostPages: String(FILE_MAX_PAGES),
    uploadsPerDay: String(UPLOADS_PER_DAY),
    mostDrafts: String(DRAFTS_MAX),
    unapprovedDrafts: String(UNAPPROVED_DRAFTS_MAX),
    unapprovedUploads: String(UNAPPROVED_UPLOADS_PER_DAY),
    unapprovedMegabytes: String(inMegabytes(UNAPPROVED_MAX_BYTES)),
    mostBundles: String(BUNDLES_MAX),
    mostCodes: String(CODES_MAX),
    mostOfBundle: String(BUNDLE_DOCUMENTS.most),
    mostCorrections: String(CORRECTIONS_OF_PAPER_MAX),
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

/**
 * Groups of texts that administrators cannot replace: those that the build renders (the office, and
 * the pages "too many at once", "back in a moment" and "you are offline") and those in scripts would change only with a
 * build; `catalogue` holds names, `brand` what the shop is called, and `units` is used by other texts.
 */
const FIXED = /^(?:office(?:-.+)?|brand|busy|downloads|offline|own-rating|catalogue|units)$/

const shipped = new Map<Locale, ReadonlyMap<string, string>>()

/** The shipped texts that administrators may replace, by key, unfilled. */
export function shippedTexts(locale: Locale): ReadonlyMap<string, string> {
  const known = shipped.get(locale)
  if (known) return known
  const found = new Map<string, string>()
  for (const [file, texts] of Object.entries(WRITTEN[locale])) {
    if (!FIXED.test(file)) collect(texts, `${file}:`, found)
  }
  shipped.set(locale, found)
  return found
}

function collect(texts: object, prefix: string, found: Map<string, string>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (typeof text === 'string') found.set(prefix + name, text)
    else collect(text, `${prefix}${name}.`, found)
  }
}
