import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { put, textOf } from './stored-pages.ts'
import { openStore, rendered, temporaryDirectory } from './support.ts'

describe('the page store', () => {
  test('invalidates by tag, across a restart, and nothing else', async () => {
    const directory = temporaryDirectory()
    const store = openStore(directory)
    await put(store, '/a', 'a', ['document:1', 'teacher:3'])
    await put(store, '/b', 'b', ['document:2', 'teacher:3'])
    store.invalidate(['document:1'])

    expect(await store.get('/a')).toBeUndefined()
    expect(store.hot('/a')).toBeUndefined()
    expect(await textOf(store, '/b')).toBe('b')
    const restarted = openStore(directory)
    expect(await restarted.get('/a')).toBeUndefined()
    expect(await textOf(restarted, '/b')).toBe('b')
    await put(restarted, '/a', 'new', ['document:1'])
    expect(await textOf(restarted, '/a')).toBe('new')
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

    expect(await textOf(store, '/a')).toBe('a')
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
            const text = await textOf(store, `/${each}`)
            if (text !== undefined) expect(text).toBe(`${version[each]}`)
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})
