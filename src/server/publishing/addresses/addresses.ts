import { queryOf, readFilters } from '../../../contract/shop-filters.ts'
import { inLanguage, pathIn, splitPath } from '../../../i18n/paths.ts'
import { CODE_PATTERN } from '../../../rules/catalogue-lists.ts'
import { CHAPTER_PATTERN } from '../../../rules/chapters.ts'
import { ID_PATTERN, NUMBERED_PAGES, READER } from '../../../rules/numbered-pages.ts'
import {
  CATALOGUE_TAG,
  documentTag,
  REFERENCE_TAG,
  TEACHERS_TAG,
  teacherTag,
} from '../../../rules/page-tags.ts'
import { TRIMESTERS } from '../../../rules/papers.ts'

/** The rules of a page that apply before it is rendered, by the path that its languages share. */
interface PageRules {
  /** Such as `/shop`, or `/shop-details/:id` with a whole number for `:id`. */
  readonly page: string
  /** The part of a query that its rendering reads, normalised, with a `?`; '' for none. */
  readonly search?: (query: URLSearchParams) => string
  /** The tags that change when a missing page is created; `:id` is taken from the address. */
  readonly missing?: readonly string[]
  /**
   * Whether the page is a payment step, which is answered under any load, from a reserved budget.
   */
  readonly isPaymentStep?: true
  /**
   * The path by which the page is rendered and stored, if it is the same for all such addresses.
   */
  readonly storedAs?: string
}

/** What a list of documents by class and subject shows. */
const OF_LISTS = [CATALOGUE_TAG, REFERENCE_TAG]

/** Pages not named here read no query and are rendered within the visitors' budget. */
const PAGES: readonly PageRules[] = [
  { page: '/shop', search: (query) => queryOf(readFilters(query)) },
  { page: `${NUMBERED_PAGES.document}/:id`, missing: [documentTag(':id'), CATALOGUE_TAG] },
  { page: `${NUMBERED_PAGES.sample}/:id`, missing: [documentTag(':id')] },
  { page: `${NUMBERED_PAGES.sample}/:id/pages`, missing: [documentTag(':id')] },
  { page: `${NUMBERED_PAGES.teacher}/:id`, missing: [teacherTag(':id'), TEACHERS_TAG] },
  { page: '/programme/:code', missing: OF_LISTS },
  { page: '/programme/:code/:code', missing: OF_LISTS },
  { page: '/programme/:code/:code/:trimester', missing: OF_LISTS },
  { page: '/programme/:code/:code/c/:chapter', missing: OF_LISTS },
  { page: `${NUMBERED_PAGES.reader}/:any`, storedAs: READER },
  { page: '/payment/transfer/:reference', isPaymentStep: true },
  { page: '/payment/sandbox/:reference', isPaymentStep: true },
]

/** Calls that are payment steps, like the pages marked in the table above. */
const PAYMENT_CALLS = /^\/api\/(?:orderss\/(?:payment\/|[^/?]+\/initiate(?:[/?]|$))|payments\/)/

const PARAMETERS: Readonly<Record<string, string>> = {
  ':id': ID_PATTERN,
  ':code': `(${CODE_PATTERN})`,
  ':chapter': CHAPTER_PATTERN,
  ':trimester': `(?:${TRIMESTERS.join('|')})`,
  ':reference': '([^/]+)',
  ':any': '[^/]+',
}

const known = PAGES.map((rules) => ({
  rules,
  path: new RegExp(`^${rules.page.replace(/:\w+/g, (name) => PARAMETERS[name] ?? name)}$`),
}))
/** Directories whose pages are named by a number or a code: other addresses below them are not pages. */
const named = PAGES.flatMap(({ page }) => {
  const [, directory = '', name = '', ...below] = page.split('/')
  return below.length === 0 && [':id', ':code'].includes(name) ? [`/${directory}/`] : []
})

export interface KnownPage {
  readonly search: (query: URLSearchParams) => string
  /** The tags whose change may create the page; empty if a missing page must not be remembered. */
  readonly missing: readonly string[]
  readonly isPaymentStep: boolean
  readonly path: string
}

const PLAIN = { search: () => '', missing: [], isPaymentStep: false }

/** The rules of a path, in any language; undefined if there cannot be such a page. */
export function rulesOf(pathname: string): KnownPage | undefined {
  const { locale, path: shared } = splitPath(pathname)
  for (const { rules, path: pattern } of known) {
    const found = pattern.exec(shared)
    if (!found) continue
    const { search = PLAIN.search, missing = [], isPaymentStep = false } = rules
    const tags = missing.map((tag) => tag.replace(':id', found[1] ?? ''))
    const path = rules.storedAs ? inLanguage(locale, rules.storedAs) : pathname
    return { search, missing: tags, isPaymentStep, path }
  }
  return named.some((directory) => shared.startsWith(directory))
    ? undefined
    : { ...PLAIN, path: pathname }
}

/** Whether a request for a page or a call is a payment step, which is never shed. */
export function isPaymentStep(url: string): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return PAYMENT_CALLS.test(path) || rulesOf(path)?.isPaymentStep === true
}

/** A page: a path of this site, and a query with its `?`, or ''. */
export interface PageTarget {
  path: string
  search: string
}

/** Parses the key under which a page is stored: its path, with its query if it has one. */
export function targetOf(key: string): PageTarget {
  const at = key.indexOf('?')
  return at < 0 ? { path: key, search: '' } : { path: key.slice(0, at), search: key.slice(at) }
}

type Destination =
  | { kind: 'page'; target: PageTarget; rules: KnownPage }
  | { kind: 'redirect'; to: string }
  | { kind: 'not found'; path: string }

/** Pages have plain paths: no escapes, no empty, dot or underscore segments. */
const PAGE_PATH = /^(\/|(\/[A-Za-z0-9][\w.-]*)+)$/

/**
 * Parses the target of a request: the page and the part of its query that its rendering reads,
 * normalised. `isPage` decides which paths the site has.
 */
export function destinationOf(url: string, isPage: (path: string) => boolean): Destination {
  const [, path = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? []
  if (path !== '/' && path.endsWith('/') && PAGE_PATH.test(path.slice(0, -1))) {
    const search = query === '' ? '' : `?${new URLSearchParams(query)}`
    return { kind: 'redirect', to: path.slice(0, -1) + search }
  }
  const rules = path.length <= 200 && PAGE_PATH.test(path) ? rulesOf(path) : undefined
  if (!rules || !isPage(path)) return { kind: 'not found', path }
  const search = query === '' ? '' : rules.search(new URLSearchParams(query))
  return { kind: 'page', target: { path: rules.path, search }, rules }
}

/** Pages that are sent in place of one that does not exist, fails, or has to wait. */
type Substitute = '404' | 'error' | 'busy'

/** The path of a page with this name, in the language of another path: `/fr/shop` → `/fr/404`. */
export function siblingOf(path: string, name: Substitute): string {
  return pathIn(splitPath(path).locale, `/${name}`)
}
