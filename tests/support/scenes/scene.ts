import type { Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { open } from '../scene-steps.ts'

/** Tokens of two customers of the demo shop. */
export interface Cast {
  /** Has 60 dinars, two documents, and three in the cart of which one is owned. */
  readonly parent: string
  /** Has 5 dinars, and more than that in the cart. */
  readonly poor: string
}

/** One screen, or one dialog over a screen, and how a visitor's page gets there. */
export interface Scene {
  readonly name: string
  /** Who is logged in; nobody unless named. */
  readonly as?: keyof Cast
  /** What exists only below 768 px, or only from there. */
  readonly only?: 'phone' | 'wide'
  /** What of the screen is this scene's own, by its selector, where the rest of it is another scene's. */
  readonly part?: string
  /** Leaves the page in that state; `page` is that of a visitor with nothing saved but a token. */
  show(page: Page, locale: Locale): Promise<void>
}

export const plain = (name: string, path: string, as?: keyof Cast, part?: string): Scene => ({
  name,
  ...(as && { as }),
  ...(part && { part }),
  show: (page, locale) => open(page, locale, path),
})
