import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { Locale } from '../../src/i18n/locales.ts'
import { renderOffscreen } from './scene-steps.ts'

/**
 * How a price is laid out on the screen: whether its number reads left to right, and its currency's
 * side.
 */
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
    return [...document.querySelectorAll(':is(bdi, s).price')].flatMap((price) => {
      // Its number, then its currency: in an element each, or in one text.
      const walker = document.createTreeWalker(price, NodeFilter.SHOW_TEXT)
      const characters: { text: string; left: number }[] = []
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const [at, text] of [...(node.textContent ?? '')].entries()) {
          if (text.trim()) characters.push({ text, left: box(node, at, at + 1).left })
        }
      }
      const end = characters.findLastIndex(({ text }) => /\d/.test(text)) + 1
      const currency = characters[end]
      if (end === 0 || !currency || !price.checkVisibility()) return []
      const lefts = characters.slice(0, end).map(({ left }) => left)
      const isNumberInOrder = lefts.every((left, at) => at === 0 || left > (lefts[at - 1] ?? 0))
      const isLeft = currency.left < (lefts[0] ?? 0)
      return {
        text: price.textContent ?? '',
        isNumberInOrder,
        currencySide: isLeft ? 'left' : 'right',
      } as const
    })
  })
}

/**
 * Runs of text that must read from left to right anywhere, and do not: amounts inside sentences,
 * telephone numbers, e-mail addresses, percentages.
 */
function misorderedRuns(page: Page): Promise<string[]> {
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

/** The words of a page's own texts: visible, or alternative texts of pictures. */
function pageWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // Texts of people have their own direction; names of languages are in these languages.
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
    return said.map((text) => text.replace(/[\u2066\u2068][^\u2069]*\u2069/g, '').trim())
  })
}

/** Formats and names that are written in Latin letters. */
const LATIN_NAMES = /\b(?:PDF|JSON|PNG|JPEG|HEIC|WebP|ZIP|CSV|RIB|IBAN|OpenStreetMap|cookies)\b/g

/**
 * Expects text on the page to be in reading order: prices, telephone numbers and addresses from
 * left to right with the currency on the language's side, and no words in Latin letters on an
 * Arabic page, other than names of people and documents in the labels of the office (`hasNames`).
 */
export async function expectReadable(
  page: Page,
  locale: Locale,
  { hasNames = false } = {},
): Promise<void> {
  const side = locale === 'ar' ? 'left' : 'right'
  await renderOffscreen(page)
  const [seen, wrong] = await Promise.all([prices(page), misorderedRuns(page)])
  for (const price of seen) {
    expect(price).toMatchObject({ isNumberInOrder: true, currencySide: side })
  }
  expect(wrong).toEqual([])
  if (locale !== 'ar' || hasNames) return
  const latin = (await pageWords(page)).filter((text) =>
    /[a-zà-ÿ]{2,}/i.test(text.replace(LATIN_NAMES, '')),
  )
  expect(latin).toEqual([])
}

const TEXT_KEY = /\b[a-z]+:[a-z]+(?:\.[a-zA-Z]+)+\b/
const MISSING_VALUE = /undefined|\[object|NaN/
/** Keys and values that should have been replaced by words. */
export const MISSING_TEXT = new RegExp(`${TEXT_KEY.source}|${MISSING_VALUE.source}`)

/**
 * Expects a page in its language and direction, with at most one heading and no missing texts.
 * `isOnTexts`: it is about the interface's texts, and shows their keys and slots (`{{name}}`).
 */
export async function expectComplete(
  page: Page,
  locale: Locale,
  { isOnTexts = false } = {},
): Promise<void> {
  await renderOffscreen(page)
  const { text, ...rest } = await page.evaluate(() => {
    const { lang, dir } = document.documentElement
    const headings = document.querySelectorAll('h1').length
    return { lang, dir, headings, text: document.body.innerText }
  })
  expect(rest).toMatchObject({ lang: locale, dir: locale === 'ar' ? 'rtl' : 'ltr' })
  expect(rest.headings).toBeLessThanOrEqual(1)
  expect(text).not.toMatch(isOnTexts ? MISSING_VALUE : MISSING_TEXT)
  if (!isOnTexts) expect(text).not.toContain('{{')
}

/** A desktop, a tablet, that desktop at a zoom of 200 %, a phone, the narrowest phone. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 640, height: 400 },
  { width: 360, height: 740 },
  { width: 320, height: 640 },
]

/** The widths between which layouts change. */
export const NARROW_AND_WIDE = SIZES.filter(({ width }) => width === 320 || width === 768)

/** Expects the page, and what is open over it, to fit at these sizes, without sideways scroll. */
export async function expectNoOverflow(page: Page, sizes = SIZES): Promise<void> {
  for (const size of sizes) {
    if (page.viewportSize()?.width !== size.width) await page.setViewportSize(size)
    const overflow = await page.evaluate(() => {
      const open = document.querySelectorAll(
        'dialog[open], [popover]:popover-open, .toast:not([hidden])',
      )
      const wide = [document.documentElement, ...open].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      )
      return Math.max(...wide)
    })
    expect(overflow, `at ${size.width}`).toBeLessThanOrEqual(0)
  }
}
