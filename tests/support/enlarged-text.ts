import type { Page } from 'playwright'
import { expect } from 'vitest'
import { DESKTOP, PHONE } from './browser.ts'
import { clientOf } from './page-pool.ts'
import { renderOffscreen } from './scene-steps.ts'

/** What browsers call 100 %, in pixels. */
const STANDARD_SIZE = 16
const FIXED_SIZE = 13

interface Size {
  readonly width: number
  readonly height: number
}

/** Shows the page as a browser does whose text is so many percent of the usual size. */
async function enlargeText(page: Page, percent: number): Promise<void> {
  const size = (STANDARD_SIZE * percent) / 100
  // Not in a session of its own, after which the page would be of no use to the next visitor.
  await clientOf(page).send('Page.setFontSizes', { fontSizes: { standard: size, fixed: size } })
  await renderOffscreen(page)
}

/** Shows the page in this size, also one of a phone, which would show a wider page in a smaller scale. */
async function resize(page: Page, { width, height }: Size): Promise<void> {
  const screen = { width, height, mobile: false, deviceScaleFactor: 1 }
  await clientOf(page).send('Emulation.setDeviceMetricsOverride', screen)
}

/** Shows the page in the usual size again, for the next visitor. */
async function usualText(page: Page): Promise<void> {
  const fontSizes = { standard: STANDARD_SIZE, fixed: FIXED_SIZE }
  await clientOf(page).send('Page.setFontSizes', { fontSizes })
  // Playwright sends the screen's measures again only when they change.
  const { width, height } = page.viewportSize() ?? DESKTOP
  await page.setViewportSize({ width, height: height + 1 })
  await page.setViewportSize({ width, height })
}

/** Expects the page to fit with text of 200 % at both sizes, or at one. */
export async function expectFitsDoubled(page: Page, only?: 'phone' | 'wide'): Promise<void> {
  const sizes = { phone: PHONE, wide: DESKTOP }
  await expectFitsEnlarged(page, 200, only ? [sizes[only]] : [PHONE, DESKTOP])
}

/**
 * Expects the page to fit with text of so many percent of the usual size: no sideways scroll, no
 * text over another, and no control beside the page.
 */
export async function expectFitsEnlarged(
  page: Page,
  percent: number,
  sizes: readonly Size[] = [page.viewportSize() ?? DESKTOP],
): Promise<void> {
  await enlargeText(page, percent)
  try {
    for (const size of sizes) {
      await resize(page, size)
      const where = `at ${percent} % and ${size.width} px`
      expect(await page.evaluate(tooWide), where).toEqual([])
      expect(await page.evaluate(overlaps), where).toEqual([])
    }
  } finally {
    await usualText(page)
  }
}

/** The elements, from the outside in, without which the page would be less wide than it is. */
function tooWide(): string[] {
  const [root = document.documentElement, inner = document.body] = [
    ...document.querySelectorAll<HTMLElement>('dialog[open], [popover]:popover-open'),
  ].flatMap((over) => (over.scrollWidth > over.clientWidth ? [over, over] : []))
  const excess = () => root.scrollWidth - root.clientWidth
  const before = excess()
  const isToBlame = (element: HTMLElement) => {
    const { display } = element.style
    element.style.setProperty('display', 'none', 'important')
    const after = excess()
    element.style.display = display
    return after < before
  }
  const path: string[] = []
  let inside = inner
  while (before > 0) {
    const next = ([...inside.children] as HTMLElement[]).find(isToBlame)
    if (!next) return [`${before} px`, ...path]
    path.push(`${next.tagName}.${next.className}`)
    inside = next
  }
  return path
}

/** Texts that are drawn over others or stick out of a fixed bar, and controls beside the page. */
function overlaps(): string[] {
  // Covers are drawings; the others are not read by eyes, or cover the page for a moment.
  const UNREAD = '.skip, .toast, .cover, [aria-hidden="true"], .visually-hidden'
  const parents = function* (element: Element) {
    for (let each: Element | null = element; each; each = each.parentElement) yield each
  }
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest(UNREAD) &&
    !parents(element).some((each) => getComputedStyle(each).clipPath !== 'none')
  /** What floats covers the page on purpose, so that it is a layer of its own. */
  const isOver = (element: Element) => {
    const { position, boxShadow } = getComputedStyle(element)
    return /fixed|sticky/.test(position) || (position === 'absolute' && boxShadow !== 'none')
  }
  const layerOf = (element: Element) =>
    parents(element).find((each) => each.matches('dialog, [popover]') || isOver(each)) ??
    document.body

  /** What the boxes around an element that hide their overflow leave to see of it. */
  function shownPart(element: Element) {
    const part = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity }
    for (const each of parents(element)) {
      const { overflowX, overflowY } = getComputedStyle(each)
      const { left, right, top, bottom } = each.getBoundingClientRect()
      if (overflowY !== 'visible') {
        part.top = Math.max(part.top, top)
        part.bottom = Math.min(part.bottom, bottom)
      }
      if (overflowX === 'visible') continue
      part.left = Math.max(part.left, left)
      part.right = Math.min(part.right, right)
    }
    return part
  }

  const lines: { text: string; box: DOMRect; layer: Element }[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    const text = node.textContent?.trim() ?? ''
    if (text === '' || !parent || !isSeen(parent)) continue
    const shown = shownPart(parent)
    const layer = layerOf(parent)
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const box of range.getClientRects()) {
      const isShown =
        box.width > 1 &&
        box.top + box.height / 2 < shown.bottom &&
        box.bottom - box.height / 2 > shown.top &&
        box.left < shown.right &&
        box.right > shown.left
      if (!isShown) continue
      const left = Math.max(box.left, shown.left)
      const seen = new DOMRect(left, box.top, Math.min(box.right, shown.right) - left, box.height)
      lines.push({ text, box: seen, layer })
    }
  }
  lines.sort((one, other) => one.box.top - other.box.top)
  const wrong: string[] = []
  for (const { text, box, layer } of lines) {
    const { position, overflowY } = getComputedStyle(layer)
    if (position !== 'fixed' || overflowY !== 'visible') continue
    if (box.bottom > layer.getBoundingClientRect().bottom + 1) wrong.push(`below its bar: ${text}`)
  }
  for (const [at, { text, box, layer }] of lines.entries()) {
    for (const next of lines.slice(at + 1)) {
      if (next.box.top >= box.bottom) break
      if (next.layer !== layer) continue
      // Runs of two directions in one line.
      if (next.text === text && Math.abs(next.box.top - box.top) < 3) continue
      const across = Math.min(box.right, next.box.right) - Math.max(box.left, next.box.left)
      const down = Math.min(box.bottom, next.box.bottom) - next.box.top
      if (across > 2 && down > Math.min(box.height, next.box.height) / 3) {
        wrong.push(`“${text.slice(0, 40)}” over “${next.text.slice(0, 40)}”`)
      }
    }
  }

  const width = document.documentElement.clientWidth
  for (const control of document.querySelectorAll('a[href], button, input, select, textarea')) {
    if (!isSeen(control)) continue
    if (parents(control).some((each) => getComputedStyle(each).overflowX !== 'visible')) continue
    const { left, right } = control.getBoundingClientRect()
    if (right - left > 1 && (left < -1 || right > width + 1)) {
      wrong.push(
        `beside the page: ${control.className} ${control.textContent?.trim().slice(0, 40)}`,
      )
    }
  }
  return wrong
}

/** Expects no word of the page to be broken, with text of so many percent of the usual size. */
export async function expectWholeWords(page: Page, percent: number): Promise<void> {
  await enlargeText(page, percent)
  try {
    expect(await page.evaluate(brokenWords), `at ${percent} %`).toEqual([])
  } finally {
    await usualText(page)
  }
}

/** Words on two lines, of those that need at most so much of the page's width; addresses may be. */
function brokenWords(): string[] {
  const MOST = 0.4
  const ADDRESSES = '[dir="ltr"], [href^="mailto:"], code, pre, input, textarea, select'
  const UNREAD = '.cover, .visually-hidden, [aria-hidden="true"], script, style, svg'
  const broken = new Set<string>()
  const range = document.createRange()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!parent?.checkVisibility({ visibilityProperty: true })) continue
    if (parent.closest(`${ADDRESSES}, ${UNREAD}`) || parent.getBoundingClientRect().width <= 1)
      continue
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[\p{L}\p{M}@.]{2,}/gu)) {
      if (/@|\.\p{L}/u.test(word)) continue
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const parts = [...range.getClientRects()].filter(({ width }) => width > 1)
      const lines = new Set(parts.map(({ top }) => Math.round(top)))
      const width = parts.reduce((sum, part) => sum + part.width, 0)
      if (lines.size < 2 || width > innerWidth * MOST) continue
      broken.add(`on two lines: ${word} in ${parent.tagName}.${parent.className}`)
    }
  }
  return [...broken]
}
