import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import type { CDPSession, Page } from 'playwright'
import { fillCart } from '../support/kept-cart.ts'
import { median } from '../support/quantiles.ts'
import { uiText } from '../support/texts.ts'
import { OLD_PHONE, type PhoneOptions, withPhone } from './support/chromium.ts'
import { type Bench, KB, type Row, row } from './support/part.ts'
import { warmUpPages } from './support/read-before.ts'

/** A proxy between a browser and a server that counts the bytes from the server. */
interface CountingLine {
  readonly url: string
  /** Bytes from the server so far, headers included. */
  readonly bytes: () => number
  close(): Promise<void>
}

/** Opens a counting proxy to a server on this machine. */
async function countingLine(to: string): Promise<CountingLine> {
  const { hostname, port } = new URL(to)
  let bytes = 0
  const sockets = new Set<Socket>()
  const server = createServer((browser) => {
    const shop = connect(Number(port), hostname)
    for (const socket of [browser, shop]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.once('close', () => sockets.delete(socket))
    }
    shop.on('data', (chunk) => (bytes += chunk.length))
    browser.pipe(shop).pipe(browser)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    // Browsers trust HTTP on this host name as they do HTTPS.
    url: `http://localhost:${typeof address === 'object' && address?.port}`,
    bytes: () => bytes,
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

const FIRST_VISITS = [
  { name: 'home', path: '/' },
  { name: 'shop', path: '/shop' },
  { name: 'details', path: '/shop-details/3' },
  { name: 'teachers', path: '/teachers' },
] as const
/** The most that a first visit may weigh, and its scripts before the first touch. */
const FIRST_VISIT_MOST = { all: 62, script: 12 }
/** The pages of one visit, in this order. */
const JOURNEY = [
  { name: 'home', path: '/' },
  { name: 'shop', path: '/shop' },
  { name: 'details', path: '/shop-details/3' },
  { name: 'another document', path: '/shop-details/7' },
  { name: 'teacher', path: '/teacher-details/2' },
  { name: 'teachers', path: '/teachers' },
  { name: 'faq', path: '/faq' },
  { name: 'about', path: '/about' },
  { name: 'shop of another level', path: '/shop?level=high-school' },
  { name: 'checkout', path: '/checkout' },
] as const
const DETAILS = '/shop-details/3'
/** How long no byte may come before a page counts as complete. */
const IDLE_MS = 3000

/** What the front costs a visitor. */
export async function rows(bench: Bench): Promise<Row[]> {
  const { url } = await bench.openShop()
  const paths = [...FIRST_VISITS, ...JOURNEY].map(({ path }) => path)
  await warmUpPages(url, [...new Set(paths)])
  const line = await countingLine(url)
  bench.onEnd(() => line.close())
  return [
    ...(await firstVisits(line)),
    ...(await journey(line)),
    ...(await firstTaps(bench, url)),
    ...chunks(bench.tree),
  ]
}

/** All bytes of a visit, and what is known of its requests. */
interface Visited {
  /** All bytes from the shop, headers included, for the page, the browser or a worker. */
  readonly bytes: number
  /** Bytes by the kind of request, as far as the page made it. */
  readonly byKind: ReadonlyMap<string, number>
  /** The page's own answer. */
  readonly document: number
  readonly encoding: string
}

/** Returns a function that opens a page and counts its bytes until the line is idle. */
function visitsOf(page: Page, session: CDPSession, line: CountingLine) {
  const answers = new Map<string, { kind: string; encoding: string }>()
  let seen: { kind: string; encoding: string; bytes: number }[] = []
  session.on('Network.responseReceived', ({ requestId, type, response: { headers } }) => {
    const name = Object.keys(headers).find((key) => key.toLowerCase() === 'content-encoding')
    answers.set(requestId, { kind: type, encoding: headers[name ?? ''] ?? 'plain' })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const answer = answers.get(requestId)
    if (answer) seen.push({ ...answer, bytes: encodedDataLength })
  })
  return async (path: string): Promise<Visited> => {
    const before = line.bytes()
    seen = []
    await page.goto(line.url + path)
    // A headless browser asks for the icon in some visits only; when it has it, this costs nothing.
    await page.evaluate(() => fetch((document.querySelector('[rel=icon]') as HTMLLinkElement).href))
    for (let last = -1; last !== line.bytes(); ) {
      last = line.bytes()
      await delay(IDLE_MS)
    }
    const byKind = new Map<string, number>()
    for (const { kind, bytes } of seen) byKind.set(kind, (byKind.get(kind) ?? 0) + bytes)
    return {
      bytes: line.bytes() - before,
      byKind,
      document: byKind.get('Document') ?? 0,
      encoding: seen.find(({ kind }) => kind === 'Document')?.encoding ?? '',
    }
  }
}

async function firstVisits(line: CountingLine): Promise<Row[]> {
  const found: Row[] = []
  const { all, script: scripts } = FIRST_VISIT_MOST
  for (const { name, path } of FIRST_VISITS) {
    const { bytes, byKind, script } = await withPhone({}, async (page, session) => {
      const visited = await visitsOf(page, session, line)(path)
      const inline = await page
        .locator('script:not([src]):not([type="application/ld+json"], [type="speculationrules"])')
        .allTextContents()
      const inlined = brotliCompressSync(inline.join('\n')).length
      return { ...visited, script: inlined + (visited.byKind.get('Script') ?? 0) }
    })
    const known = [...byKind.values()].reduce((sum, part) => sum + part, 0)
    const parts = [...byKind, ['asked for by no page', bytes - known] as const]
    const note = parts.map(([kind, part]) => `${kind} ${(part / KB).toFixed(1)}`).join(', ')
    found.push(
      row('P1', `${name}: first visit, all bytes`, bytes / KB, { most: all, unit: 'KB' }, note),
      row('P2', `${name}: script before the first touch`, script / KB, {
        most: scripts,
        unit: 'KB',
      }),
    )
  }
  return found
}

async function journey(line: CountingLine): Promise<Row[]> {
  const visits = await withPhone({}, async (page, session) => {
    const visit = visitsOf(page, session, line)
    const visited: Visited[] = []
    for (const { name, path } of JOURNEY) {
      if (name === 'checkout') await fillCart(page)
      visited.push(await visit(path))
    }
    return visited
  })
  const inKB = (bytes: number) => (bytes / KB).toFixed(1)
  const sum = (count: number) => visits.slice(0, count).reduce((all, { bytes }) => all + bytes, 0)
  const note = (bytesOf: (visited: Visited) => string) =>
    JOURNEY.map(({ name }, at) => `${name} ${bytesOf(visits[at] as Visited)}`).join(', ')
  const later = visits.slice(1).map((visit) => visit.document)
  const inBytes = (what: string, bytes: number, most: number, text: string) =>
    row('P12', what, bytes / KB, { most, unit: 'KB' }, text)
  const { document = 0, encoding = '' } = visits[3] ?? {}
  const ofDocuments = note((each) => `${inKB(each.document)} ${each.encoding}`)
  return [
    inBytes(
      'nine pages of the catalogue, all bytes',
      sum(9),
      100,
      note((each) => inKB(each.bytes)),
    ),
    inBytes('checkout, the tenth page, all bytes', visits[9]?.bytes ?? 0, 170, ''),
    inBytes('a document after a document: the page itself', document, 2, encoding),
    inBytes(
      'the largest page after the first: the page itself',
      Math.max(...later),
      8,
      ofDocuments,
    ),
  ]
}

/** How long the details page and its first tap take on an old phone with a bad line, and the tap on a good one. */
async function firstTaps(bench: Bench, url: string): Promise<Row[]> {
  const times = async (options: PhoneOptions, work: (page: Page) => Promise<number[]>) => {
    const measured: number[][] = []
    for (let n = 0; n < bench.rounds; n++) measured.push(await withPhone(options, work))
    return (at: number) => median(measured.map((one) => one[at] ?? Number.NaN))
  }
  const open = (page: Page, waitUntil: 'commit' | 'networkidle') =>
    page.goto(url + DETAILS, { waitUntil })
  const bare = await times({ ...OLD_PHONE, javaScriptEnabled: false }, async (page) => {
    await open(page, 'commit')
    return [await readable(page)]
  })
  const slow = await times(OLD_PHONE, async (page) => {
    await open(page, 'commit')
    const { tappedAt, answered } = await tapped(page)
    return [await readable(page), tappedAt, answered]
  })
  const fast = await times({}, async (page) => {
    await open(page, 'networkidle')
    const { tappedAt, answered } = await tapped(page)
    return [answered - tappedAt]
  })
  const wait = Math.round(slow(2) - slow(1))
  const note = `tapped at ${Math.round(slow(1))} ms, answered ${wait} ms later`
  const inMs = (id: string, what: string, value: number, most: number, text?: string) =>
    row(id, what, value, { most, unit: 'ms' }, text)
  return [
    inMs('P4', 'details readable, slow line, processor ÷ 4', slow(0), 1200),
    inMs('P4', 'the same without script', bare(0), 1200),
    inMs('P4', 'tap on “add to cart” as soon as it is seen: answered', slow(2), 1500, note),
    inMs('P2', 'first tap on a fast line and phone: answered after', fast(0), 100),
  ]
}

/** When the page's text was first painted, in milliseconds after the start of the visit. */
async function readable(page: Page): Promise<number> {
  // Polled from Node: with scripts off, no timer runs in the page.
  for (;;) {
    const painted = await page.evaluate(() => {
      const first = performance.getEntriesByName('first-contentful-paint')[0]
      return document.querySelector('h1') && first ? first.startTime : 0
    })
    if (painted > 0) return painted
    await delay(20)
  }
}

/**
 * Taps on the button that adds to the cart as soon as it is visible, and waits for a toast or a dialog; both
 * times in milliseconds after the start of the visit.
 */
async function tapped(page: Page): Promise<{ tappedAt: number; answered: number }> {
  const { x, y } = await page.evaluate(
    (text) =>
      new Promise<{ x: number; y: number }>((resolve) => {
        addEventListener(
          'pointerdown',
          ({ timeStamp }) => Object.assign(window, { tappedAt: timeStamp }),
          { capture: true, once: true },
        )
        const poll = () => {
          const button = [...document.querySelectorAll<HTMLElement>('main button, main a')].find(
            (one) => one.textContent?.trim().startsWith(text) && one.checkVisibility(),
          )
          // Before the first paint the layout may still lack its styles.
          const isPainted = performance.getEntriesByName('first-contentful-paint').length > 0
          if (!button || !isPainted) {
            requestAnimationFrame(poll)
            return
          }
          button.scrollIntoView({ block: 'center', behavior: 'instant' })
          const { left, top, width, height } = button.getBoundingClientRect()
          resolve({ x: left + width / 2, y: top + height / 2 })
        }
        poll()
      }),
    uiText('ar', 'cart:add.add'),
  )
  await page.touchscreen.tap(x, y)
  return page.evaluate(
    () =>
      new Promise<{ tappedAt: number; answered: number }>((resolve) => {
        const poll = () => {
          const { tappedAt } = window as Window & { tappedAt?: number }
          const shown = [...document.querySelectorAll('dialog[open], .toast, :popover-open')]
          const isThere = shown.some((one) => one.checkVisibility({ visibilityProperty: true }))
          if (tappedAt && isThere) resolve({ tappedAt, answered: performance.now() })
          else requestAnimationFrame(poll)
        }
        poll()
      }),
  )
}

/** The scripts of the newest build. */
function chunks(tree: string): Row[] {
  const dist = join(tree, 'dist')
  const newest = readdirSync(dist)
    .map((name) => join(dist, name, 'client/_astro'))
    .filter((path) => statSync(path, { throwIfNoEntry: false }))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0]
  if (!newest) throw new Error(`There is no build in ${dist}.`)
  const scripts = readdirSync(newest)
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({
      name,
      bytes: statSync(join(newest, `${name}.br`), { throwIfNoEntry: false })?.size ?? 0,
      hasReactDom: readFileSync(join(newest, name), 'utf8').includes('reactFiber$'),
    }))
  const [heaviest] = scripts
    .filter(({ hasReactDom }) => !hasReactDom)
    .toSorted((a, b) => b.bytes - a.bytes)
  const withReactDom = scripts.filter(({ hasReactDom }) => hasReactDom).length
  return [
    row(
      'P11',
      'the heaviest chunk of an island',
      (heaviest?.bytes ?? 0) / KB,
      { most: 25, unit: 'KB' },
      heaviest?.name,
    ),
    row('P11', 'chunks with React DOM in them', withReactDom, { most: 1 }),
  ]
}
