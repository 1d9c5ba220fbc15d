import { afterAll, beforeAll, test } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { DESKTOP, PHONE } from './browser.ts'
import { callCast } from './scenes/cast.ts'
import type { Cast } from './scenes/scene.ts'
import { type OpenShop, openShop } from './shop.ts'

/** Whom screens are tested for: both directions of reading, and both sizes. */
export const PEOPLE = [
  { who: 'in Arabic on a phone', locale: 'ar', viewport: PHONE },
  { who: 'in French on a desktop', locale: 'fr', viewport: DESKTOP },
] as const

export type Someone = (typeof PEOPLE)[number]

/**
 * A `test` for what neither a language nor a size changes: those whom a file tests for, each by its
 * language, take turns with such tests. In `npm run test:long`, and with `LOOKS=all`, each has them all.
 */
export function inTurn(
  locale: Locale,
  locales: readonly Locale[] = PEOPLE.map((someone) => someone.locale),
): (name: string, run: () => Promise<void>) => void {
  const own = locales.indexOf(locale)
  const isEverybodys = process.env.TESTS_LONG !== undefined || process.env.LOOKS === 'all'
  let turn = 0
  return (name, run) => {
    const isOwn = turn++ % locales.length === own
    if (isOwn || isEverybodys) test(name, run)
  }
}

/**
 * A demo shop of a test file's own, there from `beforeAll` on and closed after its tests; `env` is its
 * environment beyond the usual one.
 */
export function shopForFile(env: Record<string, string> = {}): OpenShop {
  return openedForFile(env)
}

/**
 * The demo shop that test files share, there from `beforeAll` on: it costs next to nothing. For a file that looks at people and documents of its own making, never at what
 * a whole list shows.
 */
export function sharedShop(): OpenShop {
  return openedForFile()
}

function openedForFile(own?: Record<string, string>): OpenShop {
  const shop = {} as OpenShop
  beforeAll(async () => {
    Object.assign(shop, await openShop(own))
  })
  afterAll(async () => {
    await shop.close?.()
  })
  return shop
}

/** Who plays in the scenes of a test file, there from `beforeAll` on. */
export function castOf(shop: OpenShop): Cast {
  const cast = {} as Cast
  beforeAll(async () => {
    Object.assign(cast, await callCast(shop.url))
  })
  return cast
}
