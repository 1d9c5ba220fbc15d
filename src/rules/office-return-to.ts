import { LANGUAGES } from './languages.ts'
import { safeReturnTo } from './return-to.ts'

const OFFICE_PATH = new RegExp(`^/(?:(?:${LANGUAGES.join('|')})/)?office(?:[/?#]|$)`)

/** The path to return to in the office; the fallback if the value is not an office path. */
export function officeReturnTo(value: unknown, fallback: string): string {
  const path = safeReturnTo(value, fallback)
  return OFFICE_PATH.test(path) ? path : fallback
}
