import { compiledTexts, type Translate } from './compiled-texts.ts'
import type { Locale } from './locales.ts'
import {
  type Localization,
  type OwnTexts,
  type ShopNames,
  TEXTS,
  type TextGroup,
  type Texts,
  type TextsAt,
  textsIn,
  textsOf,
} from './texts.ts'

/** The shop's names, and the texts that replace shipped ones; `id` identifies this set of texts. */
interface OwnWords {
  readonly id: string
  readonly texts: OwnTexts
  readonly shop: ShopNames
}

interface Wording {
  readonly texts: Texts
  readonly translators: Readonly<Record<Locale, Translate>>
}

const wordingOf = (texts: Texts): Wording => ({ texts, translators: compiledTexts(texts) })

const shipped = wordingOf(TEXTS)
/** The wording of the last page, which is nearly always the current one. */
let latest: { id: string; wording: Wording } | undefined

function wordingWith({ id: ofTexts, texts, shop }: OwnWords): Wording {
  const id = JSON.stringify([ofTexts, shop.name, shop.slogan, shop.accent])
  if (latest?.id !== id) latest = { id, wording: wordingOf(textsOf(shop, texts)) }
  return latest.wording
}

/**
 * The translator of shipped texts in one language. Not global, because pages in several languages
 * render concurrently.
 */
export function translator(locale: Locale): Translate {
  return shipped.translators[locale]
}

/**
 * The translator that pages and components use for the page's language; it is in `Astro.locals`.
 */
export interface Localized {
  locale: Locale
  t: Translate
  /** The translator of another language, for texts that a page shows in that language. */
  tIn: (locale: Locale) => Translate
  texts: <Group extends TextGroup>(group: Group) => TextsAt<Group>
  /**
   * The text props of an island: `<Checkout {...localize(Checkout)} />`. If `errors` has the codes
   * that its calls can return (`errorCodesOf`), it gets only the sentences of these.
   */
  localize: <Group extends TextGroup>(
    island: { needs: readonly Group[] },
    errors?: ReadonlySet<string>,
  ) => Localization<Group>
}

/** The language of a page and its texts: the shipped ones, except for those that `own` replaces. */
export function localized(locale: Locale, own?: OwnWords): Localized {
  const { texts: all, translators } = own ? wordingWith(own) : shipped
  const texts = <Group extends TextGroup>(group: Group) => textsIn(locale, group, all)
  return {
    locale,
    t: translators[locale],
    tIn: (other) => translators[other],
    texts,
    localize: ({ needs }, errors) => {
      const groups = needs.map((group) => [group, narrowed(group, texts(group), errors)])
      return { locale, ...Object.fromEntries(groups) } as Localization<(typeof needs)[number]>
    },
  }
}

/**
 * The codes of failures that no call declares: those of the client, and the server's unexpected
 * ones.
 */
const ALWAYS: readonly string[] = ['server_error', 'network', 'bad_answer', 'unknown']

/**
 * Reduces groups of error sentences, including the office's, to the needed ones; other groups are
 * unchanged.
 */
function narrowed(group: TextGroup, texts: object, errors: ReadonlySet<string> | undefined) {
  if (!group.endsWith('errors:codes') || !errors) return texts
  const needed = Object.entries(texts).filter(([code]) => errors.has(code) || ALWAYS.includes(code))
  return Object.fromEntries(needed)
}
