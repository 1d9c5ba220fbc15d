import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { pathIn } from '../../src/i18n/paths.ts'
import { SITE } from '../../src/site.ts'
import { DESKTOP, PHONE, visitor } from '../support/browser.ts'
import { SCENE_FAULTS, SCENES, visitorOf } from '../support/scenes.ts'
import { openStage } from '../support/stage.ts'
import { said } from '../support/texts.ts'

const stage = openStage()

/** Where a price lies on the screen: whether its number reads on, and its currency's side. */
interface Seen {
  text: string
  isNumberInOrder: boolean
  currencySide: 'left' | 'right'
}

/** Every visible price of the page. */
function prices(page: Page): Promise<Seen[]> {
  return page.evaluate(() => {
    const box = (node: Node, start: number, end: number) => {
      const range = document.createRange()
      range.setStart(node, start)
      range.setEnd(node, end)
      return range.getBoundingClientRect()
    }
    return [...document.querySelectorAll('bdi.price')].flatMap((price) => {
      const [number, currency] = price.children
      const digits = number?.firstChild
      if (!digits?.textContent || !currency || !price.checkVisibility()) return []
      const lefts = [...digits.textContent].map((_, at) => box(digits, at, at + 1).left)
      const isNumberInOrder = lefts.every((left, at) => at === 0 || left > (lefts[at - 1] ?? 0))
      const isLeft = currency.getBoundingClientRect().left < (lefts[0] ?? 0)
      return {
        text: price.textContent ?? '',
        isNumberInOrder,
        currencySide: isLeft ? 'left' : 'right',
      } as const
    })
  })
}

/**
 * Runs of text that must read from left to right wherever they stand, and do not: amounts inside
 * sentences, telephone numbers, e-mail addresses, percentages.
 */
function disordered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const RUNS = /\+216[\d ]+\d|[\w.]+@[\w.]+\w|\d+[.,]\d\d|−\d+%/g
    const wrong: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.checkVisibility()) continue
      for (const { 0: run, index } of (node.textContent ?? '').matchAll(RUNS)) {
        const boxes = [...run].map((_, at) => {
          const range = document.createRange()
          range.setStart(node, index + at)
          range.setEnd(node, index + at + 1)
          return range.getBoundingClientRect()
        })
        const isInOrder = boxes.every(({ left, top }, at) => {
          const before = boxes[at - 1]
          return !before || left > before.left || top > before.top + 4
        })
        if (!isInOrder) wrong.push(run)
      }
    }
    return wrong
  })
}

/** What a page says in words of its own: seen, or spoken in place of a picture. */
function wordsOfThePage(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // What people wrote has a direction of its own; names of languages are in these languages.
    const FOREIGN =
      'bdi, [dir="auto"], [dir="ltr"], [lang]:not(html), .cover, iframe, script, style'
    const said: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      if (parent?.checkVisibility() && !parent.closest(FOREIGN)) said.push(node.textContent ?? '')
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-label']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        if (!element.closest('[lang]:not(html)')) said.push(element.getAttribute(name) ?? '')
      }
    }
    // Isolated in a sentence: a title, a number.
    return said.map((text) => text.replace(/\u2068[^\u2069]*\u2069/g, '').trim())
  })
}

/** Formats and names that have no Arabic letters. */
const LATIN_NAMES = /\b(?:PDF|OpenStreetMap|cookies)\b/g

const people = [
  { locale: 'ar', viewport: PHONE, size: 'phone', side: 'left' },
  { locale: 'fr', viewport: DESKTOP, size: 'wide', side: 'right' },
] as const

describe.each(people)(
  'what is read on the screen in $locale',
  ({ locale, viewport, size, side }) => {
    test.each(SCENES.filter(({ only }) => only === undefined || only === size))(
      '$name: prices, telephone numbers and addresses in order; words of one language',
      async (scene) => {
        const someone = await visitorOf(scene, stage.cast, stage.shop.url, {
          locale,
          viewport,
          allowed: SCENE_FAULTS,
        })
        const { page } = someone
        await scene.show(page, locale)
        for (const price of await prices(page)) {
          expect(price).toMatchObject({ isNumberInOrder: true, currencySide: side })
        }
        expect(await disordered(page)).toEqual([])
        if (locale === 'ar') {
          const latin = (await wordsOfThePage(page)).filter((text) =>
            /[a-zà-ÿ]{2,}/i.test(text.replace(LATIN_NAMES, '')),
          )
          expect(latin).toEqual([])
        }
        await someone.leave()
      },
    )

    test('the footer’s telephone numbers and address read from left to right', async () => {
      const someone = await visitor(stage.shop.url, { locale, viewport })
      const { page } = someone
      await page.goto(pathIn(locale, '/shop'))
      const footer = page.locator('footer')
      for (const text of [...SITE.phones, SITE.email]) {
        const shown = footer.locator('bdi[dir="ltr"]', { hasText: text })
        const [first, last] = await shown.evaluate((element) => {
          const node = element.firstChild
          const length = node?.textContent?.length ?? 0
          return [0, length - 1].map((at) => {
            const range = element.ownerDocument.createRange()
            if (node) range.setStart(node, at)
            if (node) range.setEnd(node, at + 1)
            return range.getBoundingClientRect().left
          })
        })
        expect(first).toBeLessThan(last ?? 0)
      }
      await someone.leave()
    })
  },
)

const mixed = [
  { locale: 'fr', title: 'تمارين SVT (bac)', direction: 'rtl' },
  { locale: 'ar', title: 'Python : تمارين (bac)', direction: 'ltr' },
] as const

test.each(mixed)(
  'the toast shows $title in its own direction ($locale)',
  async ({ locale, title, direction }) => {
    const document = await stage.shop.aDocument({ title })
    const someone = await visitor(stage.shop.url, { locale, viewport: DESKTOP })
    const { page } = someone
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await page.locator('main .add-to-cart button:visible').first().click()
    await page
      .getByRole('button', { name: said(locale, 'cart:overlays.anonymous.continue') })
      .click()
    await page.getByRole('button', { name: said(locale, 'cart:overlays.walletIntro.ok') }).click()
    const shown = page.locator('.toast [dir="auto"]')
    await shown.waitFor()
    const { first, last, edges } = await shown.evaluate((element) => {
      const node = element.firstChild as Text
      const left = (at: number) => {
        const range = element.ownerDocument.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        return range.getBoundingClientRect().left
      }
      const all = element.ownerDocument.createRange()
      all.selectNodeContents(element)
      const [text, box] = [all.getBoundingClientRect(), element.getBoundingClientRect()]
      return {
        first: left(0),
        last: left(node.length - 1),
        edges: { left: Math.abs(text.left - box.left), right: Math.abs(text.right - box.right) },
      }
    })
    // Its first letter and its closing bracket are at the two ends, in the title's direction …
    if (direction === 'rtl') expect(first).toBeGreaterThan(last)
    else expect(first).toBeLessThan(last)
    // … and the whole of it at the page's starting edge.
    expect(locale === 'ar' ? edges.right : edges.left).toBeLessThan(2)
    await someone.leave()
  },
)
