import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Api } from '../../../src/client/api.ts'
import { getDocument } from '../../../src/contract/catalogue.ts'
import { listCategories, listClasses, listMatieres } from '../../../src/contract/references.ts'
import { getFacts } from '../../../src/contract/site.ts'
import { EVERY_PAGE_TAG } from '../../../src/rules/page-tags.ts'
import { createPageCache } from '../../../src/server/publishing/rendering/page-renderer.ts'
import { shareReads } from '../../../src/server/publishing/rendering/shared-reads.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { openStore } from './support.ts'

/** An API that counts its calls, shared by the pages of a store. */
function sharedApi() {
  const store = openStore(temporaryDirectory())
  const read = vi.fn(async () => ({ reading: read.mock.calls.length }))
  const api = shareReads(read as unknown as Api, store)
  const document = (id: number) => api(getDocument, { params: { id } })
  return { store, api, read, document }
}

test('the filter lists are read once, until names or what is for sale change', async () => {
  const { store, api, read } = sharedApi()
  const lists = () =>
    Promise.all([listCategories, listMatieres, listClasses].map((list) => api(list, {})))
  await Promise.all([lists(), lists()])
  store.invalidate(['document:7'])
  await lists()
  expect(read).toHaveBeenCalledTimes(3)
  store.invalidate(['reference'])
  await lists()
  expect(read).toHaveBeenCalledTimes(6)
  store.invalidate(['catalogue'])
  await lists()
  expect(read).toHaveBeenCalledTimes(9)
})

test('the data of a document is read for each page', async () => {
  const { read, document } = sharedApi()
  await Promise.all([document(1), document(1)])
  expect(read).toHaveBeenCalledTimes(2)
})

test('data that every page shows is read again only when it changes itself', async () => {
  const { store, api, read } = sharedApi()
  await api(getFacts, {})
  store.invalidate(['document:7'])
  await api(getFacts, {})
  expect(read).toHaveBeenCalledTimes(1)
  store.invalidate(['every-page'])
  await api(getFacts, {})
  expect(read).toHaveBeenCalledTimes(2)
})

test('no stored page shows less than what was announced, for any interleaving', async () => {
  // The next event: a change of the data, an announcement, a read, or a page.
  const step = fc.record({
    kind: fc.constantFrom('commit', 'announce', 'answer', 'fail', 'render', 'render', 'render'),
    at: fc.nat(5),
    subject: fc.constantFrom('facts', 'document'),
  })
  const tags = { facts: EVERY_PAGE_TAG, document: 'document:1' }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const store = openStore(temporaryDirectory(), { report: () => {} })
      const data = { facts: 0, document: 0 }
      const unannounced: (keyof typeof data)[] = []
      const answers: ((isThere: boolean) => void)[] = []
      const backend = (subject: keyof typeof data) =>
        new Promise((resolve, reject) => {
          // The database reads before its response arrives.
          const value = data[subject]
          answers.push((isThere) => (isThere ? resolve(value) : reject(new Error('lost'))))
        })
      const api = shareReads(
        ((call: unknown) => backend(call === getFacts ? 'facts' : 'document')) as unknown as Api,
        store,
      )
      const cache = createPageCache({ store, invalidate: () => {} })
      const rendering: Promise<unknown>[] = []
      const render = async () => {
        const [facts, document] = await Promise.all([
          api(getFacts, {}),
          api(getDocument, { params: { id: 1 } }),
        ])
        const headers = { 'x-shown': JSON.stringify({ facts, document }) }
        return { status: 200, body: Buffer.from('page'), headers, tags: [tags.document] }
      }
      for (const { kind, at, subject } of steps) {
        if (kind === 'commit') {
          data[subject]++
          unannounced.push(subject)
        } else if (kind === 'announce') {
          for (const changed of unannounced.splice(0, 1)) store.invalidate([tags[changed]])
        } else if (kind === 'render') {
          rendering.push(cache.answer(`/fr/${at}`, render).catch(() => {}))
        } else answers.splice(at % (answers.length || 1), 1)[0]?.(kind === 'answer')
        await new Promise(setImmediate)
      }
      for (const subject of unannounced) store.invalidate([tags[subject]])
      const over = Promise.all(rendering).then(() => true)
      while (!(await Promise.race([over, new Promise((go) => setImmediate(go, false))]))) {
        for (const answer of answers.splice(0)) answer(true)
      }
      for (let page = 0; page <= 5; page++) {
        const stored = await store.get(`/fr/${page}`)
        if (stored) expect(stored.header('x-shown')).toBe(JSON.stringify(data))
      }
    }),
    { numRuns: 60 },
  )
})

test('failed reads are repeated', async () => {
  const { read, api } = sharedApi()
  read.mockRejectedValueOnce(new Error('The test makes it fail.'))
  await expect(api(getFacts, {})).rejects.toThrow()
  await api(getFacts, {})
  expect(read).toHaveBeenCalledTimes(2)
})
