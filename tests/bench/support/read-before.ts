import { setTimeout as delay } from 'node:timers/promises'

/** A page that is read again is recompressed to its smallest size in the background, one a second. */
const READERS = 3
/** How often, and how many times in a row, a body must have the same size to count as the smallest. */
const AGAIN_MS = 100
const TIMES = 15

/**
 * Reads pages as earlier visitors would, so that a visitor's first visit is measured and not a
 * page's: the first readers of a page get it compressed quickly, a tenth larger.
 */
export async function warmUpPages(origin: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (let n = 0; n < READERS; n++) await sizeOf(origin + path)
    const sizes: number[] = []
    while (sizes.length < TIMES || new Set(sizes.slice(-TIMES)).size > 1) {
      await delay(AGAIN_MS)
      sizes.push(await sizeOf(origin + path))
    }
  }
}

/** The bytes of a page's body as it is sent. */
async function sizeOf(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'br' } })
  await answer.arrayBuffer()
  return Number(answer.headers.get('content-length'))
}
