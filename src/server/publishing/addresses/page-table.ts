import { queryOf, readFilters } from '../../../contract/shop-filters.ts'
import { splitPath } from '../../../i18n/paths.ts'
import { CATALOGUE_TAG, documentTag, TEACHERS_TAG, teacherTag } from '../../../rules/page-tags.ts'

/** What is to be known of a page before it is rendered, by the path that its languages share. */
export interface PageRules {
  /** Such as `/shop`, or `/shop-details/:id` with a whole number in the place of `:id`. */
  readonly page: string
  /** The part of a query that its rendering reads, in its one spelling with a `?`; else '': none. */
  readonly search?: (query: URLSearchParams) => string
  /** The tags that change when a page that does not exist comes to be; `:id` is the address's. */
  readonly missing?: readonly string[]
  /** A step of paying: it is answered under whatever load, from a reserve of its own. */
  readonly isPaymentStep?: true
}

/** A page that is not named here knows no query and is rendered within the budget of visitors. */
const PAGES: readonly PageRules[] = [
  { page: '/shop', search: (query) => queryOf(readFilters(query)) },
  { page: '/shop-details/:id', missing: [documentTag(':id'), CATALOGUE_TAG] },
  { page: '/teacher-details/:id', missing: [teacherTag(':id'), TEACHERS_TAG] },
  { page: '/payment/transfer/:reference', isPaymentStep: true },
  { page: '/payment/sandbox/:reference', isPaymentStep: true },
]

/** Calls that are steps of paying, as the table above says of pages. */
const PAYMENT_CALLS = /^\/api\/(?:orderss\/(?:payment\/|[^/?]+\/initiate(?=[/?]|$))|payments\/)/

const PARAMETERS: Readonly<Record<string, string>> = {
  ':id': '([1-9]\\d{0,8})',
  ':reference': '([^/]+)',
}

const known = PAGES.map((rules) => ({
  rules,
  path: new RegExp(`^${rules.page.replace(/:\w+/, (name) => PARAMETERS[name] ?? name)}$`),
}))
/** Directories whose pages have a number: any other address below them is none. */
const numbered = PAGES.flatMap(({ page }) => (page.endsWith(':id') ? [page.slice(0, -3)] : []))

/** What the table says of one address. */
export interface KnownPage {
  readonly search: (query: URLSearchParams) => string
  /** The tags that end a "there is no such page"; none where that must not be remembered. */
  readonly missing: readonly string[]
  readonly isPaymentStep: boolean
}

const PLAIN: KnownPage = { search: () => '', missing: [], isPaymentStep: false }

/** Looks a path up, in whichever language; undefined if no such page can be. */
export function rulesOf(pathname: string): KnownPage | undefined {
  const { path } = splitPath(pathname)
  for (const { rules, path: pattern } of known) {
    const found = pattern.exec(path)
    if (!found) continue
    const { search = PLAIN.search, missing = [], isPaymentStep = false } = rules
    const tags = missing.map((tag) => tag.replace(':id', found[1] ?? ''))
    return { search, missing: tags, isPaymentStep }
  }
  return numbered.some((directory) => path.startsWith(directory)) ? undefined : PLAIN
}

/** Whether a request is a step of paying, which is never shed: a page or a call. */
export function isPaymentStep(url: string): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return PAYMENT_CALLS.test(path) || rulesOf(path)?.isPaymentStep === true
}
