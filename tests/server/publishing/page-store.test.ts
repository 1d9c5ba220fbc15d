import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { PageStore } from '../../../src/server/publishing/store/page-store.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { PATIENCE } from '../../support/patience.ts'
import { clientFor, openStore, rendered } from './support.ts'

const put = (store: PageStore, path: string, text: string, tags: string[]) =>
  store.put(rendered(path, text, tags, store.clock()))

/** What a client reads of a page, or undefined where the store has none. */
async function storedText(store: PageStore, path: string): Promise<string | undefined> {
  const page = await store.get(path)
  if (!page) return
  const get = await clientFor((req, res) => page.send(req, res))
  return (await get('/')).body.toString()
}

function pageFiles(directory: string): string[] {
  return readdirSync(join(directory, 'build-1', 'html'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

describe('the page store', () => {
  test('returns what was stored, also after a restart', async () => {
    const directory = temporaryDirectory()
    const store = openStore(directory)
    await put(store, '/shop', '<h1>متجر</h1>', ['catalogue'])

    expect(await storedText(store, '/shop')).toBe('<h1>متجر</h1>')
    expect(await storedText(openStore(directory), '/shop')).toBe('<h1>متجر</h1>')
    expect(await store.get('/other')).toBeUndefined()
  })

  test('makes a page that is asked for again smaller', async () => {
    const store = openStore(temporaryDirectory())
    const text = Array.from({ length: 3000 }, (_, n) => `<li>${n * n} متجر</li>`).join('')
    const { page } = await put(store, '/shop', text, ['catalogue'])
    const get = await clientFor((req, res) => page.send(req, res))
    const read = () => get('/', { 'accept-encoding': 'br' })

    const first = await read()
    await expect
      .poll(async () => (await read()).body.length, PATIENCE)
      .toBeLessThan(first.body.length)
    expect(brotliDecompressSync((await read()).body).toString()).toBe(text)
  })

  test('keeps paths of any shape inside its directory', async () => {
    const directory = temporaryDirectory()
    const store = openStore(directory)
    await put(store, '/../../escaped', 'x', ['site'])

    expect(await storedText(store, '/../../escaped')).toBe('x')
    expect(readdirSync(directory)).toEqual(['build-1'])
  })

  test('keeps pages with a query that are rendered ahead across a restart, in at most 4096 files', async () => {
    const directory = temporaryDirectory()
    const store = openStore(directory)
    const paths = Array.from({ length: 40 }, (_, n) => `/shop?page=${n}`)
    for (const path of paths) await put(store, path, path, ['catalogue'])
    expect(await storedText(openStore(directory), '/shop?page=39')).toBeUndefined()
    for (const path of paths) await store.write(path)
    const names = pageFiles(directory).map((file) => file.slice(directory.length))
    expect(names.length).toBeGreaterThan(30)
    for (const name of names) expect(name).toMatch(/^\/build-1\/html\/queries\/[0-9a-f]{3}$/)
    const restarted = openStore(directory)
    expect(await storedText(restarted, '/shop?page=39')).toBe('/shop?page=39')
    expect(restarted.invalidate(['document:1'])).toEqual([])
    expect(restarted.invalidate(['catalogue'])).toEqual(['/shop?page=39'])
    for (const path of paths) expect(await storedText(restarted, path)).toBeUndefined()
  })

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 5)],
    ['empty', () => Buffer.alloc(0)],
    ['of zeros, as after a power loss', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    [
      'with one bit flipped',
      (bytes: Buffer) => bytes.with(bytes.length - 9, 1 ^ (bytes.at(-9) ?? 0)),
    ],
  ])('does not read a file that is %s as a page', async (_name, damage) => {
    const directory = temporaryDirectory()
    await put(openStore(directory), '/a', 'text', ['site'])
    for (const file of pageFiles(directory)) writeFileSync(file, damage(readFileSync(file)))

    const store = openStore(directory)
    expect(await store.get('/a')).toBeUndefined()
    await put(store, '/a', 'text again', ['site'])
    expect(await storedText(store, '/a')).toBe('text again')
  })

  test('does not mistake the file of one page for another', async () => {
    const directory = temporaryDirectory()
    const store = openStore(directory)
    await put(store, '/a', 'of a', ['site'])
    const [ofA = ''] = pageFiles(directory)
    const bytes = readFileSync(ofA)
    await put(store, '/b', 'of b', ['site'])
    for (const file of pageFiles(directory)) writeFileSync(file, bytes)

    expect(await openStore(directory).get('/b')).toBeUndefined()
  })

  test.each([
    ['is gone', (log: string) => rmSync(log)],
    ['ends in a partial line', (log: string) => appendFileSync(log, '17 docu')],
    ['has lost its header', (log: string) => writeFileSync(log, '3 document:1\n')],
    ['is damaged', (log: string) => appendFileSync(log, '\0\0\0\0\n')],
  ])('trusts no page when the change log %s', async (_name, damage) => {
    const directory = temporaryDirectory()
    const store = openStore(directory)
    await put(store, '/a', 'a', ['document:1'])
    store.invalidate(['document:2'])
    await put(store, '/b', 'b', ['document:2'])
    damage(join(directory, 'build-1', 'invalidations.log'))

    const restarted = openStore(directory)
    expect(await restarted.get('/a')).toBeUndefined()
    expect(await restarted.get('/b')).toBeUndefined()
    await put(restarted, '/a', 'new', ['document:1'])
    expect(await storedText(openStore(directory), '/a')).toBe('new')
  })

  test('serves pages that cannot be written', async () => {
    const directory = temporaryDirectory()
    const report = vi.fn()
    const store = openStore(directory, { report })
    const unfinished = join(directory, 'build-1', 'unfinished')
    rmSync(unfinished, { recursive: true })
    writeFileSync(unfinished, 'no directory')
    const { page } = await put(store, '/a', 'a', ['site'])

    expect(page.status).toBe(200)
    expect(await storedText(store, '/a')).toBe('a')
    expect(report).toHaveBeenCalledOnce()
  })

  test('removes pages of other builds, and files left by a crash', async () => {
    const directory = temporaryDirectory()
    const old = openStore(directory, { buildId: 'build-0' })
    await put(old, '/a', 'a', ['site'])
    const store = openStore(directory)
    writeFileSync(join(directory, 'build-1', 'unfinished', 'half'), 'x')
    const restarted = openStore(directory)

    expect(await store.get('/a')).toBeUndefined()
    expect(await restarted.get('/a')).toBeUndefined()
    await vi.waitFor(() => expect(readdirSync(directory)).toEqual(['build-1']), PATIENCE)
    expect(readdirSync(join(directory, 'build-1', 'unfinished'))).toEqual([])
  })

  test('forgets everything when it is cleared', async () => {
    const store = openStore(temporaryDirectory())
    await put(store, '/a', 'a', ['site'])
    store.clear()
    expect(await store.get('/a')).toBeUndefined()
    await put(store, '/a', 'new', ['site'])
    expect(await storedText(store, '/a')).toBe('new')
  })

  test('keeps the pages requested last in memory, within its limit', async () => {
    const store = openStore(temporaryDirectory(), { memoryBytes: 40_000 })
    for (let n = 0; n < 30; n++) {
      await put(store, `/${n}`, `${n}`.repeat(1000), ['site'])
      store.hot('/0')
    }
    const inMemory = () => Array.from({ length: 30 }, (_, n) => n).filter((n) => store.hot(`/${n}`))
    expect(inMemory()).toEqual(expect.arrayContaining([0, 29]))
    expect(inMemory().length).toBeLessThan(15)
    expect(await storedText(store, '/1')).toBe('1'.repeat(1000))
    expect(inMemory()).toContain(1)
  })

  test('counts what it makes of a page on request', async () => {
    const store = openStore(temporaryDirectory(), { memoryBytes: 40_000 })
    for (let n = 0; n < 5; n++) await put(store, `/${n}`, `${n}`.repeat(30_000), ['site'])
    expect(store.hot('/0')).toBeDefined()
    for (let n = 1; n < 5; n++) await storedText(store, `/${n}`)
    expect(store.hot('/0')).toBeUndefined()
  })

  test('concurrent writers of one page leave one complete page', async () => {
    const directory = temporaryDirectory()
    const store = openStore(directory)
    const texts = Array.from({ length: 20 }, (_, n) => `version ${n} `.repeat(500))
    await Promise.all(texts.map((text) => put(store, '/a', text, ['site'])))

    expect(texts).toContain(await storedText(openStore(directory), '/a'))
  })

  test('invalidates by tag, across a restart, and nothing else', async () => {
    const directory = temporaryDirectory()
    const store = openStore(directory)
    await put(store, '/a', 'a', ['document:1', 'teacher:3'])
    await put(store, '/b', 'b', ['document:2', 'teacher:3'])
    store.invalidate(['document:1'])

    expect(await store.get('/a')).toBeUndefined()
    expect(store.hot('/a')).toBeUndefined()
    expect(await storedText(store, '/b')).toBe('b')
    const restarted = openStore(directory)
    expect(await restarted.get('/a')).toBeUndefined()
    expect(await storedText(restarted, '/b')).toBe('b')
    await put(restarted, '/a', 'new', ['document:1'])
    expect(await storedText(restarted, '/a')).toBe('new')
  })

  test('says which pages in memory changed, the last requested first', async () => {
    const directory = temporaryDirectory()
    const store = openStore(directory)
    await put(store, '/a', 'a', ['document:1', 'teacher:3'])
    await put(store, '/b', 'b', ['teacher:3'])
    await put(store, '/c', 'c', ['teacher:4'])
    store.hot('/a')
    expect(store.invalidate(['teacher:3'])).toEqual(['/a', '/b'])
    expect(store.invalidate(['teacher:3'])).toEqual([])
    expect(openStore(directory).invalidate(['teacher:4'])).toEqual([])
  })

  test('does not keep a page whose data changed while it was rendered', async () => {
    const store = openStore(temporaryDirectory())
    const clock = store.clock()
    store.invalidate(['document:1'])
    const { isStale } = await store.put(rendered('/a', 'old', ['document:1'], clock))

    expect(isStale).toBe(true)
    expect(await store.get('/a')).toBeUndefined()
  })

  test('does not keep a page whose data changed while it was written', async () => {
    const store = openStore(temporaryDirectory())
    const writing = put(store, '/a', 'old', ['document:1'])
    store.invalidate(['document:1'])

    expect((await writing).isStale).toBe(true)
    expect(await store.get('/a')).toBeUndefined()
  })

  test('announced changes that were not invalidated are stale after a restart', async () => {
    const directory = temporaryDirectory()
    const store = openStore(directory)
    await put(store, '/a', 'a', ['document:1'])
    store.invalidateSoon(['document:1'])

    expect(await storedText(store, '/a')).toBe('a')
    expect(await openStore(directory).get('/a')).toBeUndefined()
  })

  test('for any order of events, never serves a page older than its data', async () => {
    const tags = ['a', 'b', 'c']
    const step = fc.oneof(
      fc.record({ do: fc.constant('change'), tag: fc.constantFrom(...tags) }),
      fc.record({ do: fc.constant('put'), tag: fc.constantFrom(...tags) }),
      fc.record({ do: fc.constant('begin'), tag: fc.constantFrom(...tags) }),
      fc.record({ do: fc.constant('restart'), tag: fc.constant('') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const directory = temporaryDirectory()
        let store = openStore(directory)
        const version: Record<string, number> = { a: 0, b: 0, c: 0 }
        const started: Record<string, { clock: number; version: number } | undefined> = {}
        for (const { do: what, tag } of steps) {
          if (what === 'change') {
            version[tag] = (version[tag] ?? 0) + 1
            store.invalidate([tag])
          } else if (what === 'begin') {
            started[tag] = { clock: store.clock(), version: version[tag] ?? 0 }
          } else if (what === 'put') {
            const from = started[tag] ?? { clock: store.clock(), version: version[tag] ?? 0 }
            await store.put(rendered(`/${tag}`, `${from.version}`, [tag], from.clock))
          } else store = openStore(directory)
          for (const each of tags) {
            const text = await storedText(store, `/${each}`)
            if (text !== undefined) expect(text).toBe(`${version[each]}`)
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})
