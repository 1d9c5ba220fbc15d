import type { Locale } from './locales.ts'
import { pathIn } from './paths.ts'

/** The URL of the office's log-in, which leads back to `returnTo`. */
export function officeLogIn(locale: Locale, returnTo: string): string {
  return `${pathIn(locale, '/office/login')}?${new URLSearchParams({ returnTo })}`
}
