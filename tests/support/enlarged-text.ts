import type { Page } from 'playwright'
import { expect } from 'vitest'
import { renderOffscreen } from './scene-steps.ts'

/** What browsers call 100 %, in pixels. */
const STANDARD_SIZE = 16

/** Shows the page as a browser does whose text is so many percent of the usual size. */
async function enlargeText(page: Page, percent: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const size = (STANDARD_SIZE * percent) / 100
  await session.send('Page.setFontSizes', { fontSizes: { standard: size, fixed: size } })
  // A phone shows a page that is too wide in a smaller scale, which would hide that it is.
  const phone = page.viewportSize()
  if (phone) {
    const screen = { ...phone, mobile: false, deviceScaleFactor: 1 }
    await session.send('Emulation.setDeviceMetricsOverride', screen)
  }
  // Pages learn of the size when their styles are worked out again.
  await page.emulateMedia({ forcedColors: 'active' })
  await page.emulateMedia({ forcedColors: null })
  await renderOffscreen(page)
}

/**
 * Expects the page to fit with text of so many percent of the usual size: no sideways scroll, no
 * text over another, and no control beside the page.
 */
export async function expectFitsEnlarged(page: Page, percent: number): Promise<void> {
  await enlargeText(page, percent)
  expect(await page.evaluate(tooWide), `at ${percent} %`).toEqual([])
  expect(await page.evaluate(overlaps), `at ${percent} %`).toEqual([])
}

/** The elements, from the outside in, without which the page would be less wide than it is. */
function tooWide(): string[] {
  const root = document.documentElement
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
  let inside = document.body
  while (before > 0) {
    const next = ([...inside.children] as HTMLElement[]).find(isToBlame)
    if (!next) return [`${before} px`, ...path]
    path.push(`${next.tagName}.${next.className}`)
    inside = next
  }
  return path
}

/** Texts that are drawn over others, and controls beside the page. */
function overlaps(): string[] {
  // What floats over the page covers it on purpose; covers are drawings.
  const FLOATING =
    '.skip, dialog, [popover], .toast, .cover, [aria-hidden="true"], .visually-hidden'
  const parents = function* (element: Element) {
    for (let each: Element | null = element; each; each = each.parentElement) yield each
  }
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest(FLOATING) &&
    !parents(element).some((each) => {
      const { position, clipPath } = getComputedStyle(each)
      return /fixed|sticky/.test(position) || clipPath !== 'none'
    })

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

  const lines: { text: string; box: DOMRect }[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    const text = node.textContent?.trim() ?? ''
    if (text === '' || !parent || !isSeen(parent)) continue
    const shown = shownPart(parent)
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const box of range.getClientRects()) {
      const isShown =
        box.width > 1 &&
        box.top + box.height / 2 < shown.bottom &&
        box.bottom - box.height / 2 > shown.top &&
        box.left < shown.right &&
        box.right > shown.left
      if (isShown) lines.push({ text, box })
    }
  }
  lines.sort((one, other) => one.box.top - other.box.top)
  const wrong: string[] = []
  for (const [at, { text, box }] of lines.entries()) {
    for (const next of lines.slice(at + 1)) {
      if (next.box.top >= box.bottom) break
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
