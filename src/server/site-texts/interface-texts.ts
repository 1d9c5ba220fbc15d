import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { SiteSubject } from '../../contract/office-site-versions.ts'
import type { InterfaceTexts } from '../../contract/site.ts'
import { shippedTexts } from '../../i18n/interface-texts.ts'
import type { Locale } from '../../i18n/locales.ts'
import { type Texts, textsOf } from '../../i18n/texts.ts'
import { inEachLanguage } from '../../rules/languages.ts'
import { interfaceTextProblem } from '../../rules/site-pages.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { describeChanges } from '../staff-log/staff-log.ts'
import { changeSubject, type Version } from '../versions/versions.ts'
import { readBrand } from './facts.ts'
import { tagOf } from './tags.ts'

/** The key of a text, and a language. */
export interface TextPlace {
  readonly key: string
  readonly locale: Locale
}

export const textSubject = ({ key, locale }: TextPlace) => `text ${locale} ${key}` as const

/** The text that a subject names; undefined for facts and pages. */
export function placeOf(subject: SiteSubject): TextPlace | undefined {
  const [kind, locale, key = ''] = subject.split(' ')
  return kind === 'text' ? { key, locale: locale as Locale } : undefined
}

/** The shipped text of a place; undefined if this shop has none. */
export function shippedAt({ key, locale }: TextPlace): string | undefined {
  return shippedTexts(locale).get(key)
}

/** The text in one of its versions. */
export function textOf(place: TextPlace, version: Pick<Version, 'value'> | undefined): string {
  return (version?.value ?? shippedAt(place) ?? '') as string
}

/**
 * Whether a text that replaces a shipped one is shown: an update of the shop may have changed the
 * placeholders that it needs.
 */
export function isShown(place: TextPlace, own: string): boolean {
  const shipped = shippedAt(place)
  return shipped !== undefined && interfaceTextProblem(shipped, own) === null
}

/** The newest version of every text that was ever changed. */
export async function changedTexts(
  db: Kysely<Schema>,
): Promise<(Version & { subject: SiteSubject })[]> {
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

/** All texts as they are shown, for mails. */
export async function readTexts(db: Kysely<Schema>): Promise<Texts> {
  const { texts } = await readInterfaceTexts(db)
  return textsOf(await readBrand(db), texts)
}

/**
 * Throws `not_found` if the shop has no such text, and `invalid_input` for a text that does not fit
 * the shipped one.
 */
export function checkText(place: TextPlace, text: string): void {
  const shipped = shippedAt(place)
  if (shipped === undefined) throw fault('not_found')
  const problem = interfaceTextProblem(shipped, text)
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
    if (text === textOf(place, latest)) return null
    const change = { reason: describeChanges([['text', text]]), tags: [tagOf(subject)] }
    const isShipped = text === shippedAt(place)
    return isShipped ? { ...change, value: null, restores: 0 } : { ...change, value: text }
  })
}
