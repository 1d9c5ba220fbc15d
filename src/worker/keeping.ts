import { ID_PATTERN, NUMBERED_PAGES, READER } from '../rules/numbered-pages.ts'
import { pagesWith } from '../rules/pages.ts'

/** Public pages as of their last visit, keyed by path. */
export const PAGES_CACHE = 'pages'
/**
 * Pages that are the same for everyone and show data that a script reads: my documents, the reader,
 * "offline".
 */
export const SHELLS_CACHE = 'shells'
/** Files of the build, whose names contain a hash of their content. */
export const ASSETS_CACHE = 'assets'

/** The maximum number of kept public pages; the most recent ones stay. */
export const PAGES_MAX = 40
/**
 * The maximum number of kept files. It covers several builds, so that a page of an earlier build
 * still finds its files.
 */
export const ASSETS_MAX = 400

/** How long a page may take before its kept copy is shown (ms). */
export const PATIENCE_MS = 4000

const SHELLS: readonly string[] = ['/my-documents', '/offline', READER]
const PUBLIC: ReadonlySet<string> = new Set(pagesWith('isPublic'))
const ABOUT_ONE = new RegExp(`^(${Object.values(NUMBERED_PAGES).join('|')})/${ID_PATTERN}$`)

/** What the worker does with a page. */
export type Keeping =
  /** Kept under this path: its own or, for a shell, the common path of all pages that it serves. */
  | { as: 'page' | 'shell'; path: string }
  /** Not kept: shown only from the network, or else "you are offline". */
  | null

/**
 * Whether and how a page is kept. `path` is without its language; `search` is its query with the
 * `?`, or ''.
 */
export function keepingOf(path: string, search: string): Keeping {
  const page = ABOUT_ONE.exec(path)?.[1]
  if (page === NUMBERED_PAGES.reader) return { as: 'shell', path: READER }
  if (SHELLS.includes(path)) return { as: 'shell', path }
  if (path === '/shop') return { as: 'page', path: path + search }
  return PUBLIC.has(path) || page ? { as: 'page', path } : null
}
