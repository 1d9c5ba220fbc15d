import { expect, test } from 'vitest'
import { RUN } from './amount.ts'
import { violations, violationsInBoth } from './axe.ts'
import { expectFitsDoubled } from './enlarged-text.ts'
import { expectComplete, expectNoOverflow, expectReadable, NARROW_AND_WIDE } from './reading.ts'
import { untilAnimationsEnd } from './scene-steps.ts'
import { visitorOf } from './scenes/cast.ts'
import type { Scene } from './scenes/scene.ts'
import { SCENE_FAULTS, SCENES } from './scenes/scenes.ts'
import { ARABIC, castOf, FRENCH, LOOKS_AT_ALL, sharedShop } from './stage.ts'
import { smallTargets } from './targets.ts'

/**
 * Scenes that together contain everything a page can have: checked in both colour schemes at both
 * sizes, as `LOOKS=all` does for every scene. The other scenes are checked in light colours on a
 * phone or in dark colours on a desktop, since colours depend on no language; the distance between
 * targets is measured where there is least room; and what surrounds every page is skipped, and so
 * is what lies behind a scene that covers only a part of its screen.
 */
const WHOLE = ['home', 'shop', 'details-owned', 'checkout', 'chat', 'login']

/** Scenes of the page frame itself, which other scenes skip. */
const IN_FRAME = ['home-logged-in', 'search-suggestions', 'language-picker']

const isWhole = ({ name, only }: Scene) =>
  LOOKS_AT_ALL || only !== undefined || WHOLE.includes(name)

const isOffice = ({ as }: Scene) => as === 'teacher' || as === 'administrator'

/** Scenes about the interface's texts, and the log, which names the texts that were changed. */
const ON_TEXTS = /^office-(site-page|interface-texts|conversation-canned|log$)/

const people = [
  { ...ARABIC, size: 'phone' },
  { ...FRENCH, size: 'wide' },
] as const

/**
 * Whether a person visits a scene. Each scene is visited once, with the languages taking turns, and
 * the shop's before a change lands by both; the everyday tests visit only pages as they open.
 */
function isVisited(scene: Scene, at: number, person: number): boolean {
  const { isPage, only } = scene
  if (only !== undefined && only !== people[person]?.size) return false
  if (RUN === 'everyday' && !isPage) return false
  if (RUN === 'long' || LOOKS_AT_ALL || only || (RUN === 'landing' && !isOffice(scene))) return true
  return at % people.length === person
}

/** Visits each scene of a person: a file for each, so that two workers share them. */
export function lookAtScreens(size: (typeof people)[number]['size']): void {
  const shop = sharedShop()
  const cast = castOf(shop)
  const person = people.findIndex((each) => each.size === size)
  const { locale, viewport } = size === 'phone' ? ARABIC : FRENCH
  const isPhone = size === 'phone'
  test.each(SCENES.filter((scene, at) => isVisited(scene, at, person)))(
    '$name: complete and in reading order; no axe violations; no sideways scroll, with text of 200 % either',
    async (scene) => {
      const { page } = await visitorOf(scene, cast, shop.url, {
        locale,
        viewport,
        allowed: SCENE_FAULTS,
      })
      await scene.show(page, locale)
      await untilAnimationsEnd(page)
      await expectReadable(page, locale, { hasNames: isOffice(scene) })
      await expectComplete(page, locale, { isOnTexts: ON_TEXTS.test(scene.name) })
      const part = LOOKS_AT_ALL ? undefined : scene.part
      if (isWhole(scene)) {
        expect(await violationsInBoth(page, { part })).toEqual([])
      } else {
        await page.emulateMedia({ colorScheme: isPhone ? 'light' : 'dark' })
        const withoutFrame = !IN_FRAME.includes(scene.name)
        const looks = { withoutTargets: !isPhone, withoutFrame, part }
        expect(await violations(page, looks)).toEqual([])
      }
      expect(await smallTargets(page, part)).toEqual([])
      // Words are longest in French.
      await expectNoOverflow(page, isPhone ? NARROW_AND_WIDE : undefined)
      // The shop's scenes are visited in French as well, with both sizes.
      const only = scene.only ?? (isPhone && !isOffice(scene) ? 'phone' : undefined)
      if (RUN !== 'everyday') await expectFitsDoubled(page, only)
    },
  )
}
