import { LANGUAGES } from './languages.ts'
import { safeReturnTo } from './return-to.ts'

const OFFICE_PATH = new RegExp(`^/(?:(?:${LANGUAGES.join('|')})/)?office(?:[/?#]|$)`)

/** Where to go back to in the office: a path of its own, or the fallback where the value is another's. */
export function officeReturnTo(value: unknown, fallback: string): string {
  const path = safeReturnTo(value, fallback)
  return OFFICE_PATH.test(path) ? path : fallback
}
