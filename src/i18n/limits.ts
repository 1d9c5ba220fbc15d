import { MAX_TOP_UP, MIN_TOP_UP } from '../rules/top-up.ts'
import { fillText, limitText } from './format.ts'
import type { Locale } from './locales.ts'

/** Writes the shop's limits into a text that names them, such as `{{minimumTopUp}}`. */
export function fillLimits(locale: Locale, text: string): string {
  return fillText(text, {
    minimumTopUp: limitText(locale, MIN_TOP_UP),
    maximumTopUp: limitText(locale, MAX_TOP_UP),
  })
}
