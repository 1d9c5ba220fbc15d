import type { Kysely } from 'kysely'
import type { Block, SitePage } from '../../contract/site.ts'
import { factFiller, type ShopNames } from '../../i18n/facts.ts'
import { DEFAULT_LOCALE, LOCALES, type Locale } from '../../i18n/locales.ts'
import { textsIn } from '../../i18n/texts.ts'
import { completed, inEachLanguage } from '../../rules/languages.ts'
import {
  isItemWhole,
  isWhole,
  itemFieldsOf,
  PAGE_PARTS,
  type PageProblem,
  type PageTexts,
  pageProblems,
  type SitePageName,
  wordFieldsOf,
} from '../../rules/site-pages.ts'
import { SITE } from '../../site.ts'
import type { Schema } from '../database/schema.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { changedFields, changeSubject, latestVersions, type Version } from '../versions/versions.ts'
import { brandOf } from './facts.ts'
import { firstPage } from './first-pages.ts'
import { type MarkdownProblem, readMarkdown } from './markdown.ts'
import { tagOf } from './tags.ts'

/** The texts of a page in one of its versions. */
export function pageOf(name: SitePageName, version: Pick<Version, 'value'> | undefined): PageTexts {
  if (!version?.value) return firstPage(name)
  const { items, ...words } = version.value as PageTexts
  // A stored page may be older than a language of the shop.
  return {
    ...completed(words, { title: '', description: '', lead: '', text: '' }),
    items: items.map(({ id, ...item }) => ({
      id,
      ...completed(item, { title: '', note: '', text: '' }),
    })),
  }
}

/** A page in a language, as its readers see it. */
export async function readSitePage(
  db: Kysely<Schema>,
  name: SitePageName,
  locale: Locale,
): Promise<SitePage> {
  const versions = await latestVersions(db, [`page ${name}`, 'facts brand'])
  const page = pageOf(name, versions.get(`page ${name}`))
  return presentPage(name, page, { locale, shop: brandOf(versions.get('facts brand')) })
}

/**
 * Presents texts that may not be saved yet; a text that is missing in a language is shown in
 * Arabic.
 */
export function presentPage(
  name: SitePageName,
  page: PageTexts,
  { locale, shop }: { locale: Locale; shop: ShopNames },
): SitePage {
  const shown = isWhole(name, page[locale]) ? locale : DEFAULT_LOCALE
  const { items: kind } = PAGE_PARTS[name]
  const { title, description, lead, text } = filled(shown, shop, page[shown])
  return {
    locale: shown,
    ...{ title, description, lead },
    blocks: readMarkdown(text).blocks,
    items: page.items.map((item) => {
      const shown = kind && isItemWhole(kind, item[locale]) ? locale : DEFAULT_LOCALE
      const { title, note, text } = filled(shown, shop, item[shown])
      const blocks = kind === 'questions' ? readMarkdown(text).blocks : [plain(text)]
      return { locale: shown, title, note, blocks }
    }),
  }
}

const plain = (text: string): Block => ({ kind: 'paragraph', children: [{ kind: 'text', text }] })

/** Fills placeholders such as `{{site}}` and `{{minimumTopUp}}`. */
function filled<Words extends object>(locale: Locale, shop: ShopNames, words: Words): Words {
  const fill = factFiller(locale, textsIn(locale, 'units:counts'), shop)
  return Object.fromEntries(
    Object.entries(words).map(([field, text]) => [field, fill(String(text))]),
  ) as Words
}

/** The reason why a field of a page cannot be saved. */
export type SitePageProblem = PageProblem | MarkdownProblem | 'placeholder'

/** The problems that keep a page from being saved, by field: `fr.title`, `items.3.ar.text`. */
function problemsOf(name: SitePageName, page: PageTexts): Record<string, SitePageProblem> {
  const found: Record<string, SitePageProblem> = { ...pageProblems(name, page) }
  const check = (path: string, locale: Locale, words: object, hasMarkdown: boolean) => {
    for (const [field, text] of Object.entries(filled(locale, SITE, words))) {
      // Nothing that is too long is parsed.
      if (found[`${path}.${field}`]) continue
      const [problem] = field === 'text' && hasMarkdown ? readMarkdown(text).problems : []
      const wrong = text.includes('{{') ? 'placeholder' : problem
      if (wrong) found[`${path}.${field}`] = wrong
    }
  }
  for (const locale of LOCALES) {
    check(locale, locale, page[locale], true)
    for (const item of page.items) {
      const hasMarkdown = PAGE_PARTS[name].items === 'questions'
      check(`items.${item.id}.${locale}`, locale, item[locale], hasMarkdown)
    }
  }
  return found
}

/** The texts, trimmed and without those that the page does not show. */
function tidied(name: SitePageName, page: PageTexts): PageTexts {
  const { items } = PAGE_PARTS[name]
  const only = <Words extends object>(words: Words, fields: readonly string[]): Words =>
    Object.fromEntries(
      Object.entries(words).map(([field, text]) => [
        field,
        fields.includes(field) ? String(text).trim() : '',
      ]),
    ) as Words
  return {
    ...inEachLanguage((language) => only(page[language], wordFieldsOf(name))),
    items: items
      ? page.items.map((item) => ({
          id: item.id,
          ...inEachLanguage((language) => only(item[language], itemFieldsOf(items))),
        }))
      : [],
  }
}

/**
 * Saves a page in all languages, which is public immediately; identical texts change nothing.
 * Throws `invalid_input` for texts that cannot be shown, and `done_before` if somebody has changed
 * the page since `revision`.
 */
export async function saveSitePage(
  deps: Deps,
  name: SitePageName,
  change: { revision: number; page: PageTexts; actor: string },
): Promise<void> {
  const page = tidied(name, change.page)
  const problems = problemsOf(name, page)
  const ids = new Set(page.items.map(({ id }) => id))
  if (ids.size < page.items.length) throw fault('invalid_input', { fields: { items: 'invalid' } })
  if (Object.keys(problems).length > 0) throw fault('invalid_input', { fields: problems })
  const { revision, actor } = change
  const subject = `page ${name}` as const
  await changeSubject(deps, { subject, revision, actor }, async (_, latest) => {
    const changed = changedFields(pageOf(name, latest), page)
    if (changed.length === 0) return null
    return { value: page, reason: changed.join(', ').slice(0, 1000), tags: [tagOf(subject)] }
  })
}
