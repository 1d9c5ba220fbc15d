import Fastify from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { EMPTY_REQUEST_ID } from '../../../src/rules/error-page.ts'
import { noPages } from '../../../src/rules/page-sources.ts'
import { EVERY_PAGE_TAG, pathTag, sitePageTag } from '../../../src/rules/page-tags.ts'
import type { Deps } from '../../../src/server/deps.ts'
import { publicFiles } from '../../../src/server/search-engines/public-files.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { PATIENCE } from '../../support/patience.ts'
import { openStore, type Pages, publisherOf } from './support.ts'

const text = async (answer: Promise<{ body: Buffer }>) => (await answer).body.toString()

describe('the publisher', () => {
  test('renders a page with tags once and a page without for every request', async () => {
    const { ask, renders } = await publisherOf({
      '/shop': () => ({ text: 'shop', tags: ['catalogue'] }),
      '/now': () => ({ text: 'now' }),
    })
    for (let n = 0; n < 3; n++) {
      expect(await text(ask('/shop'))).toBe('shop')
      expect(await text(ask('/now'))).toBe('now')
    }
    expect(renders).toEqual(['/shop', '/now', '/now', '/now'])
  })

  test('counts pages by their source, and times those that were not in memory', async () => {
    const directory = temporaryDirectory()
    const counts = noPages()
    const ready: [string, number][] = []
    const options = {
      counts,
      onReady: (method: string, status: number, seconds: number) => {
        expect(seconds).toBeGreaterThanOrEqual(0)
        ready.push([method, status])
      },
    }
    const made = {
      '/shop': () => ({ text: 'shop', tags: ['catalogue'] }),
      '/404': () => ({ status: 404, text: 'nothing', tags: ['site'] }),
    }
    const first = await publisherOf(made, directory, options)
    await first.ask('/shop')
    await first.ask('/shop')
    await first.ask('/shop?x=1')
    await first.ask('/.env')
    await first.ask('/fr/shop', { 'sec-purpose': 'prefetch' })
    await (await publisherOf(made, directory, options)).ask('/shop', {}, 'HEAD')
    expect(counts).toEqual({ memory: 2, disk: 1, rendered: 1, refused: 1, missing: 1 })
    expect(ready).toEqual([
      ['GET', 200],
      ['GET', 200],
      ['GET', 404],
      ['HEAD', 200],
    ])
  })

  test('renders a page once for concurrent requests', async () => {
    const { ask, renders } = await publisherOf({ '/a': () => ({ text: 'a', tags: ['site'] }) })
    const answers = await Promise.all(Array.from({ length: 20 }, () => text(ask('/a'))))
    expect(new Set(answers)).toEqual(new Set(['a']))
    expect(renders).toEqual(['/a'])
  })

  test('serves a page for its maxAge', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const directory = temporaryDirectory()
    let version = 1
    const made = { '/a': () => ({ text: `${version}`, tags: [], maxAge: 60 }) }
    const { ask, renders } = await publisherOf(made, directory)
    expect(await text(ask('/a'))).toBe('1')
    version = 2
    vi.setSystemTime(Date.now() + 59_000)
    expect(await text(ask('/a'))).toBe('1')
    expect(await text((await publisherOf(made, directory)).ask('/a'))).toBe('1')
    expect(renders).toHaveLength(1)

    vi.setSystemTime(Date.now() + 2_000)
    expect(await text(ask('/a'))).toBe('2')
    vi.setSystemTime(Date.now() + 61_000)
    version = 3
    expect(await text((await publisherOf(made, directory)).ask('/a'))).toBe('3')
  })

  test('never stores a page that names no tag', async () => {
    const { ask, renders } = await publisherOf({ '/a': () => ({ text: 'a', tags: [] }) })
    for (const _ of [1, 2]) expect(await text(ask('/a'))).toBe('a')
    expect(renders).toHaveLength(2)
  })

  test('ignores query parameters that a page does not read', async () => {
    const { ask, renders } = await publisherOf({
      '/': ({ search }) => ({ text: `home ${search}`, tags: ['catalogue'] }),
      '/shop': ({ search }) => ({ text: `shop ${search}`, tags: ['catalogue'] }),
    })
    for (let n = 0; n < 20; n++) {
      expect(await text(ask(`/?x=${n}&page=2&level=primary-school`))).toBe('home ')
      expect(await text(ask(`/shop?utm_source=x&fbclid=${n}&level=nonsense`))).toBe('shop ')
    }
    expect(renders).toEqual(['/', '/shop'])
  })

  test('renders a known query once, in any spelling, and again when its data changed', async () => {
    const { publisher, store, ask, renders } = await publisherOf({
      '/fr/shop': ({ search }) => ({ text: `shop ${search}`, tags: ['catalogue'] }),
    })
    const one = '/fr/shop?level=primary-school&rating=4'
    for (const spelled of [
      one,
      '/fr/shop?rating=4&level=primary-school',
      '/fr/shop?rating=4&x=1&sort=newest&page=1&level=primary-school&search=%20',
      '/fr/shop?level=primary-school&rating=4&rating=5#top',
    ]) {
      expect(await text(ask(spelled))).toBe('shop ?level=primary-school&rating=4')
    }
    expect(renders).toEqual([one])

    const changing = publisher.changed(['catalogue'])
    expect(store.hot(one)).toBeUndefined()
    await changing
    expect(renders).toEqual([one, one])
    await ask(one)
    expect(renders).toEqual([one, one])
  })

  test('keeps a page that is requested while thousands of others are', async () => {
    const directory = temporaryDirectory()
    const store = openStore(directory, { memoryBytes: 200_000 })
    const { ask, renders } = await publisherOf(
      { '/shop': ({ search }) => ({ text: search, tags: ['catalogue'] }) },
      directory,
      { store },
    )
    for (let n = 0; n < 200; n++) {
      await ask(`/shop?search=word${n}`)
      await ask('/shop?search=word0')
    }
    expect(store.hot('/shop?search=word1')).toBeUndefined()
    expect(renders).toHaveLength(200)
  })

  test('shows the 404 page of the language, rendered once', async () => {
    const notFound = (words: string) => () => ({ status: 404, text: words, tags: ['site'] })
    const { ask, renders } = await publisherOf({
      '/404': notFound('غير موجودة'),
      '/fr/404': notFound('introuvable'),
    })
    for (const path of ['/nothing', '/nothing', '//evil.example/', '/%2e%2e/x', '/.env', '/_x']) {
      const answer = await ask(path)
      expect([answer.status, answer.body.toString()]).toEqual([404, 'غير موجودة'])
    }
    const french = await ask('/fr/shop-details/0')
    expect([french.status, french.body.toString()]).toEqual([404, 'introuvable'])
    expect(renders.filter((path) => path === '/404')).toHaveLength(1)
  })

  test('renders nothing for paths outside the site', async () => {
    const { ask, renders } = await publisherOf(
      { '/404': () => ({ status: 404, text: 'none', tags: ['site'] }) },
      temporaryDirectory(),
      { isPage: (path) => path === '/404' || path.startsWith('/shop-details/') },
    )
    for (let n = 0; n < 50; n++) {
      for (const path of [`/x${n}`, `/shop/${n}`, `/shop-details/x${n}`, `/shop-details/0${n}`]) {
        expect((await ask(path)).status).toBe(404)
      }
    }
    expect(renders).toEqual(['/404'])
  })

  test('a page that fails is reported, shown as an error and never stored', async () => {
    let isBroken = true
    const { ask, report } = await publisherOf({
      '/a': () => {
        if (isBroken) throw new Error('no database')
        return { text: 'a', tags: ['a'] }
      },
      '/error': () => ({ text: `try again ${EMPTY_REQUEST_ID}`, tags: ['site'] }),
    })
    const broken = await ask('/a', { 'x-request-id': 'from-the-proxy' })
    expect(broken.status).toBe(500)
    expect(broken.body.toString()).toBe('try again <bdi data-request-id>from-the-proxy</bdi>')
    expect(broken.headers['x-request-id']).toBe('from-the-proxy')
    const another = await ask('/a', { 'x-request-id': '<script>' })
    const { 'x-request-id': made } = another.headers
    expect(made).toMatch(/^[\da-f-]{36}$/)
    expect(another.body.toString()).toContain(`>${made}<`)
    expect(report.mock.calls.map(([, error]) => error)).toContain(made)
    expect((await ask('/error')).body.toString()).toContain(EMPTY_REQUEST_ID)
    isBroken = false
    expect(await text(ask('/a'))).toBe('a')
  })

  test('a page that changed is sent as it was while its data cannot be read', async () => {
    let version = 1
    let isAway = false
    const { publisher, ask, renders } = await publisherOf({
      '/a': () => (isAway ? { status: 503 } : { text: `${version}`, tags: ['a'] }),
      '/b': () => ({ status: 503 }),
    })
    await ask('/a')
    version = 2
    isAway = true
    await publisher.changed(['a'])
    const former = await ask('/a')
    expect([former.status, former.body.toString()]).toEqual([200, '1'])
    expect(former.headers['cache-control']).toBe('no-store')
    expect((await ask('/b')).status).toBe(503)
    isAway = false
    const rendered = renders.length
    expect(await text(ask('/a'))).toBe('2')
    expect(renders).toHaveLength(rendered + 1)
  })

  test('without an error page an error is a line of text', async () => {
    const { ask } = await publisherOf({ '/a': () => ({ status: 500 }) })
    const answer = await ask('/a')
    expect([answer.status, answer.body.toString()]).toEqual([500, 'Internal Server Error'])
    expect(answer.body.toString()).not.toContain('at ')
  })

  test('redirects trailing slashes, and only within this site', async () => {
    const { ask } = await publisherOf({})
    const slash = await ask('/fr/shop/?page=2')
    expect([slash.status, slash.headers.location]).toEqual([301, '/fr/shop?page=2'])
    for (const path of ['//evil.example/', '/\\evil.example/', '/%2F/evil.example/']) {
      expect((await ask(path)).status).toBe(404)
    }
  })

  test('sends the headers of every response everywhere', async () => {
    const headers = { 'strict-transport-security': 'max-age=1' }
    const { ask } = await publisherOf({}, temporaryDirectory(), {
      headers,
      visitors: { atOnce: 0, waiting: 0, waitingOfOne: 0, allowance: { max: 0, windowMs: 1 } },
    })
    expect((await ask('/fr/shop/')).headers).toMatchObject(headers)
    const busy = await ask('/shop')
    expect([busy.status, busy.headers]).toMatchObject([429, { ...headers, 'retry-after': '10' }])
  })

  test('leaves the API, the socket and other methods to others', async () => {
    const { ask } = await publisherOf({ '/apis': () => ({ text: 'a page' }) })
    for (const path of ['/api', '/api/documents', '/ws', '/ws?access_token=x', '/api?x']) {
      expect((await ask(path)).status).toBe(418)
    }
    expect((await ask('/shop', {}, 'POST')).status).toBe(418)
    expect((await ask('/apis')).status).toBe(200)
  })

  test('leaves every address of other parts of the shop to them: files, links and codes on pages', async () => {
    const { ask } = await publisherOf({})
    const server = Fastify()
    const addresses = new Set<string>()
    server.addHook('onRoute', ({ url }) => void addresses.add(url.replace(/:\w+/g, '12')))
    const stub = { database: { kysely: null }, config: { siteUrl: 'https://shop.example' } }
    await publicFiles(server, stub as unknown as Deps)
    expect([...addresses]).toEqual(expect.arrayContaining(['/t/12', '/d/12', '/fr/rss.xml']))
    for (const address of addresses) expect((await ask(address)).status, address).toBe(418)
  })

  test('a rendered page’s status and headers reach the visitor', async () => {
    const { ask } = await publisherOf({
      '/home': () => ({ status: 301, headers: { location: '/' } }),
    })
    const answer = await ask('/home')
    expect([answer.status, answer.headers.location]).toEqual([301, '/'])
  })

  test('makes one page stale by its path', async () => {
    let version = 1
    const page = () => ({ text: `${version}`, tags: ['site'] })
    const { publisher, ask, renders } = await publisherOf({ '/a': page, '/b': page })
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
    const { publisher, ask, renders } = await publisherOf({ '/a': page('a'), '/b': page('b') })
    await ask('/a')
    await ask('/b')
    version = 2
    await publisher.changed(['a'])

    expect(renders).toEqual(['/a', '/b', '/a'])
    expect(await text(ask('/a'))).toBe('a 2')
    expect(await text(ask('/b'))).toBe('b 1')
    expect(renders).toHaveLength(3)
  })

  test('a request after a change gets the new page, even while the old one is rendered', async () => {
    let version = 1
    const { publisher, ask, renders, gates } = await publisherOf({
      '/a': () => ({ text: `${version}`, tags: ['a'] }),
    })
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
      const first = await publisherOf(pages, directory)
      const { ask } = first
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
      const second = await publisherOf(pages, directory)
      expect(await text(second.ask('/a'))).toBe('3')
    } finally {
      vi.useRealTimers()
    }
  })

  test('remembers that a document does not exist until it does', async () => {
    let isThere = false
    const { publisher, ask, renders } = await publisherOf({
      '/404': () => ({ status: 404, text: 'none', tags: ['site'] }),
      '/shop-details/7': () =>
        isThere ? { text: 'seven', tags: ['document:7'] } : { status: 404 },
    })
    for (let n = 0; n < 20; n++) expect((await ask(`/shop-details/7?x=${n}`)).status).toBe(404)
    expect(renders.filter((path) => path === '/shop-details/7')).toHaveLength(1)
    isThere = true
    await publisher.changed(['document:7'])
    expect(await text(ask('/shop-details/7'))).toBe('seven')
  })

  test('an administrator’s edit is shown at once, beside pending changes', async () => {
    let answer = 'old'
    const { publisher, ask, gates, renders } = await publisherOf({
      '/a': () => ({ text: 'a', tags: ['a'] }),
      '/faq': () => ({ text: answer, tags: [sitePageTag('faq')] }),
    })
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
    await (await publisherOf(pages, directory)).ask('/a')
    const { publisher, ask, renders } = await publisherOf(pages, directory)
    version = 2
    await publisher.changed(['a'])
    expect(renders).toEqual([])
    expect(await text(ask('/a'))).toBe('2')
  })

  test('a change of every page renders the listed ones again, and no other', async () => {
    let version = 1
    const page = (name: string) => () => ({ text: `${name} ${version}`, tags: ['site'] })
    const { publisher, ask, renders } = await publisherOf({
      '/listed': page('listed'),
      '/visited': page('visited'),
    })
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
    const { publisher, store, ask } = await publisherOf({
      '/a': () => (isThere ? { text: 'a', tags: ['a'] } : { status: 404 }),
    })
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
    const first = await publisherOf(pages, directory)
    expect(await first.publisher.renderAll(() => paths.slice(0, 20))).toBe(20)
    first.store.invalidate(['p3'])

    const second = await publisherOf(pages, directory)
    async function* inBatches() {
      yield* paths.slice(0, 10)
      yield* await Promise.resolve(paths.slice(10))
    }
    expect(await second.publisher.renderAll(() => inBatches())).toBe(11)
    expect(second.renders.sort()).toEqual(['/p3', ...paths.slice(20)].sort())
    expect(await second.publisher.renderAll(() => ['/p1', '/broken'])).toBe(1)
  })
})
