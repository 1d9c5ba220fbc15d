import type { Page } from 'playwright'
import { expect } from 'vitest'
import { violationsInBoth } from './axe.ts'
import { expectComplete, expectNoOverflow } from './reading.ts'
import type { Persona } from './stage.ts'

/** Waits until no table is reloading, which dims it. */
export async function untilTablesLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('table[aria-busy="true"]'))
}

/**
 * Returns a function that checks a page once its tables are loaded: no axe violations in light and
 * dark, no missing text, and no sideways scroll.
 */
export const pageCheckFor =
  ({ locale, viewport }: Pick<Persona, 'locale' | 'viewport'>) =>
  async (page: Page): Promise<void> => {
    await untilTablesLoaded(page)
    await expectComplete(page, locale)
    expect(await violationsInBoth(page)).toEqual([])
    await expectNoOverflow(page)
    await page.setViewportSize(viewport)
  }
