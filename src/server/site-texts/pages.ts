import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Block, SitePage } from '../../contract/site.ts'
import { DEFAULT_LOCALE, LOCALES, type Locale } from '../../i18n/locales.ts'
import { factFiller, type ShopNames, textsIn } from '../../i18n/texts.ts'
import { fullName } from '../../rules/full-name.ts'
import {
  completed,
  DEFAULT_LANGUAGE,
  inEachLanguage,
  type Language,
} from '../../rules/languages.ts'
import { EVERY_PAGE_TAG } from '../../rules/page-tags.ts'
import {
  type ItemWords,
  isEmptyPage,
  isItemWhole,
  isWhole,
  itemFieldsOf,
  PAGE_PARTS,
  type PageProblem,
  type PageTexts,
  type PageWords,
  pageProblems,
  SITE_PAGES,
  type SitePageName,
  wordFieldsOf,
} from '../../rules/site-pages.ts'
import { SITE } from '../../site.ts'
import { type Config, realBecause } from '../config/config.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import { changedFields, changeSubject, latestVersions, type Version } from '../versions/versions.ts'
import { brandOf, tagOf } from './facts.ts'
import { type MarkdownProblem, readMarkdown } from './markdown.ts'

/** The texts of a page in one of its versions; `first` is its first one. */
export function pageOf(first: PageTexts, version: Pick<Version, 'value'> | undefined): PageTexts {
  if (!version?.value) return first
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
  { config, database }: Pick<Deps, 'config' | 'database'>,
  name: SitePageName,
  locale: Locale,
): Promise<SitePage> {
  const versions = await latestVersions(database.kysely, [`page ${name}`, 'facts brand'])
  const page = pageOf(firstPage(name, config), versions.get(`page ${name}`))
  return presentPage(name, page, { locale, shop: brandOf(versions.get('facts brand')) })
}

/** The pages that say nothing yet, to which no menu leads. */
export async function readEmptyPages({
  config,
  database,
}: Pick<Deps, 'config' | 'database'>): Promise<SitePageName[]> {
  const names = SITE_PAGES.filter((name) => PAGE_PARTS[name].items)
  const subjects = names.map((name) => `page ${name}` as const)
  const versions = await latestVersions(database.kysely, subjects)
  return names.filter((name) =>
    isEmptyPage(name, pageOf(firstPage(name, config), versions.get(`page ${name}`))),
  )
}

/** The tags of what shows a page before and after a change: every menu, if it appears or goes. */
export function tagsOfPage(name: SitePageName, before: PageTexts, after: PageTexts): string[] {
  const isInMenus = isEmptyPage(name, before) !== isEmptyPage(name, after)
  return [tagOf(`page ${name}`), ...(isInMenus ? [EVERY_PAGE_TAG] : [])]
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
type SitePageProblem = PageProblem | MarkdownProblem | 'placeholder'

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
 * Saves a page in all languages, which is public immediately; identical texts change nothing, except
 * that an empty page counts as written once it was saved so.
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
    const before = pageOf(firstPage(name, deps.config), latest)
    const changed = changedFields(before, page)
    if (changed.length === 0 && (latest || !isEmptyPage(name, page))) return null
    const tags = tagsOfPage(name, before, page)
    return { value: page, reason: changed.join(', ').slice(0, 1000), tags }
  })
}

/**
 * The directory of the pages' first versions: Markdown files with a head, one for each page and
 * language, and one for each question.
 */
const CONTENT = new URL('../../content/', import.meta.url)

interface Person {
  firstName: string
  lastName: string
  role: string
  text: string
}

/** The fields at the head of a file. */
interface Head {
  title: string
  description: string
  lead: string
  people?: readonly Person[]
  question: string
}

function readFile(path: string): { head: Head; text: string } {
  const content = readFileSync(new URL(path, CONTENT), 'utf8')
  const [, head, text] = /^---\n(.*?)\n---\n?(.*)$/s.exec(content) ?? []
  if (head === undefined || text === undefined) throw new Error(`src/content/${path} has no head`)
  return { head: parse(head), text: text.trim() }
}

function wordsOf(name: SitePageName, language: Language): PageWords {
  const { head, text } = readFile(`${language}/${name}.md`)
  const { title, description, lead } = head
  return { title, description, lead, text }
}

function itemsOf(name: SitePageName, language: Language): ItemWords[] {
  const { items } = PAGE_PARTS[name]
  if (items === 'people') {
    const { people = [] } = readFile(`${language}/${name}.md`).head
    return people.map(({ role, text, ...person }) => {
      return { title: fullName(person), note: role, text }
    })
  }
  if (items !== 'questions') return []
  const files = readdirSync(new URL(`${language}/${name}/`, CONTENT)).sort()
  return files.map((file) => {
    const { head, text } = readFile(`${language}/${name}/${file}`)
    return { title: head.question, note: '', text }
  })
}

function readPage(name: SitePageName): PageTexts {
  const items = inEachLanguage((each) => itemsOf(name, each))
  const words = inEachLanguage((each) => wordsOf(name, each))
  return {
    ...words,
    items: items[DEFAULT_LANGUAGE].map((_, at) => {
      const item = inEachLanguage((each) => {
        const words = items[each][at]
        if (!words) throw new Error(`src/content/${each}: ${name} lists less than in the others`)
        return words
      })
      return { id: at + 1, ...item }
    }),
  }
}

let pages: Readonly<Record<SitePageName, PageTexts>> | undefined

/** The first version of a page, which differs in a real shop. */
export function firstPage(name: SitePageName, config: Config): PageTexts {
  return shippedPage(name, realBecause(config) === null)
}

/**
 * A page of the repository. The people of the team belong to the demo (`isExample`): elsewhere their
 * page begins with a title alone.
 */
export function shippedPage(name: SitePageName, isExample: boolean): PageTexts {
  const page = readPages()[name]
  if (PAGE_PARTS[name].items !== 'people' || isExample) return page
  const titleOf = (language: Language): PageWords => {
    return { title: page[language].title, description: '', lead: '', text: '' }
  }
  return { ...inEachLanguage(titleOf), items: [] }
}

/** The pages of the repository; their files are read once. */
function readPages(): Readonly<Record<SitePageName, PageTexts>> {
  pages ??= Object.fromEntries(SITE_PAGES.map((each) => [each, readPage(each)])) as Record<
    SitePageName,
    PageTexts
  >
  return pages
}
