import type { Page } from 'playwright'
import { expect } from 'vitest'
import { violationsInBoth } from './axe.ts'
import { expectNoOverflow, expectWhole } from './reading.ts'
import type { Someone } from './stage.ts'

/** Waits until no table is reloading, which dims it. */
export async function untilCalm(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('table[aria-busy="true"]'))
}

/**
 * Returns a function that checks a page once its tables are loaded: no axe violations in light and
 * dark, no missing text, and no sideways scroll.
 */
export const lookAs =
  ({ locale, viewport }: Pick<Someone, 'locale' | 'viewport'>) =>
  async (page: Page): Promise<void> => {
    await untilCalm(page)
    await expectWhole(page, locale)
    expect(await violationsInBoth(page)).toEqual([])
    await expectNoOverflow(page)
    await page.setViewportSize(viewport)
  }
