import { pagesWith } from '../rules/pages.ts'
import { READER } from '../rules/reader-page.ts'

/** Public pages as of their last visit, keyed by address. */
export const PAGES_CACHE = 'pages'
/** Pages that are the same for everybody and show what a script reads: my documents, the reader, "offline". */
export const SHELLS_CACHE = 'shells'
/** Files of the build, whose names contain a hash of their content. */
export const ASSETS_CACHE = 'assets'

/** The number of public pages that are kept; the most recent ones stay. */
export const PAGES_MAX = 40
/** How many files of the build are kept, those of several builds: a page of an earlier one still finds its own. */
export const ASSETS_MAX = 400

/** How long a page may take before its kept copy is shown (ms). */
export const PATIENCE_MS = 4000

const SHELLS: readonly string[] = ['/my-documents', '/offline', READER]
const PUBLIC: ReadonlySet<string> = new Set(pagesWith('isPublic'))
const ABOUT_ONE = /^\/(?:shop-details|teacher-details|look-inside)\/\d+$/
const READ = /^\/read\/\d+$/

/** What the worker does with a page, by the path that its languages share. */
export type Keeping =
  /** Kept under this path, which is its own or, of a shell, that of all pages that it serves. */
  | { as: 'page' | 'shell'; path: string }
  /** Shown from the network alone, or "you are offline" in its place. */
  | null

/** What is kept of a page; `search` is its query with the `?`, or ''. */
export function keepingOf(path: string, search: string): Keeping {
  if (READ.test(path)) return { as: 'shell', path: READER }
  if (SHELLS.includes(path)) return { as: 'shell', path }
  if (path === '/shop') return { as: 'page', path: path + search }
  return PUBLIC.has(path) || ABOUT_ONE.test(path) ? { as: 'page', path } : null
}
