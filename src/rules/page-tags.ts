/**
 * The tags with which pages are cached (`Astro.cache.set({ tags })`) and by which changes are
 * announced. `server/database/migrations/ratings.ts` repeats the tags of a rating in SQL.
 */

/** Pages that depend only on the build and the shop's settings. */
export const SITE_TAG = 'site'
/** Lists of documents: what is for sale, its prices, ratings and sales. */
export const CATALOGUE_TAG = 'catalogue'
/** Levels, subjects and the other fixed names. */
export const REFERENCE_TAG = 'reference'
export const TEACHERS_TAG = 'teachers'
/** The dates of tests. */
export const CALENDAR_TAG = 'calendar'

/** The tag of the facts in head and footer, which every page of the shop has implicitly. */
export const EVERY_PAGE_TAG = 'every-page'

export const sitePageTag = (name: string): string => `site-page:${name}`
export const documentTag = (id: number | string): string => `document:${id}`
export const teacherTag = (id: number | string): string => `teacher:${id}`

/**
 * Which papers a class has of a subject. `server/database/migrations/documents.ts` repeats it in SQL.
 */
export const papersTag = (classId: number, subjectId: number): string =>
  `papers:${classId}:${subjectId}`

/** The tag of a page's own path, including its query; every page has it implicitly. */
export const pathTag = (path: string): string => `path:${path}`
