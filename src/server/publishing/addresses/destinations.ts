import { pathIn, splitPath } from '../../../i18n/paths.ts'
import { type KnownPage, rulesOf } from './page-table.ts'

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

/** The destination of a request for a page. */
export type Destination =
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
export type Substitute = '404' | 'error' | 'busy'

/** The path of a page with this name, in the language of another path: `/fr/shop` → `/fr/404`. */
export function siblingOf(path: string, name: Substitute): string {
  return pathIn(splitPath(path).locale, `/${name}`)
}
