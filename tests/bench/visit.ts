import { setTimeout as delay } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright'
import { fillCart } from '../support/kept-cart.ts'
import { withPhone } from './support/chromium.ts'
import { type CountingLine, countingLine } from './support/counting-line.ts'
import { type Bench, KB, type Row } from './support/part.ts'
import { warmUpPages } from './support/read-before.ts'

const PAGES = [
  { name: 'home', path: '/', most: 4 },
  { name: 'shop', path: '/shop', most: 7 },
  { name: 'shop by level', path: '/shop?level=high-school', most: 7 },
  { name: 'details', path: '/shop-details/3', most: 7 },
  { name: 'another document', path: '/shop-details/7', most: 2 },
  { name: 'a third', path: '/shop-details/12', most: 2 },
  { name: 'a fourth', path: '/shop-details/20', most: 2 },
  { name: 'teacher', path: '/teacher-details/2', most: 7 },
  { name: 'faq', path: '/faq', most: 7 },
  { name: 'checkout', path: '/checkout' },
] as const
/** How long no byte may arrive before a page counts as complete, so that deferred fetches are counted too. */
const QUIET_MS = 1500

/** The bytes of ten pages visited one after another with one cache. */
export async function rows(bench: Bench): Promise<Row[]> {
  const { url } = await bench.openShop()
  await warmUpPages(
    url,
    PAGES.map(({ path }) => path),
  )
  const line = await countingLine(url)
  bench.onEnd(() => line.close())
  const found: Row[] = []
  for (const hasDictionaries of [true, false]) {
    const pages = await withPhone({ hasDictionaries }, (page, session) =>
      visit(page, session, line),
    )
    const suffix = hasDictionaries ? 'with dictionaries' : 'without'
    const sum = (count: number) => pages.slice(0, count).reduce((all, { bytes }) => all + bytes, 0)
    found.push(
      {
        id: 'P12',
        what: `nine pages of the catalogue, ${suffix}`,
        value: sum(9) / KB,
        unit: 'KB',
        most: hasDictionaries ? 90 : 200,
        note: `the first ${(sum(1) / KB).toFixed(1)} KB`,
      },
      {
        id: 'P12',
        what: `all ten, ${suffix}`,
        value: sum(10) / KB,
        unit: 'KB',
        most: hasDictionaries ? 225 : 290,
      },
    )
    if (!hasDictionaries) continue
    for (const [at, { name, ...page }] of PAGES.entries()) {
      const visited = pages[at]
      if (at === 0 || !visited) continue
      found.push({
        id: 'P12',
        what: `${name}: the page itself`,
        value: visited.html / KB,
        unit: 'KB',
        ...('most' in page && { most: page.most }),
        note: `${visited.encoding}; with headers and all else ${(visited.bytes / KB).toFixed(1)} KB`,
      })
    }
  }
  return found
}

interface Visited {
  /** All bytes from the shop, headers included. */
  bytes: number
  /** The bytes of the page's own body. */
  html: number
  encoding: string
}

async function visit(page: Page, session: CDPSession, line: CountingLine): Promise<Visited[]> {
  let request = ''
  let headers = 0
  let html = 0
  let encoding = ''
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type !== 'Document') return
    request = requestId
    headers = response.encodedDataLength
    encoding = header(response.headers, 'content-encoding')
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (requestId === request) html = encodedDataLength - headers
  })
  const visited: Visited[] = []
  for (const { path } of PAGES) {
    if (path === '/checkout') await fillCart(page)
    const before = line.bytes()
    await page.goto(line.url + path, { waitUntil: 'networkidle' })
    await untilQuiet(line)
    visited.push({ bytes: line.bytes() - before, html, encoding })
  }
  return visited
}

async function untilQuiet(line: CountingLine): Promise<void> {
  let before = -1
  while (line.bytes() !== before) {
    before = line.bytes()
    await delay(QUIET_MS)
  }
}

function header(headers: Readonly<Record<string, string>>, name: string): string {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
}
