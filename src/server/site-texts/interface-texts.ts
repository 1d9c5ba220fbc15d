import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type {
  InterfaceText,
  TEXT_STATES,
  TextGroup,
} from '../../contract/office-interface-texts.ts'
import type { SiteSubject } from '../../contract/office-site-versions.ts'
import type { InterfaceTexts } from '../../contract/site.ts'
import { LOCALES, type Locale } from '../../i18n/locales.ts'
import { ownTextProblem } from '../../i18n/text-messages.ts'
import { shippedTexts, type Texts, textsOf } from '../../i18n/texts.ts'
import { inEachLanguage } from '../../rules/languages.ts'
import { foldQuery, foldWords } from '../../rules/search-fold.ts'
import { TEXT_GROUP_NAMES, type TextGroupName, textGroupOf } from '../../rules/text-groups.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { actorNames, describeChanges } from '../staff-log/staff-log.ts'
import { changeSubject, type Version } from '../versions/versions.ts'
import { readBrand, tagOf } from './facts.ts'

/** The key of a text, and a language. */
interface TextPlace {
  readonly key: string
  readonly locale: Locale
}

const textSubject = ({ key, locale }: TextPlace) => `text ${locale} ${key}` as const

/** The text that a subject names; undefined for facts and pages. */
export function placeOf(subject: SiteSubject): TextPlace | undefined {
  const [kind, locale, key = ''] = subject.split(' ')
  return kind === 'text' ? { key, locale: locale as Locale } : undefined
}

/** The shipped text of a place; undefined if this shop has none. */
function shippedAt({ key, locale }: TextPlace): string | undefined {
  return shippedTexts(locale).get(key)
}

export function textOfPlace(place: TextPlace, version: Pick<Version, 'value'> | undefined): string {
  return (version?.value ?? shippedAt(place) ?? '') as string
}

/**
 * Whether a text that replaces a shipped one is shown: an update of the shop may have changed the
 * placeholders that it needs.
 */
function isShown(place: TextPlace, own: string): boolean {
  const shipped = shippedAt(place)
  return shipped !== undefined && ownTextProblem(place, shipped, own) === null
}

/** The newest version of every text that was ever changed. */
async function changedTexts(db: Kysely<Schema>): Promise<(Version & { subject: SiteSubject })[]> {
  const { rows } = await sql<Version & { subject: SiteSubject }>`
    SELECT DISTINCT ON (subject) * FROM site_versions WHERE subject LIKE 'text %'
    ORDER BY subject, revision DESC`.execute(db)
  return rows
}

/** The texts that are shown in place of shipped ones. */
export async function readInterfaceTexts(db: Kysely<Schema>): Promise<InterfaceTexts> {
  const texts = inEachLanguage((): Record<string, string> => ({}))
  const hash = createHash('sha256')
  for (const { subject, value } of await changedTexts(db)) {
    const place = placeOf(subject)
    if (!place || typeof value !== 'string' || !isShown(place, value)) continue
    texts[place.locale][place.key] = value
    hash.update(`${subject}\n${value}\n`)
  }
  return { id: hash.digest('base64url'), texts }
}

/** The texts that were filled last: a rush of mails would fill the same thousands one after the other. */
let filled: { readonly from: string; readonly texts: Texts } | undefined

export async function readTexts(db: Kysely<Schema>): Promise<Texts> {
  const { id, texts } = await readInterfaceTexts(db)
  const brand = await readBrand(db)
  const from = JSON.stringify([id, brand])
  if (filled?.from !== from) filled = { from, texts: textsOf(brand, texts) }
  return filled.texts
}

/**
 * Throws `not_found` if the shop has no such text, and `invalid_input` for a text that does not fit
 * the shipped one.
 */
export function checkText(place: TextPlace, text: string): void {
  const shipped = shippedAt(place)
  if (shipped === undefined) throw fault('not_found')
  const problem = ownTextProblem(place, shipped, text)
  if (problem) throw fault('invalid_input', { fields: { text: problem } })
}

/**
 * Replaces a shipped text, publicly and immediately. Saving the shipped text itself removes the
 * replacement; saving an identical text changes nothing. Throws the errors of `checkText`, and
 * `done_before` if somebody has changed the text since `revision`.
 */
export async function saveInterfaceText(
  deps: Deps,
  place: TextPlace,
  change: { revision: number; text: string; actor: string },
): Promise<void> {
  const { revision, actor } = change
  const text = change.text.trim()
  checkText(place, text)
  const subject = textSubject(place)
  await changeSubject(deps, { subject, revision, actor }, async (_, latest) => {
    if (text === textOfPlace(place, latest)) return null
    const change = { reason: describeChanges([['text', text]]), tags: [tagOf(subject)] }
    const isShipped = text === shippedAt(place)
    return isShipped ? { ...change, value: null, restores: 0 } : { ...change, value: text }
  })
}

const folded = (text: string) => foldWords(text).join(' ')

/** The shipped texts of each key in all languages, folded for the search. */
let shippedWords: ReadonlyMap<string, string> | undefined

function wordsByKey(): ReadonlyMap<string, string> {
  if (shippedWords) return shippedWords
  const words = new Map<string, string>()
  for (const locale of LOCALES) {
    for (const [key, text] of shippedTexts(locale)) {
      words.set(key, `${words.get(key) ?? ''} ${folded(text)}`)
    }
  }
  shippedWords = words
  return words
}

/** The filters of a list of texts. */
interface TextQuery {
  /** Words in any language, or a piece of the key. */
  q?: string | undefined
  state?: (typeof TEXT_STATES)[number] | undefined
  /** The page on which they are seen. */
  group?: TextGroupName | undefined
}

/** The group of a text; one that the shop no longer has may be of a file that is gone. */
const groupOf = (key: string): TextGroupName => textGroupOf(key) ?? 'everywhere'

/** The texts with these words, in the order of the files. */
export async function findTexts(db: Kysely<Schema>, { q = '', state, group }: TextQuery) {
  const versions = new Map((await changedTexts(db)).map((each) => [each.subject, each]))
  const names = await actorNames(
    db,
    [...versions.values()].map(({ actor }) => actor),
  )
  const words = wordsByKey()
  const keys = new Set(words.keys())
  for (const subject of versions.keys()) keys.add(placeOf(subject)?.key ?? '')

  const wanted = foldQuery(q)
  const piece = q.trim().toLowerCase()
  const isWanted = (text: InterfaceText) => {
    const own = LOCALES.flatMap((locale) => text[locale]?.own ?? [])
    if (state === 'own' && own.length === 0) return false
    if (state === 'ignored' && !LOCALES.some((locale) => text[locale]?.isIgnored)) return false
    if (piece === '' || text.key.toLowerCase().includes(piece)) return true
    const searched = [words.get(text.key) ?? '', ...own.map(folded)].join(' ')
    return wanted.length > 0 && wanted.every((word) => searched.includes(word))
  }
  return [...keys]
    .filter((key) => group === undefined || groupOf(key) === group)
    .map((key) => describe(key, versions, names))
    .filter(isWanted)
}

/** How many of the texts with these words are seen on each page. */
export async function countByGroup(db: Kysely<Schema>, query: TextQuery): Promise<TextGroup[]> {
  const found = Map.groupBy(await findTexts(db, query), ({ key }) => groupOf(key))
  return TEXT_GROUP_NAMES.flatMap((group) => {
    const texts = found.get(group)
    if (!texts) return []
    const own = texts.filter((text) => LOCALES.some((locale) => text[locale]?.own))
    return [{ group, count: texts.length, own: own.length }]
  })
}

/** A text by its key. Throws `not_found`. */
export async function findText(db: Kysely<Schema>, key: string): Promise<InterfaceText> {
  const found = (await findTexts(db, { q: key })).find((text) => text.key === key)
  if (!found) throw fault('not_found')
  return found
}

function describe(
  key: string,
  versions: ReadonlyMap<string, Version>,
  names: ReadonlyMap<string, string>,
): InterfaceText {
  const inLocale = (locale: Locale) => {
    const place = { key, locale }
    const version = versions.get(textSubject(place))
    const shipped = shippedAt(place)
    const own = typeof version?.value === 'string' ? version.value : null
    if (shipped === undefined && own === null) return null
    return {
      shipped: shipped ?? '',
      own,
      isIgnored: own !== null && !isShown(place, own),
      revision: version?.revision ?? 0,
      changed: version
        ? { by: names.get(version.actor) ?? version.actor, at: version.madeAt.toISOString() }
        : null,
    }
  }
  return { key, ...inEachLanguage(inLocale) }
}
