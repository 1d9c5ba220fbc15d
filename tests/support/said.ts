import type { ElementHandle, Locator, Page } from 'playwright'
import { expect } from 'vitest'

// What every answer to an action has to be, wherever it is: `expectSaid`, `expectBusy`.

/** What surrounds a control and what is said about it. */
const SECTIONS = 'dialog, form, section, fieldset, li, article, details'

/** Notes where a control is, before it is pressed: its answer may take its place. */
export async function notePlace(control: Locator): Promise<void> {
  await control.evaluate((element, sections) => {
    for (const old of document.querySelectorAll('[data-pressed-in]'))
      old.removeAttribute('data-pressed-in')
    element.closest(sections)?.setAttribute('data-pressed-in', '')
  }, SECTIONS)
}

/**
 * A message that one notices where one is: all of it on the screen and under nothing, in the section of
 * the control or beside it, announced, and with the focus still there.
 */
export async function expectSaid(page: Page, text: string): Promise<void> {
  const message = page
    .locator('[role=alert], [role=status], [role=log], [aria-live]')
    .filter({ hasText: text })
    .last()
  // A toast floats: what contains it may have no size.
  await message.waitFor({ state: 'attached' })
  const look = () =>
    message.evaluate((region, words) => {
      // The innermost element with all the words.
      let element: Element = region
      for (;;) {
        const inner = [...element.children].find((child) => child.textContent?.includes(words))
        if (!inner) break
        element = inner
      }
      const box = element.getBoundingClientRect()
      const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 }
      const onTop = document.elementFromPoint(middle.x, middle.y)
      const section = document.querySelector('[data-pressed-in]')
      // Where the section has gone, such as a dialog, the page says it.
      const around =
        section?.parentElement ??
        element.closest('dialog') ??
        document.querySelector('main') ??
        document.body
      const { activeElement } = document
      const isInView =
        box.height > 0 && box.top >= 0 && Math.floor(box.bottom) <= innerHeight && box.left >= 0
      return {
        isInView: isInView && box.right <= innerWidth + 1,
        isUncovered: onTop !== null && (element.contains(onTop) || onTop.contains(element)),
        // A toast floats over wherever one is.
        isNear:
          around.contains(element) ||
          around.parentElement?.contains(element) === true ||
          element.closest('.toast') !== null,
        keepsFocus:
          activeElement !== null &&
          activeElement !== document.body &&
          (around.contains(activeElement) || element.contains(activeElement)),
      }
    }, text)
  await expect
    .poll(look)
    .toEqual({ isInView: true, isUncovered: true, isNear: true, keepsFocus: true })
}

/** Whether a control, or what it is part of, shows that an answer is awaited. */
export const isBusy = (control: ElementHandle<HTMLElement>): Promise<boolean> =>
  control.evaluate(
    (element) => element.matches(':disabled') || element.closest('[aria-busy=true]') !== null,
  )
