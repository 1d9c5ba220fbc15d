// @everyday: a browser's text of 150 and 200 %, on the pages that people use most.

import type { Page } from 'playwright'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { newVisitor } from '../support/browser.ts'
import { lostEllipses } from '../support/ellipsis.ts'
import { expectFitsEnlarged, expectWholeWords } from '../support/enlarged-text.ts'
import { visitorOf } from '../support/scenes/cast.ts'
import { SCENE_FAULTS, SCENES } from '../support/scenes/scenes.ts'
import { ARABIC, castOf, FRENCH, sharedShop } from '../support/stage.ts'

const shop = sharedShop()
const cast = castOf(shop)

const PAGES = [
  ...['home', 'shop', 'details', 'teacher', 'teachers', 'login', 'register', 'checkout'],
  ...['charging', 'my-documents', 'account', 'chat', 'order-invoice'],
  ...['office-documents', 'office-payouts', 'office-people', 'office-transfers'],
]
const scenes = SCENES.filter(({ name }) => PAGES.includes(name))

test('every page that is named is a scene', () => {
  expect(scenes.map(({ name }) => name).toSorted()).toEqual(PAGES.toSorted())
})

describe.each([ARABIC, FRENCH])('$who', ({ locale, viewport }) => {
  test.each(scenes)('$name fits with enlarged text', async (scene) => {
    const allowed = SCENE_FAULTS
    const { page } = await visitorOf(scene, cast, shop.url, { locale, viewport, allowed })
    await scene.show(page, locale)
    for (const percent of [150, 200]) await expectFitsEnlarged(page, percent)
    await expectWholeWords(page, 150)
  })
})

test('the check itself detects a page that is too wide, and text over text', async () => {
  const { page } = await newVisitor(shop.url, { at: '/login' })
  const add = (style: string) =>
    page.evaluate((style) => {
      const text = document.createElement('p')
      text.textContent = 'كرّاس كرّاس'
      text.style.cssText = style
      document.querySelector('main h1')?.after(text)
    }, style)
  await add('inline-size: 45rem')
  await expect(expectFitsEnlarged(page, 200)).rejects.toThrow('px')
  await page.goto('/login')
  await add('margin-block-start: -3em')
  await expect(expectFitsEnlarged(page, 200)).rejects.toThrow('over')
})

/** The deepest tails and the highest marks of Arabic letters. */
const LETTERS = 'يجعم أثفّ'

/** Writes `LETTERS` into as many lines as a cut text may have; returns where it is. */
function writeLetters(page: Page, at: number) {
  return page.evaluate(
    ([at, letters]) => {
      const text = document.querySelectorAll<HTMLElement>('.clamp, .one-line')[at]
      if (!text?.checkVisibility() || text.clientHeight === 0) return null
      const { webkitLineClamp } = getComputedStyle(text)
      const lines = text.matches('.clamp') ? Number(webkitLineClamp) : 1
      text.textContent = Array(lines).fill(letters).join('\n')
      text.style.whiteSpace = 'pre'
      text.style.color = 'black'
      text.scrollIntoView({ block: 'center' })
      const { x, y, width, height } = text.getBoundingClientRect()
      return { x: Math.max(0, x), y: Math.max(0, y - 8), width, height: height + 16 }
    },
    [at, LETTERS] as const,
  )
}

function setOverflow(page: Page, at: number, overflow: 'visible' | ''): Promise<void> {
  return page.evaluate(
    ([at, overflow]) => {
      const text = document.querySelectorAll<HTMLElement>('.clamp, .one-line')[at]
      text?.style.setProperty('overflow', overflow, 'important')
    },
    [at, overflow] as const,
  )
}

type Clip = { x: number; y: number; width: number; height: number }

/** A picture of a part of the page once two in a row are alike: its font may still be coming. */
async function still(page: Page, clip: Clip): Promise<Buffer> {
  for (let last = await page.screenshot({ clip }); ; ) {
    const next = await page.screenshot({ clip })
    if (next.equals(last)) return next
    last = next
  }
}

/** How much a pixel's colour may change (of 255) where a box is only drawn again. */
const DRAWN_AGAIN = 16

/** Whether two pictures of the same size show the same, as an eye sees it. */
async function isAlike(one: Buffer, other: Buffer): Promise<boolean> {
  const difference = sharp(one)
    .composite([{ input: other, blend: 'difference' }])
    .removeAlpha()
  const { channels } = await sharp(await difference.png().toBuffer()).stats()
  return channels.every(({ max }) => max <= DRAWN_AGAIN)
}

/** Whether a text looks otherwise when nothing is cut, on a page that is the same before and after. */
async function isCut(page: Page, at: number, clip: Clip): Promise<boolean> {
  for (;;) {
    const before = await still(page, clip)
    await setOverflow(page, at, 'visible')
    const whole = await still(page, clip)
    await setOverflow(page, at, '')
    if (await isAlike(before, await still(page, clip))) return !(await isAlike(before, whole))
  }
}

/** The classes of texts on a page whose letters look otherwise when nothing is cut. */
async function cutTexts(page: Page): Promise<string[]> {
  const classes = await page.evaluate(() =>
    [...document.querySelectorAll('.clamp, .one-line')].map(({ className }) => className),
  )
  const cut: string[] = []
  for (const [at, name] of classes.entries()) {
    if (classes.indexOf(name) !== at) continue
    const clip = await writeLetters(page, at)
    if (!clip) continue
    if (await isCut(page, at, clip)) cut.push(name)
  }
  return cut
}

test.each(['home', 'shop', 'my-documents', 'wishlist', 'chat', 'office-documents'])(
  'no letter is cut in Arabic: %s',
  async (name) => {
    const scene = SCENES.find((each) => each.name === name)
    if (!scene) throw new Error(`no scene ${name}`)
    const { page } = await visitorOf(scene, cast, shop.url, {
      locale: 'ar',
      viewport: ARABIC.viewport,
      allowed: SCENE_FAULTS,
    })
    await scene.show(page, 'ar')
    expect(await cutTexts(page)).toEqual([])
  },
)

test('the check itself detects a box that is tighter than its letters', async () => {
  const { page } = await newVisitor(shop.url, { at: '/' })
  await page.evaluate(() => {
    for (const text of document.querySelectorAll<HTMLElement>('.card__title')) {
      text.style.lineHeight = '1.4'
      text.style.padding = '0'
    }
  })
  expect((await cutTexts(page)).join()).toContain('card__title')
})

test.each(
  [ARABIC, FRENCH].flatMap(({ locale, viewport }) =>
    ['home', 'shop', 'details', 'wishlist', 'office-documents'].map((name) => ({
      name,
      locale,
      viewport,
    })),
  ),
)('a text against the direction of the page is cut with a sign: $name, $locale', async (given) => {
  const { name, locale, viewport } = given
  const scene = SCENES.find((each) => each.name === name)
  if (!scene) throw new Error(`no scene ${name}`)
  const allowed = SCENE_FAULTS
  const { page } = await visitorOf(scene, cast, shop.url, { locale, viewport, allowed })
  await scene.show(page, locale)
  expect(await lostEllipses(page, locale, (clip) => still(page, clip))).toEqual([])
})

test('the check itself detects a sign that is cut off', async () => {
  const { page } = await newVisitor(shop.url, { at: '/' })
  await page.evaluate(() => {
    for (const text of document.querySelectorAll<HTMLElement>('.card__title')) {
      text.style.padding = '0'
    }
  })
  const lost = await lostEllipses(page, 'ar', (clip) => still(page, clip))
  expect(lost.join()).toContain('card__title')
})
