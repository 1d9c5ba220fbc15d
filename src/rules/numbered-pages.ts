/** The pages about one thing; its id is the last part of their path: `/shop-details/12`. */
export const NUMBERED_PAGES = {
  document: '/shop-details',
  sample: '/look-inside',
  teacher: '/teacher-details',
  reader: '/read',
} as const

export type NumberedPage = keyof typeof NUMBERED_PAGES

/** The path of such a page, without its language. */
export type NumberedPath = `${(typeof NUMBERED_PAGES)[NumberedPage]}/${number}`

/** The source of a regular expression for the id in a path, in a group. */
export const ID_PATTERN = '([1-9]\\d{0,8})'

export function numberedPath(page: NumberedPage, id: number): NumberedPath {
  return `${NUMBERED_PAGES[page]}/${id}`
}

/** The source of a regular expression for the paths of such a page; its group is the id. */
export function numberedPattern(page: NumberedPage): string {
  return `${NUMBERED_PAGES[page]}/${ID_PATTERN}`
}

/**
 * The path under which the reader's page is cached, as if for document 0. The page is the same for
 * every document: its island reads the id from the URL.
 */
export const READER = `${NUMBERED_PAGES.reader}/0` as const
