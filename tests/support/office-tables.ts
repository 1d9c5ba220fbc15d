import type { Page } from 'playwright'

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
