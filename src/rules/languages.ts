/** The languages of the shop. Arabic comes first: it is the default, and its pages live at the root. */
export const LANGUAGES = ['ar', 'fr', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
