import type { Page } from 'playwright'
import { expect } from 'vitest'
import { PATIENCE } from './patience.ts'

/** What fails without a network is said in the console as well. */
export const CUT = [/ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/, /Transition was aborted/]

export const within = <T>(look: () => Promise<T>) => expect.poll(look, PATIENCE)

/** All that the browser keeps, by the names of its caches. */
export const allKept = (page: Page) =>
  page.evaluate(async () => {
    const kept: Record<string, string[]> = {}
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys()
      kept[name] = requests.map(({ url }) => url.replace(location.origin, ''))
    }
    return kept
  })

/** Opens none of them: a cache that is removed meanwhile would come back, empty. */
export const cacheNames = (page: Page) => page.evaluate(() => caches.keys())

/** Has a page answered by the worker, from its second visit on. */
export async function untilControlled(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

/** Waits until a kept page is shown in the reader. */
export async function untilReadsKept(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.images].some(({ src, naturalWidth }) => /^blob:/.test(src) && naturalWidth > 0),
  )
}
