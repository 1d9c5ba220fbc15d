import { pathIn, splitPath } from '../../i18n/paths.ts'
import type { PageTarget } from './site.ts'

/** Where a request for a page goes. */
export type Destination =
  | { kind: 'page'; target: PageTarget }
  | { kind: 'redirect'; to: string }
  | { kind: 'not found'; path: string }

/** What campaigns add to links; no page reads it. */
const TRACKING =
  /^(utm_.*|fbclid|gclid|gbraid|wbraid|dclid|msclkid|twclid|ttclid|igshid|mc_[ce]id|_g[al])$/

/** Pages have plain paths: no escapes, no empty, dot or underscore segments. */
const PAGE_PATH = /^(\/|(\/[A-Za-z0-9][\w.-]*)+)$/

/** Reads the target of a request: the page and the part of its query that can matter to it. */
export function destinationOf(url: string): Destination {
  const [, path = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? []
  const search = meaningfulSearch(query)
  if (path !== '/' && path.endsWith('/') && PAGE_PATH.test(path.slice(0, -1))) {
    return { kind: 'redirect', to: path.slice(0, -1) + search }
  }
  if (path.length > 200 || !PAGE_PATH.test(path)) return { kind: 'not found', path }
  return { kind: 'page', target: { path, search } }
}

function meaningfulSearch(query: string): string {
  if (query === '') return ''
  const parameters = new URLSearchParams(query)
  for (const name of [...parameters.keys()]) if (TRACKING.test(name)) parameters.delete(name)
  return parameters.size > 0 ? `?${parameters}` : ''
}

/** The path of a page of this name, in the language of another path: `/fr/shop` → `/fr/404`. */
export function siblingOf(path: string, name: '404' | 'error'): string {
  return pathIn(splitPath(path).locale, `/${name}`)
}
