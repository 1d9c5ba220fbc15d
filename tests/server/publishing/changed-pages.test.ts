import { describe, expect, test, vi } from 'vitest'
import { EVERY_PAGE_TAG, pathTag, sitePageTag } from '../../../src/rules/page-tags.ts'
import { PATIENCE } from '../../support/patience.ts'
import { type Pages, publisherOf } from './publisher.ts'
import { temporaryDirectory } from './support.ts'

const text = async (answer: Promise<{ body: Buffer }>) => (await answer).body.toString()

describe('the publisher', () => {
  test('makes one page stale by its path', async () => {
    let version = 1
    const page = () => ({ text: `${version}`, tags: ['site'] })
    const { publisher, get, renders } = publisherOf({ '/a': page, '/b': page })
    const ask = await get
    await Promise.all([ask('/a'), ask('/b')])
    version = 2
    await publisher.changed([pathTag('/a'), pathTag('/nothing')])
    expect(await text(ask('/a'))).toBe('2')
    expect(await text(ask('/b'))).toBe('1')
    expect(renders.toSorted()).toEqual(['/a', '/a', '/b'])
  })

  test('renders what changed again, at once, and only that', async () => {
    let version = 1
    const page = (tag: string) => () => ({ text: `${tag} ${version}`, tags: [tag] })
    const { publisher, get, renders } = publisherOf({ '/a': page('a'), '/b': page('b') })
    const ask = await get
    await Promise.all([ask('/a'), ask('/b')])
    version = 2
    await publisher.changed(['a'])

    expect(renders).toEqual(['/a', '/b', '/a'])
    expect(await text(ask('/a'))).toBe('a 2')
    expect(await text(ask('/b'))).toBe('b 1')
    expect(renders).toHaveLength(3)
  })

  test('a request after a change gets the new page, even while the old one is rendered', async () => {
    let version = 1
    const { publisher, get, renders, gates } = publisherOf({
      '/a': () => ({ text: `${version}`, tags: ['a'] }),
    })
    const ask = await get
    const { promise, resolve } = Promise.withResolvers<void>()
    gates.push(promise)
    const early = text(ask('/a'))
    await vi.waitFor(() => expect(renders).toHaveLength(1), PATIENCE)
    version = 2
    const refreshed = publisher.changed(['a'])
    const late = text(ask('/a'))
    resolve()

    expect(await late).toBe('2')
    expect(await early).toBe('2')
    await refreshed
    expect(await text(ask('/a'))).toBe('2')
  })

  test('batches changes by the minute, and does not lose them in a restart', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let sales = 1
      const pages: Pages = { '/a': () => ({ text: `${sales}`, tags: ['a'] }) }
      const directory = temporaryDirectory()
      const first = publisherOf(pages, directory)
      const ask = await first.get
      await ask('/a')
      sales = 2
      first.publisher.changedSoon(['a'])
      first.publisher.changedSoon(['a'])
      vi.advanceTimersByTime(59_000)
      expect(await text(ask('/a'))).toBe('1')
      vi.advanceTimersByTime(1_000)
      expect(await text(ask('/a'))).toBe('2')

      sales = 3
      first.publisher.changedSoon(['a'])
      await first.publisher.stop()
      const second = publisherOf(pages, directory)
      expect(await text((await second.get)('/a'))).toBe('3')
    } finally {
      vi.useRealTimers()
    }
  })

  test('remembers that a document does not exist until it does', async () => {
    let isThere = false
    const { publisher, get, renders } = publisherOf({
      '/404': () => ({ status: 404, text: 'none', tags: ['site'] }),
      '/shop-details/7': () =>
        isThere ? { text: 'seven', tags: ['document:7'] } : { status: 404 },
    })
    const ask = await get
    for (let n = 0; n < 20; n++) expect((await ask(`/shop-details/7?x=${n}`)).status).toBe(404)
    expect(renders.filter((path) => path === '/shop-details/7')).toHaveLength(1)
    isThere = true
    await publisher.changed(['document:7'])
    expect(await text(ask('/shop-details/7'))).toBe('seven')
  })

  test('an administrator’s edit is shown at once, beside pending changes', async () => {
    let answer = 'old'
    const { publisher, get, gates, renders } = publisherOf({
      '/a': () => ({ text: 'a', tags: ['a'] }),
      '/faq': () => ({ text: answer, tags: [sitePageTag('faq')] }),
    })
    const ask = await get
    for (const path of ['/a', '/faq']) await ask(path)
    const held = Promise.withResolvers<void>()
    gates.push(held.promise)
    const inBackground = publisher.changed(['a'])
    await vi.waitFor(() => expect(renders).toHaveLength(3), PATIENCE)
    answer = 'new'
    const edited = publisher.changed([sitePageTag('faq')])
    expect(await text(ask('/faq'))).toBe('new')
    held.resolve()
    await Promise.all([inBackground, edited])
    expect(renders).toEqual(['/a', '/faq', '/a', '/faq'])
  })

  test('a page that only lies on the disk is rendered again when it is asked for', async () => {
    let version = 1
    const pages: Pages = { '/a': () => ({ text: `${version}`, tags: ['a'] }) }
    const directory = temporaryDirectory()
    await (await publisherOf(pages, directory).get)('/a')
    const { publisher, get, renders } = publisherOf(pages, directory)
    version = 2
    await publisher.changed(['a'])
    expect(renders).toEqual([])
    expect(await text((await get)('/a'))).toBe('2')
  })

  test('a change of every page renders the listed ones again, and no other', async () => {
    let version = 1
    const page = (name: string) => () => ({ text: `${name} ${version}`, tags: ['site'] })
    const { publisher, get, renders } = publisherOf({
      '/listed': page('listed'),
      '/visited': page('visited'),
    })
    const ask = await get
    expect(await publisher.renderAll(() => ['/listed'])).toBe(1)
    await ask('/visited')
    version = 2
    await publisher.changed([EVERY_PAGE_TAG])
    await vi.waitFor(() => expect(renders).toEqual(['/listed', '/visited', '/listed']), PATIENCE)
    expect(await text(ask('/visited'))).toBe('visited 2')
    expect(await text(ask('/listed'))).toBe('listed 2')
    expect(renders).toHaveLength(4)
  })

  test('a deleted page is no longer stored', async () => {
    let isThere = true
    const { publisher, store, get } = publisherOf({
      '/a': () => (isThere ? { text: 'a', tags: ['a'] } : { status: 404 }),
    })
    const ask = await get
    await ask('/a')
    isThere = false
    await publisher.changed(['a'])
    expect((await ask('/a')).status).toBe(404)
    expect(await store.get('/a')).toBeUndefined()
  })

  test('renders ahead what is missing or stale and nothing twice', async () => {
    const paths = Array.from({ length: 30 }, (_, n) => `/p${n}`)
    const pages = Object.fromEntries(
      paths.map((path) => [path, () => ({ text: path, tags: [path.slice(1)] })]),
    )
    const directory = temporaryDirectory()
    const first = publisherOf(pages, directory)
    expect(await first.publisher.renderAll(() => paths.slice(0, 20))).toBe(20)
    first.store.invalidate(['p3'])

    const second = publisherOf(pages, directory)
    async function* inBatches() {
      yield* paths.slice(0, 10)
      yield* await Promise.resolve(paths.slice(10))
    }
    expect(await second.publisher.renderAll(() => inBatches())).toBe(11)
    expect(second.renders.sort()).toEqual(['/p3', ...paths.slice(20)].sort())
    expect(await second.publisher.renderAll(() => ['/p1', '/broken'])).toBe(1)
  })
})
