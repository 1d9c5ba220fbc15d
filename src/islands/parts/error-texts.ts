import type { TextsAt } from '../../i18n/text-keys.ts'

/** `errors:codes` of locales: a sentence for each code of a failed call. */
export type ErrorTexts = TextsAt<'errors:codes'>
