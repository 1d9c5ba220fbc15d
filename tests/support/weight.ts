import { brotliCompressSync } from 'node:zlib'
import type { CDPSession, Page } from 'playwright'

/** The budget of a first visit in Arabic on a phone. */
interface Budget {
  /** On the wire, headers included. */
  bytes: number
  /** The part of it for scripts before any interaction. */
  script: number
  elements: number
  /**
   * Work of the main thread until the network is idle, and its longest task, in units of standard
   * work (`trace.ts`).
   */
  work: number
  longest: number
}

/** For the pages on which buyers arrive, and the checkout with an item. */
export const FIRST_VISIT_BUDGETS: Readonly<Record<string, Budget>> = {
  // With the two portraits of teachers, which Chromium fetches ahead on a line that it takes for slow.
  // Every page has the element of the class that a browser remembers, some 100 bytes of script,
  // and the dot of news some 110 bytes and 7 elements.
  // A cart keeps the bundle of a document, some 40 bytes of script; the checkout prices it, some 1 KB.
  // A link's code is kept for a purchase, some 130 bytes of script and 45 for the dialog that buys with it; the
  // checkout takes it, some 2.4 KB.
  '/': { bytes: 70_320, script: 15_080, elements: 1008, work: 8, longest: 3 },
  '/shop': { bytes: 67_500, script: 15_770, elements: 732, work: 8, longest: 2.5 },
  // Documents and teachers with the ways to send them on, some 1.1 KB, bundles some 200 bytes; teachers with
  // the way to follow them, some 1.1 KB.
  '/shop-details/1': { bytes: 67_000, script: 15_170, elements: 542, work: 7, longest: 1.8 },
  '/teachers': { bytes: 66_950, script: 14_880, elements: 434, work: 5, longest: 1.8 },
  // Counts visits by the teacher's link, 160 bytes of script.
  '/teacher-details/1': { bytes: 68_450, script: 16_380, elements: 588, work: 6, longest: 2 },
  '/faq': { bytes: 58_880, script: 14_880, elements: 418, work: 4.5, longest: 1.8 },
  // An order says by which link its buyer came, some 100 bytes.
  '/checkout': { bytes: 162_080, script: 113_950, elements: 372, work: 10, longest: 6 },
}

/**
 * The bytes of each office page, including the data of a teacher who has sold. The heaviest are the
 * first page and a document's, whose form names every subject and class, and finds the paper of a correction; 1 KB of it is Astro's own
 * script around islands, and 1 KB the requests for the sender of files, which it shares with customers' photos.
 */
export const OFFICE_FIRST_VISIT_MAX_BYTES = 146 * 1024

/**
 * The bytes that the reader's page may load before the image of its first page: `npm run bench
 * reader`.
 */
export const READER_SHELL_MAX_BYTES = 60 * 1024

/** The cost of a first visit, in bytes on the wire. */
export interface Weight {
  total: number
  /** Script files as received, and the page's inline scripts compressed like the page. */
  script: number
  /** URL and bytes, heaviest first. */
  files: [string, number][]
}

/**
 * Returns a function that opens a path on a page and weighs everything it loads until the network
 * is idle, except URLs that match `without`. The session is the page's own, and its cache is empty
 * or off.
 */
export async function pageWeigher(
  page: Page,
  session: CDPSession,
  without: string[] = [],
): Promise<(path: string) => Promise<Weight>> {
  await session.send('Network.setBlockedURLs', { urls: without })
  const requests = new Map<string, { url: string; isScript: boolean }>()
  let files: [string, number][] = []
  let script = 0
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    requests.set(requestId, { url: response.url, isScript: type === 'Script' })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId)
    if (!request || request.url.startsWith('data:')) return
    // The first loads after the page, for later pages; the icon is added below.
    if (/\/offline\.[^/]*\.js$|\/favicon\.svg$/.test(request.url)) return
    files.push([request.url, encodedDataLength])
    if (request.isScript) script += encodedDataLength
  })
  return async (path) => {
    files = []
    script = 0
    await page.goto(path, { waitUntil: 'networkidle' })
    files.push(await page.evaluate(icon))
    const inline = await page
      .locator('script:not([src]):not([type="application/ld+json"], [type="speculationrules"])')
      .allTextContents()
    return {
      total: files.reduce((sum, [, bytes]) => sum + bytes, 0),
      script: script + brotliCompressSync(inline.join('\n')).length,
      files: files.toSorted(([, a], [, b]) => b - a),
    }
  }
}

/**
 * The URL and bytes of the page's icon, which headless browsers load in some visits only; runs in
 * the page.
 */
async function icon(): Promise<[string, number]> {
  const { href } = document.querySelector('link[rel=icon]') as HTMLLinkElement
  await (await fetch(href)).arrayBuffer()
  const [entry] = performance.getEntriesByName(href) as PerformanceResourceTiming[]
  return [href, entry?.transferSize ?? 0]
}
