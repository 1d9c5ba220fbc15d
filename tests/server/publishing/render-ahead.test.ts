import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createRenderAhead } from '../../../src/server/publishing/rendering/render-ahead.ts'
import {
  type PublishedPagesOptions,
  publishPages,
} from '../../../src/server/publishing/serving/published-pages.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { PATIENCE } from '../../support/patience.ts'
import { clientFor, openStore, renderInto } from './support.ts'

/** A publisher whose renders wait until they are released. */
function heldPublisher(more: Partial<PublishedPagesOptions> = {}) {
  const waiting: { path: string; go: () => void }[] = []
  const store = openStore(temporaryDirectory())
  const publisher = publishPages({
    store,
    files: () => false,
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

  test('pauses while visitors wait for their own pages', async () => {
    const rendered: string[] = []
    let isBusy = true
    const looks = vi.fn(() => isBusy)
    const ahead = createRenderAhead({
      render: async (path) => rendered.push(path) > 0,
      isBusy: looks,
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

  test('renders changed pages before the rest', async () => {
    const { publisher, waiting, next } = heldPublisher()
    void publisher.renderAll(() => ['/a', '/b', '/c', '/d'])
    await next()
    await next()
    await vi.waitFor(() => expect(waiting.map(({ path }) => path)).toEqual(['/c']), PATIENCE)
    const changed = publisher.changed(['a'])
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
      onError,
    })
    expect(await ahead.all(['/a', '/bad', '/b'])).toBe(2)
    expect(onError).toHaveBeenCalledOnce()
  })
})
