import type { Page } from 'playwright'
import type { Locale } from '../../../src/i18n/locales.ts'
import { open } from '../scene-steps.ts'

/** Tokens of people of the demo shop. */
export interface Cast {
  /** A customer with 60 dinars, two documents, and three in the cart of which one is owned. */
  readonly parent: string
  /** A customer with 5 dinars, and more than that in the cart. */
  readonly poor: string
  /** Has documents, sales, and a payout. */
  readonly teacher: string
  readonly administrator: string
}

/** One screen, or one dialog over a screen, and how to get there. */
export interface Scene {
  readonly name: string
  /** A page as it opens, neither a state of it nor a dialog: the everyday tests visit no other. */
  readonly isPage?: boolean
  /** The person who is logged in; nobody by default. */
  readonly as?: keyof Cast
  /** Exists only in the narrow layout of its page, or only in the wide one. */
  readonly only?: 'phone' | 'wide'
  /** The selector of this scene's own part of the screen, if the rest belongs to another scene. */
  readonly part?: string
  /** Leaves the page in that state; `page` is that of a visitor with nothing stored but a token. */
  show(page: Page, locale: Locale): Promise<void>
}

/** A scene that takes steps to get to. */
export const scene = (
  name: string,
  more: Omit<Scene, 'name' | 'show'>,
  show: Scene['show'],
): Scene => ({ name, ...more, show })

export const plain = (name: string, path: string, as?: keyof Cast, part?: string): Scene => ({
  name,
  isPage: part === undefined,
  ...(as && { as }),
  ...(part && { part }),
  show: (page, locale) => open(page, locale, path),
})
