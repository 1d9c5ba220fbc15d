// @everyday: every page once, in Arabic on a phone or in French on a desktop.

import { describe, expect, test } from 'vitest'
import { RUN } from '../support/amount.ts'
import { violations, violationsInBoth } from '../support/axe.ts'
import { DESKTOP, newVisitor } from '../support/browser.ts'
import { expectFitsDoubled } from '../support/enlarged-text.ts'
import { PATIENCE } from '../support/patience.ts'
import {
  expectComplete,
  expectNoOverflow,
  expectReadable,
  NARROW_AND_WIDE,
} from '../support/reading.ts'
import { untilAnimationsEnd } from '../support/scene-steps.ts'
import { visitorOf } from '../support/scenes/cast.ts'
import type { Scene } from '../support/scenes/scene.ts'
import { SCENE_FAULTS, SCENES } from '../support/scenes/scenes.ts'
import { ARABIC, castOf, FRENCH, LOOKS_AT_ALL, sharedShop } from '../support/stage.ts'
import { smallTargets } from '../support/targets.ts'

const shop = sharedShop()
const cast = castOf(shop)

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

describe.each(people)('$who', ({ locale, viewport, size }) => {
  const isPhone = size === 'phone'
  const person = people.findIndex((each) => each.size === size)
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
      if (RUN !== 'everyday') await expectFitsDoubled(page, scene.only)
    },
  )
})

test('the check itself detects a button without a name and text with too little contrast', async () => {
  const { page } = await newVisitor(shop.url, { locale: 'ar' })
  await page.goto('/login')
  for (const [colorScheme, color] of [
    ['light', '#ddd'],
    ['dark', '#333'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate((color) => {
      const pale = document.createElement('p')
      pale.textContent = 'نصّ شاحب'
      pale.className = 'pale'
      pale.style.color = color
      document.querySelector('main .panel')?.append(document.createElement('button'), pale)
    }, color)
    const found = (await violations(page)).join('\n')
    expect(found).toContain('button-name')
    expect(found).toMatch(/color-contrast: [^:]*\.pale/)
  }
})

test('the check itself detects a target that is too small, and none in a sentence', async () => {
  const { page } = await newVisitor(shop.url)
  await page.goto('/faq')
  expect(await smallTargets(page)).toEqual([])
  await page.evaluate(() => {
    const place = document.querySelector('main h1')?.parentElement
    for (const [name, words] of [
      ['alone', ''],
      ['told', 'جملة فيها '],
    ] as const) {
      const text = document.createElement('p')
      const link = document.createElement('a')
      Object.assign(link, { href: '/', className: name, textContent: 'رابط' })
      text.append(words, link)
      place?.append(text)
    }
  })
  expect(await smallTargets(page)).toEqual([expect.stringContaining('A.alone')])
})

test('the check itself reads content far below the screen', async () => {
  const { page } = await newVisitor(shop.url, { locale: 'ar' })
  await page.goto('/')
  await expectComplete(page, 'ar')
  await page.evaluate(() => {
    const far = document.createElement('div')
    far.textContent = 'common:rating.none'
    far.style.marginBlockStart = '9000px'
    far.style.contentVisibility = 'auto'
    document.querySelector('main')?.append(far)
    document.adoptedStyleSheets = []
  })
  await expect
    .poll(() => page.evaluate(() => document.body.innerText), PATIENCE)
    .not.toContain('common:rating.none')
  await expect(expectComplete(page, 'ar')).rejects.toThrow('not to match')
})

test('with forced colours, buttons, covers and spines keep a border', async () => {
  const { page } = await newVisitor(shop.url, { viewport: DESKTOP })
  await page.emulateMedia({ forcedColors: 'active' })
  for (const path of ['/', '/shop', '/shop-details/1', '/register']) {
    await page.goto(path)
    const bare = await page.evaluate(() => {
      const shapes = document.querySelectorAll(
        'main :is(.button, .cover, .spine, .badge, .pill > span)',
      )
      return [...shapes]
        .filter((shape) => shape.checkVisibility())
        .filter((shape) => {
          const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor } =
            getComputedStyle(shape)
          const isDrawn = borderTopStyle !== 'none' && Number.parseFloat(borderTopWidth) >= 1
          return !isDrawn || borderTopColor === backgroundColor
        })
        .map((shape) => shape.className)
    })
    expect(bare, path).toEqual([])
  }
})
