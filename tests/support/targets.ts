import type { Page } from 'playwright'

/** The least width and height of a target (px): WCAG 2.2, 2.5.8, without its exception for distance. */
const LEAST_PX = 24

/**
 * The controls of the page that a finger would miss: smaller than 24 × 24 px where a press reaches
 * them, and not in a sentence, whose lines bound a link's height.
 */
export function smallTargets(page: Page, within = 'html'): Promise<string[]> {
  return page.evaluate(
    ([least, within]) => {
      const TARGETS =
        'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=option], [tabindex="0"]'

      /** Whether a link is in a line with words that are not links. */
      const isInSentence = (target: Element) => {
        if (getComputedStyle(target).display !== 'inline') return false
        let block = target.parentElement
        while (block && /^(inline|contents)$/.test(getComputedStyle(block).display)) {
          block = block.parentElement
        }
        if (!block) return false
        const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
        for (let text = walker.nextNode(); text; text = walker.nextNode()) {
          const parent = text.parentElement
          const isWord = /[\p{L}\p{N}]/u.test(text.textContent ?? '')
          if (isWord && parent?.checkVisibility() && !parent.closest(TARGETS)) return true
        }
        return false
      }

      /** What is pressed at a point, by itself or by its label. */
      const pressedAt = (x: number, y: number) => {
        const hit = document.elementFromPoint(x, y)
        const target = hit?.closest(TARGETS)
        return target ?? hit?.closest('label')?.control ?? null
      }

      const small: string[] = []
      const modal = [...document.querySelectorAll('dialog:modal, :popover-open')].at(-1)
      const part = modal ?? document.querySelector(within) ?? document
      for (const target of part.querySelectorAll<HTMLElement>(TARGETS)) {
        if (!target.checkVisibility({ visibilityProperty: true })) continue
        if ((target as HTMLButtonElement).disabled) continue
        if (isInSentence(target)) continue
        const isLarge = ({ width, height }: DOMRect) => width >= least && height >= least
        const boxes = [target, ...((target as HTMLInputElement).labels ?? [])]
        if (boxes.some((box) => [...box.getClientRects()].some(isLarge))) continue
        // What is over it for the finger alone may make more of it.
        target.scrollIntoView({ block: 'center', behavior: 'instant' })
        const { left, top, width, height } = target.getBoundingClientRect()
        const [x, y] = [left + width / 2, top + height / 2]
        // Something else covers it here.
        if (pressedAt(x, y) !== target) continue
        const reach = least / 2 - 0.5
        const isReached = (dx: number, dy: number) => pressedAt(x + dx, y + dy) === target
        const sides = [-reach, 0, reach]
        if (sides.every((dx) => sides.every((dy) => isReached(dx, dy)))) continue
        const name = target.textContent?.trim().slice(0, 30) || target.ariaLabel
        const [w, h] = [Math.round(width * 10) / 10, Math.round(height * 10) / 10]
        const parent = target.parentElement
        small.push(
          `${target.tagName}.${target.className} in ${parent?.tagName}.${parent?.className}: ${w} × ${h} “${name}”`,
        )
      }
      return small
    },
    [LEAST_PX, within] as const,
  )
}
