import { NUMBERED_PAGES } from './numbered-pages.ts'

/**
 * The path under which the reader's page is cached, as if for document 0. The page is the same for
 * every document: its island reads the id from the URL.
 */
export const READER = `${NUMBERED_PAGES.reader}/0` as const
