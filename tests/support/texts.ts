import type { Locale } from '../../src/i18n/locales.ts'
import type { TextKey } from '../../src/i18n/text-keys.ts'
import { textIn } from '../../src/i18n/texts.ts'

export type { TextKey }

/** The rest of the keys that begin with a group: `KeyIn<'cart:add'>` has `add`. */
export type KeyIn<Group extends string> = {
  [Key in TextKey]: Key extends `${Group}${':' | '.'}${infer Rest}` ? Rest : never
}[TextKey]

/** Reads a text as a visitor sees it: `said('ar', 'cart:add.add')`; throws where there is none. */
export function said(locale: Locale, key: TextKey): string {
  return textIn(locale, key)
}
