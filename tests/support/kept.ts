import type { Page } from 'playwright'
import { expect } from 'vitest'
import { PATIENCE } from './patience.ts'

/** Requests that fail offline are also console errors. */
export const CUT_ERRORS = [
  /ERR_INTERNET_DISCONNECTED/,
  /ERR_FAILED/,
  /Transition was aborted/,
  /status of 503/,
]

export const eventually = <T>(look: () => Promise<T>) => expect.poll(look, PATIENCE)

/** The URLs of all that the browser keeps, by cache name. */
export const allKept = (page: Page) =>
  page.evaluate(async () => {
    const kept: Record<string, string[]> = {}
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys()
      kept[name] = requests.map(({ url }) => url.replace(location.origin, ''))
    }
    return kept
  })

/** Opens no cache: one that is deleted meanwhile would be created again, empty. */
export const cacheNames = (page: Page) => page.evaluate(() => caches.keys())

/** Waits until the worker controls the page, from its second visit on. */
export async function untilControlled(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

/** Waits until the reader shows a kept page. */
export async function untilReadingKept(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.images].some(({ src, naturalWidth }) => /^blob:/.test(src) && naturalWidth > 0),
  )
}
