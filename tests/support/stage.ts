import { afterAll, beforeAll, test } from 'vitest'
import { RUN } from './amount.ts'
import { DESKTOP, PHONE } from './browser.ts'
import { logInCast } from './scenes/cast.ts'
import type { Cast } from './scenes/scene.ts'
import { type OpenShop, openShop } from './shop.ts'

/** Whether every screen is looked at in every language, size and colour scheme. */
export const LOOKS_AT_ALL = process.env.LOOKS === 'all'

export const ARABIC = { who: 'in Arabic on a phone', locale: 'ar', viewport: PHONE } as const
export const FRENCH = { who: 'in French on a desktop', locale: 'fr', viewport: DESKTOP } as const

/**
 * Locales and viewports of screen tests: both text directions, and both sizes. The everyday tests
 * run a journey in Arabic alone.
 */
export const PERSONAS: readonly Persona[] = RUN === 'everyday' ? [ARABIC] : [ARABIC, FRENCH]

export type Persona = typeof ARABIC | typeof FRENCH

type Journey = (name: string, run: () => Promise<void>) => void

/**
 * Journeys that are the same in Arabic on a phone and in French on a desktop, which take turns: each
 * runs once. The everyday tests run all of them in Arabic, `npm run test:long` and `LOOKS=all` in
 * both. What depends on the language or on the size is a `test.each(PERSONAS)` instead.
 */
export function journeys(title: string, define: (person: Persona, test: Journey) => void): void {
  for (const [at, person] of PERSONAS.entries()) {
    let turn = at
    define(person, (name, run) => {
      const isItsTurn = turn++ % PERSONAS.length === 0
      if (isItsTurn || RUN === 'long' || LOOKS_AT_ALL) test(`${title} ${person.who}: ${name}`, run)
    })
  }
}

/**
 * A demo shop for one test file, available from `beforeAll` on and closed after its tests; `env` is
 * its additional environment.
 */
export function shopForFile(env: Record<string, string> = {}): OpenShop {
  return openShopForFile(env)
}

/**
 * The demo shop that test files share, available from `beforeAll` on: it costs next to nothing. For
 * files that check only people and documents that they create, never the contents of a whole list.
 */
export function sharedShop(): OpenShop {
  return openShopForFile()
}

function openShopForFile(place?: Record<string, string>): OpenShop {
  const shop = {} as OpenShop
  beforeAll(async () => {
    Object.assign(shop, await openShop(place))
  })
  afterAll(async () => {
    await shop.close?.()
  })
  return shop
}

/** The cast of a test file's scenes, available from `beforeAll` on. */
export function castOf(shop: OpenShop): Cast {
  const cast = {} as Cast
  beforeAll(async () => {
    Object.assign(cast, await logInCast(shop.url))
  })
  return cast
}
