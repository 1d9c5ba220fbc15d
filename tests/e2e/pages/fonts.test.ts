import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import {
  DESKTOP,
  newVisitor,
  PHONE,
  type Visitor,
  type VisitorOptions,
  withoutCache,
} from '../../support/browser.ts'
import { sharedShop } from '../../support/stage.ts'
import { hold } from '../../support/steps.ts'

const shop = sharedShop()

const people = [
  {
    who: 'in Arabic on a phone',
    locale: 'ar',
    viewport: PHONE,
    files: ['arabic', 'latin'],
  },
  { who: 'in French on a desktop', locale: 'fr', viewport: DESKTOP, files: ['latin'] },
] as const

const SLOW = { effectiveType: '4g', downlink: 1.5 }

/** A visitor whose browser reports its connection: `navigator.connection`. */
async function visitorOn(line: object, options: VisitorOptions): Promise<Visitor> {
  const visitor = await newVisitor(shop.url, options)
  await withoutCache(visitor.page)
  await visitor.page.addInitScript(
    (line) => Object.defineProperty(navigator, 'connection', { value: line }),
    line,
  )
  return visitor
}

/** The font files that the page requested, in alphabetical order. */
async function requested(page: Page): Promise<string[]> {
  const addresses = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  )
  return addresses.flatMap((address) => /readex-(\w+)\./.exec(address)?.[1] ?? []).sort()
}

const family = (page: Page) => page.evaluate(() => getComputedStyle(document.body).fontFamily)
const expectShopFont = (page: Page) => expect.poll(() => family(page)).toMatch(/^"Readex Pro"/)

describe.each(people)('the fonts $who', ({ locale, viewport, files }) => {
  const path = pathIn(locale, '/login')

  test.each([SLOW, { ...SLOW, downlink: 10 }])(
    'load once the first page is painted, and apply from the next one, on %j',
    async (line) => {
      const { page } = await visitorOn(line, { locale, viewport })
      const release = await hold(page, /readex-/)
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      expect(await family(page)).toMatch(/^"Readex Fallback"/)
      expect(await page.evaluate(() => localStorage.getItem('font'))).toBeNull()
      const height = () => page.evaluate(() => document.documentElement.scrollHeight)
      const before = await height()
      release()
      await expectShopFont(page)
      expect(await requested(page)).toEqual(files)
      const times = await page.evaluate(() => {
        const [paint] = performance.getEntriesByName('first-contentful-paint')
        const fonts = performance
          .getEntriesByType('resource')
          .filter(({ name }) => /readex-/.test(name))
        return {
          paint: paint?.startTime ?? Number.NaN,
          fonts: fonts.map(({ startTime }) => startTime),
        }
      })
      expect(Math.min(...times.fonts)).toBeGreaterThanOrEqual(times.paint)
      // The letters are as wide as before.
      expect(Math.abs((await height()) / before - 1)).toBeLessThan(0.1)

      await page.goto(pathIn(locale, '/register'))
      expect(await family(page)).toMatch(/^"Readex Pro"/)
    },
  )

  test('are not loaded when the visitor saves data', async () => {
    const { page } = await visitorOn({ ...SLOW, saveData: true }, { locale, viewport })
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(await family(page)).toMatch(/^system-ui/)
    expect(await requested(page)).toEqual([])
  })

  test('load without scripts', async () => {
    const { page } = await newVisitor(shop.url, { locale, viewport, javaScriptEnabled: false })
    const font = page.waitForRequest(/readex-latin/)
    await page.goto(path)
    await font
  })
})
