import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'

/** The focused element if it has no visible 3 px outline; null if it has. */
export function unmarkedFocus(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body || focused instanceof HTMLIFrameElement) return null
    // A card's link draws its ring around the card, a pill's radio around the pill.
    const drawn = [
      getComputedStyle(focused),
      getComputedStyle(focused, '::after'),
      focused.nextElementSibling && getComputedStyle(focused.nextElementSibling),
    ]
    const isMarked = drawn.some(
      (style) => style?.outlineStyle === 'solid' && Number.parseFloat(style.outlineWidth) >= 3,
    )
    return isMarked ? null : focused.outerHTML.slice(0, 200)
  })
}

/** Whether this element has the focus. */
export const hasFocus = (target: Locator) =>
  target.evaluate((element) => element.ownerDocument.activeElement === element)

/** Presses Tab until the target has the focus; every stop on the way must show it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < 120; stop++) {
    await page.keyboard.press('Tab')
    expect(await unmarkedFocus(page)).toBeNull()
    if (await hasFocus(target)) return
  }
  throw new Error(`Tab does not reach ${target}`)
}

/** Expects the dialog to trap the focus, pressing Tab more often than it has stops. */
export async function expectFocusTrapped(page: Page, dialog: Locator): Promise<void> {
  await dialog.waitFor()
  for (let press = 0; press < 8; press++) {
    // Between its last stop and its first one the focus is in the browser's own UI.
    const isInside = await dialog.evaluate((element) => {
      const { activeElement, body } = element.ownerDocument
      return activeElement === body || element.contains(activeElement)
    })
    expect(isInside).toBe(true)
    await page.keyboard.press('Tab')
  }
}
