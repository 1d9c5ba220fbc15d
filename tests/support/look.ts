import type { Page } from 'playwright'
import { expect } from 'vitest'
import { violationsInBoth } from './axe.ts'
import { expectNoOverflow, expectWhole } from './reading.ts'
import type { Someone } from './stage.ts'

/** Waits until no table is read anew: it is pale meanwhile. */
export async function untilCalm(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('table[aria-busy="true"]'))
}

/**
 * How somebody looks at a page once its tables are read: nothing for axe in light and dark, every text there, and
 * no sideways scroll.
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
