import type { Kysely } from 'kysely'
import type { InterfaceText, TEXT_STATES } from '../../contract/office-interface-texts.ts'
import { shippedTexts } from '../../i18n/interface-texts.ts'
import { LOCALES, type Locale } from '../../i18n/locales.ts'
import { inEachLanguage } from '../../rules/languages.ts'
import { foldQuery, foldWords } from '../../rules/search-fold.ts'
import type { Schema } from '../database/schema.ts'
import { fault } from '../http/errors.ts'
import { actorNames } from '../staff-log/staff-log.ts'
import type { Version } from '../versions/versions.ts'
import { changedTexts, isShown, placeOf, shippedAt, textSubject } from './interface-texts.ts'

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
export interface TextQuery {
  /** Words in any language, or a piece of the key. */
  q?: string | undefined
  state?: (typeof TEXT_STATES)[number] | undefined
}

/** The texts with these words, in the order of the files. */
export async function findTexts(db: Kysely<Schema>, { q = '', state }: TextQuery) {
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
  return [...keys].map((key) => describe(key, versions, names)).filter(isWanted)
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
