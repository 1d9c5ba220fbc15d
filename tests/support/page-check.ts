import type { Page } from 'playwright'
import { expect } from 'vitest'
import { violationsInBoth } from './axe.ts'
import { expectComplete, expectNoOverflow } from './reading.ts'
import type { Persona } from './stage.ts'

/** Waits until no table is reloading, which dims it. */
export async function untilTablesLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('table[aria-busy="true"]'))
}

/** Searches the list of the page, and waits until it shows what was found. */
export async function searchList(page: Page, words: string): Promise<void> {
  await page.getByRole('main').getByRole('searchbox').fill(words)
  await page.waitForURL(({ searchParams }) => searchParams.get('q') === words)
  await untilTablesLoaded(page)
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
