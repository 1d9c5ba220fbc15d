import type { Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'

/** Office tokens of staff of the demo shop. */
export interface OfficeCast {
  /** Has documents, sales, and a payout. */
  readonly teacher: string
  readonly administrator: string
}

/** One screen of the office, or one dialog over a screen, and how to get there. */
export interface OfficeScene {
  readonly name: string
  /** Who is logged in; nobody by default. */
  readonly as?: keyof OfficeCast
  /** Exists only below 1024 px. */
  readonly only?: 'phone'
  /** Leaves the page in that state; `page` is that of a visitor with nothing stored but a token. */
  show(page: Page, locale: Locale): Promise<void>
}
