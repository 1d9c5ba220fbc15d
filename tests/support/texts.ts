import type { Locale } from '../../src/i18n/locales.ts'
import { type TextKey, textIn } from '../../src/i18n/texts.ts'

export type { TextKey }

/** The keys within a group, without its prefix: `KeyIn<'cart:add'>` includes `add`. */
export type KeyIn<Group extends string> = {
  [Key in TextKey]: Key extends `${Group}${':' | '.'}${infer Rest}` ? Rest : never
}[TextKey]

/** A text as a visitor sees it: `uiText('ar', 'cart:add.add')`; throws if it is missing. */
export function uiText(locale: Locale, key: TextKey): string {
  return textIn(locale, key)
}
