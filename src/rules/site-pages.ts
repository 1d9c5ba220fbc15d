import { DEFAULT_LANGUAGE, inEachLanguage, LANGUAGES, type Language } from './languages.ts'
import { isBlank } from './pasted-text.ts'

/** The pages whose text administrators write, in the order of the footer. */
export const SITE_PAGES = ['about', 'team', 'faq', 'terms', 'privacy'] as const
export type SitePageName = (typeof SITE_PAGES)[number]

export type ItemKind = 'people' | 'questions'

export const PAGE_PARTS: Readonly<Record<SitePageName, { hasText: boolean; items?: ItemKind }>> = {
  about: { hasText: true },
  team: { hasText: true, items: 'people' },
  faq: { hasText: false, items: 'questions' },
  terms: { hasText: true },
  privacy: { hasText: true },
}

const HEADING_MAX_LENGTH = 120
/**
 * The longest sentence under a heading or for search engines, and the longest text about a person.
 */
export const SENTENCE_MAX_LENGTH = 300
/** The longest Markdown of a page, in each language. */
export const PAGE_TEXT_MAX_LENGTH = 20_000
/** The longest Markdown of an answer. */
export const QUESTION_ANSWER_MAX_LENGTH = 4000
export const ITEMS_MAX = 60
/** The largest body (bytes) of a call with a page: all its texts in three languages. */
export const PAGE_BODY_MAX_BYTES = 512 * 1024

/** The texts of a page in one language; '' if nothing is written. */
export interface PageWords {
  title: string
  /** For search engines. */
  description: string
  /** The sentence under the heading. */
  lead: string
  /** Markdown. */
  text: string
}

/**
 * A question (`title`) with its answer in Markdown, or a person (`title`) with the role (`note`)
 * and a plain text.
 */
export interface ItemWords {
  title: string
  note: string
  text: string
}

/**
 * An item of a page's list; its `id` stays the same when others are added, removed or reordered.
 */
type PageItem = { id: number } & Record<Language, ItemWords>

export type PageTexts = Record<Language, PageWords> & { items: PageItem[] }

export const WORD_FIELDS = ['title', 'description', 'lead', 'text'] as const
type WordField = (typeof WORD_FIELDS)[number]
export const ITEM_FIELDS = ['title', 'note', 'text'] as const
type ItemField = (typeof ITEM_FIELDS)[number]

export function wordFieldsOf(name: SitePageName): WordField[] {
  return WORD_FIELDS.filter((field) => field !== 'text' || PAGE_PARTS[name].hasText)
}

export function itemFieldsOf(kind: ItemKind): ItemField[] {
  return ITEM_FIELDS.filter((field) => field !== 'note' || kind === 'people')
}

function fieldMaxLength(field: WordField): number {
  if (field === 'text') return PAGE_TEXT_MAX_LENGTH
  return field === 'title' ? HEADING_MAX_LENGTH : SENTENCE_MAX_LENGTH
}

function itemFieldMaxLength(kind: ItemKind, field: ItemField): number {
  if (field === 'text')
    return kind === 'questions' ? QUESTION_ANSWER_MAX_LENGTH : SENTENCE_MAX_LENGTH
  return field === 'title' ? SENTENCE_MAX_LENGTH : HEADING_MAX_LENGTH
}

/** Whether a page is complete in a language; otherwise its readers see the Arabic text. */
export function isWhole(name: SitePageName, words: PageWords): boolean {
  return wordFieldsOf(name).every((field) => !isBlank(words[field]))
}

export function isItemWhole(kind: ItemKind, words: ItemWords): boolean {
  return itemFieldsOf(kind).every((field) => !isBlank(words[field]))
}

/**
 * Whether a page with a list says nothing yet: then it does not exist for visitors, and no menu
 * leads to it.
 */
export function isEmptyPage(name: SitePageName, page: PageTexts): boolean {
  const { items } = PAGE_PARTS[name]
  return items !== undefined && page.items.length === 0 && isBlank(page[DEFAULT_LANGUAGE].text)
}

/** How many of a page's fields are still empty, in each language; an empty page lacks nothing. */
export function missingIn(name: SitePageName, page: PageTexts): Record<Language, number> {
  const { items } = PAGE_PARTS[name]
  if (isEmptyPage(name, page)) return inEachLanguage(() => 0)
  const count = (language: Language) =>
    wordFieldsOf(name).filter((field) => isBlank(page[language][field])).length +
    (items === undefined
      ? 0
      : page.items
          .flatMap((item) => itemFieldsOf(items).map((field) => item[language][field]))
          .filter(isBlank).length)
  return inEachLanguage(count)
}

/**
 * Why a field cannot be saved. Arabic is required, since it is shown if another language has no
 * text; of an empty page, nothing is.
 */
export type PageProblem = 'required' | 'maxLength' | 'pattern'

/**
 * The problems of a page's texts except those of its Markdown, by field: `fr.title`,
 * `items.3.ar.text`.
 */
export function pageProblems(name: SitePageName, page: PageTexts): Record<string, PageProblem> {
  const found: Record<string, PageProblem> = {}
  const mayBeBlank = isEmptyPage(name, page)
  const check = (path: string, text: string, most: number, language: Language, isLine: boolean) => {
    const trimmed = text.trim()
    if (isBlank(trimmed) && language === DEFAULT_LANGUAGE && !mayBeBlank) found[path] = 'required'
    else if ([...trimmed].length > most) found[path] = 'maxLength'
    else if (isLine && /\p{Cc}/u.test(trimmed)) found[path] = 'pattern'
  }
  for (const language of LANGUAGES) {
    for (const field of wordFieldsOf(name)) {
      const isLine = field !== 'text'
      check(`${language}.${field}`, page[language][field], fieldMaxLength(field), language, isLine)
    }
  }
  const { items: kind } = PAGE_PARTS[name]
  if (kind === undefined) return found
  for (const item of page.items) {
    for (const language of LANGUAGES) {
      for (const field of itemFieldsOf(kind)) {
        const isLine = field !== 'text' || kind === 'people'
        const path = `items.${item.id}.${language}.${field}`
        check(path, item[language][field], itemFieldMaxLength(kind, field), language, isLine)
      }
    }
  }
  return found
}

/** Why a text cannot replace a shipped one. */
type InterfaceTextProblem = 'required' | 'maxLength' | 'html' | 'placeholder' | 'invalid'

/** Even a two-letter word may become a short sentence; longer texts may double in length. */
const SHORT_TEXT_MAX_LENGTH = 60

/**
 * The most characters of a text that replaces a shipped one; the interface around it has no room
 * for more.
 */
export function longestInterfaceText(shipped: string): number {
  return Math.max(SHORT_TEXT_MAX_LENGTH, 2 * shipped.length)
}

/** The names of a text's `{{placeholders}}`, each once and sorted. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))].sort()
}

/** The placeholders that must be in both texts: a text may leave out the shop's name, or say it. */
const needed = (text: string): string =>
  placeholdersIn(text)
    .filter((name) => name !== 'site')
    .join()

/** Why a text cannot replace a shipped one; null if it can. */
export function interfaceTextProblem(shipped: string, text: string): InterfaceTextProblem | null {
  if (isBlank(text)) return 'required'
  if (text.length > longestInterfaceText(shipped)) return 'maxLength'
  if (/<[a-z!/?]/i.test(text)) return 'html'
  // i18next would read `$t(…)` as another text's key.
  if (/\p{Cc}|\$t\(/u.test(text)) return 'invalid'
  const isFilled = needed(text) === needed(shipped)
  return isFilled && !/\{\{|\}\}/.test(text.replace(/\{\{\w+\}\}/g, '')) ? null : 'placeholder'
}
