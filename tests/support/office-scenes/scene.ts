import type { Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'

/** Tokens of the office for staff of the demo shop. */
export interface OfficeCast {
  /** Has documents, sales, and a payout. */
  readonly teacher: string
  readonly administrator: string
}

/** One screen of the office, or one dialog over a screen, and how a visitor's page gets there. */
export interface OfficeScene {
  readonly name: string
  /** Who is logged in; nobody unless named. */
  readonly as?: keyof OfficeCast
  /** What exists only below 1024 px. */
  readonly only?: 'phone'
  /** Leaves the page in that state; `page` is that of a visitor with nothing saved but a token. */
  show(page: Page, locale: Locale): Promise<void>
}
