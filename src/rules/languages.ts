/**
 * The languages of the shop. Arabic comes first: it is the default, and its pages are at the root.
 */
export const LANGUAGES = ['ar', 'fr', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
export const [DEFAULT_LANGUAGE] = LANGUAGES
