import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createListener, TIMEOUTS } from '../../../src/server/http/listener.ts'
import { createRenderAhead } from '../../../src/server/publishing/rendering/render-ahead.ts'
import { openRequestCounts } from '../../../src/server/publishing/rendering/request-counts.ts'
import {
  type PublishedPagesOptions,
  publishPages,
} from '../../../src/server/publishing/serving/published-pages.ts'
import { PATIENCE } from '../../support/patience.ts'
import { clientFor, clientForServer, openStore, renderInto, temporaryDirectory } from './support.ts'

/** A publisher whose renders wait until they are released. */
function heldPublisher(more: Partial<PublishedPagesOptions> = {}) {
  const waiting: { path: string; go: () => void }[] = []
  const store = openStore(temporaryDirectory())
  const publisher = publishPages({
    store,
    files: () => false,
    // So that a test knows which page comes next.
    renderedTogether: 1,
    render: renderInto(store, async ({ path }) => {
      await new Promise<void>((go) => waiting.push({ path, go }))
      return { status: 200, body: Buffer.from(path), headers: {}, tags: [path.slice(1)] }
    }),
    ...more,
  })
  onTestFinished(async () => {
    const stopped = publisher.stop()
    for (const { go } of waiting) go()
    await stopped
  })
  const next = async () => {
    await vi.waitFor(() => expect(waiting).not.toEqual([]), PATIENCE)
    const { path, go } = waiting.shift() ?? { path: '', go: () => {} }
    go()
    return path
  }
  return { publisher, store, waiting, next }
}

describe('rendering ahead', () => {
  test('renders one page at a time', async () => {
    const { publisher, waiting, next } = heldPublisher()
    const all = publisher.renderAll(() => ['/a', '/b', '/c'])
    for (const path of ['/a', '/b', '/c']) {
      await vi.waitFor(() => expect(waiting.map((page) => page.path)).toEqual([path]), PATIENCE)
      await next()
    }
    expect(await all).toBe(3)
  })

  test.each([
    { isVisited: true, most: 1 },
    { isVisited: false, most: 4 },
  ])('renders $most together where there are visitors: $isVisited', async ({ isVisited, most }) => {
    let running = 0
    let together = 0
    const ahead = createRenderAhead({
      async render() {
        together = Math.max(together, ++running)
        await nextTurn()
        running--
        return true
      },
      isBusy: () => false,
      isVisited: () => isVisited,
      onError: vi.fn(),
    })
    const paths = Array.from({ length: 10 }, (_, n) => `/p${n}`)
    const changed = ahead.now(paths)
    expect(await ahead.all(paths)).toBe(10)
    await changed
    expect(together).toBe(most)
  })

  test('pauses while visitors wait for their own pages', async () => {
    const rendered: string[] = []
    let isBusy = true
    const looks = vi.fn(() => isBusy)
    const ahead = createRenderAhead({
      render: async (path) => rendered.push(path) > 0,
      isBusy: looks,
      isVisited: () => true,
      onError: vi.fn(),
    })
    const all = ahead.all(['/a', '/b'])
    await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(3), PATIENCE)
    expect(rendered).toEqual([])
    isBusy = false
    expect(await all).toBe(2)
    isBusy = true
    void ahead.all(['/c'])
    await ahead.stop()
    expect(rendered).toEqual(['/a', '/b'])
  })

  test('detects waiting visitors', async () => {
    const { publisher, waiting, next } = heldPublisher()
    const get = await clientFor((req, res) => publisher.handle(req, res))
    const visitor = get('/asked')
    await vi.waitFor(() => expect(waiting).toHaveLength(1), PATIENCE)
    const all = publisher.renderAll(() => ['/a'])
    expect([await next(), await next()]).toEqual(['/asked', '/a'])
    expect((await visitor).body.toString()).toBe('/asked')
    expect(await all).toBe(1)
  })

  test.each([
    { calls: [], most: 4 },
    { calls: ['GET /api/documents/1'], most: 1 },
    { calls: ['POST /api/wallet/pay'], most: 1 },
    { calls: ['GET /healthz'], most: 4 },
  ])('counts API callers as visitors, but not monitors: $calls', async ({ calls, most }) => {
    // No second passes without a visitor.
    vi.spyOn(performance, 'now').mockReturnValue(1000)
    const { publisher, waiting, next } = heldPublisher({ renderedTogether: 4 })
    const listener = createListener({
      health: (request, response) => request.url === '/healthz' && Boolean(response.end()),
      api: (_, response) => void response.end(),
      pages: publisher.handle,
      timeouts: TIMEOUTS,
      onError: vi.fn(),
    })
    const get = await clientForServer(listener)
    for (const call of calls) {
      const [method, path = ''] = call.split(' ')
      await get(path, {}, method)
    }
    const all = publisher.renderAll(() => ['/a', '/b', '/c', '/d', '/e'])
    await vi.waitFor(() => expect(waiting).toHaveLength(most), PATIENCE)
    for (let n = 0; n < 5; n++) await next()
    expect(await all).toBe(5)
  })

  test('starts with the most requested, also after a restart', async () => {
    const directory = temporaryDirectory()
    const countsFile = join(directory, 'most-wanted.json')
    const first = heldPublisher({ countsFile })
    const get = await clientFor((req, res) => first.publisher.handle(req, res))
    for (const path of ['/c', '/b', '/b', '/b', '/c?x=1', '/b?x=1']) {
      const answer = get(path)
      if (first.waiting.length === 0) await Promise.race([first.next(), answer])
      await answer
    }
    await first.publisher.stop()
    expect(JSON.parse(readFileSync(countsFile, 'utf8'))[0][0]).toBe('/b')

    const second = heldPublisher({ countsFile, isPage: (path) => path !== '/gone' })
    const all = second.publisher.renderAll(() => ['/a', '/b', '/c'])
    expect([await second.next(), await second.next(), await second.next()]).toEqual([
      '/b',
      '/c',
      '/a',
    ])
    expect(await all).toBe(3)
    await second.publisher.stop()
  })

  test('renders changed pages before the rest', async () => {
    const { publisher, store, waiting, next } = heldPublisher()
    const listing = vi.spyOn(store, 'pagesWith')
    void publisher.renderAll(() => ['/a', '/b', '/c', '/d'])
    await next()
    await next()
    await vi.waitFor(() => expect(waiting.map(({ path }) => path)).toEqual(['/c']), PATIENCE)
    const changed = publisher.changed(['a'])
    // The changed pages are listed on the disk.
    await listing.mock.results[0]?.value
    expect([await next(), await next(), await next()]).toEqual(['/c', '/a', '/d'])
    await changed
  })

  test('a stop waits for the page in progress, and for no other', async () => {
    const { publisher, waiting, next } = heldPublisher()
    const all = publisher.renderAll(() => Array.from({ length: 30_000 }, (_, n) => `/p${n}`))
    await next()
    await vi.waitFor(() => expect(waiting).toHaveLength(1), PATIENCE)
    const stopped = publisher.stop()
    await next()
    await stopped
    expect(await all).toBe(2)
    expect(waiting).toEqual([])
    // A change now makes its page stale at once; it is rendered after the next start.
    await publisher.changed(['p1'])
    expect(waiting).toEqual([])
  })

  test('continues after a page that fails', async () => {
    const onError = vi.fn()
    const ahead = createRenderAhead({
      render: async (path) => {
        if (path === '/bad') throw new Error('no')
        return true
      },
      isBusy: () => false,
      isVisited: () => true,
      onError,
    })
    expect(await ahead.all(['/a', '/bad', '/b'])).toBe(2)
    expect(onError).toHaveBeenCalledOnce()
  })
})

describe('request counts', () => {
  test.each(['', '{', '[[1,2]]', '[["/a","many"]]', 'null'])(
    'are reset when the file says %j',
    (content) => {
      const file = join(temporaryDirectory(), 'most-wanted.json')
      writeFileSync(file, content)
      expect(openRequestCounts(file).paths()).toEqual([])
    },
  )

  test('are kept for a bounded number of pages', () => {
    const demand = openRequestCounts(join(temporaryDirectory(), 'most-wanted.json'))
    for (let n = 0; n < 50_000; n++) {
      demand.add(`/shop-details/${n}`)
      demand.add('/')
    }
    expect(demand.paths().length).toBeLessThanOrEqual(20_000)
    expect(demand.paths()[0]).toBe('/')
  })
})
