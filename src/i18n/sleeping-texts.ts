import { createHash } from 'node:crypto'
import type { SearchPage } from '../rules/suggestions.ts'
import type { Translate } from './compiled-texts.ts'
import type { Locale } from './locales.ts'
import { searchPages } from './search-pages.ts'
import type { Localization } from './text-keys.ts'
import { type Texts, textsIn } from './texts.ts'

/** The groups of texts of all islands that sleep until they are touched. */
export const SLEEPING_GROUPS = [
  'account:session',
  'cart:box',
  'cart:overlays',
  'chat:order',
  'library:reading',
  'order:waiting',
  'purchase:modal',
  'ratings:form',
  'reader:dialog',
  'search:box',
] as const
export type SleepingGroup = (typeof SLEEPING_GROUPS)[number]

/** What sleeping islands receive besides their own props. */
type SleepingProps = Omit<Localization<SleepingGroup>, 'locale'> & {
  readonly searchPages: readonly SearchPage[]
}

/**
 * The text file of a language, shared by the sleeping islands: they are rendered with its content,
 * and load it when they wake.
 */
export interface SleepingTexts {
  /** The file's path, which contains a hash of its content. */
  readonly src: string
  readonly hash: string
  readonly props: SleepingProps
  /** The props as JSON. */
  readonly body: string
}

/**
 * A prop under this key is used for rendering but not written into the page, because Astro does not
 * serialize symbols.
 */
export const ASLEEP = Symbol.for('karras.asleep')

/** Matches the path of such a file; the first group is the language. */
export const SLEEPING_ADDRESS = /^\/_texts\/([a-z]+)-[\da-f]{12}$/

/** Makes the file of a language; `takesCards`: whether purchases offer a card. */
export function sleepingTexts(
  locale: Locale,
  texts: Texts,
  tIn: (locale: Locale) => Translate,
  takesCards: boolean,
): SleepingTexts {
  const groups = SLEEPING_GROUPS.map((group) => [group, textsIn(locale, group, texts)])
  const modal = {
    ...textsIn(locale, 'purchase:modal', texts),
    ...(!takesCards && textsIn(locale, 'purchase:withoutCards', texts)),
  }
  const props = {
    ...Object.fromEntries(groups),
    'purchase:modal': modal,
    searchPages: searchPages(locale, tIn),
  } as SleepingProps
  const body = JSON.stringify(props)
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
  return { src: `/_texts/${locale}-${hash}`, hash, props, body }
}
