import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ApiResponse } from '../../src/client/api.ts'
import { aToken, emptyBrowser, openPage, storage } from './browser.ts'
import { fakeShop, purchased } from './fake-shop.ts'

beforeEach(() => {
  emptyBrowser()
  storage.token = aToken()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Opens a page whose preview request gets this response. */
async function reading(answer: ApiResponse) {
  const shop = fakeShop()
  const carryOut = shop.transport
  shop.transport = async (request) => {
    if (!request.path.startsWith('/documents/download/')) return carryOut(request)
    shop.requests.push(request)
    return answer
  }
  return { shop, page: await openPage(shop) }
}

const document = { documentId: 3, title: 'درس: الكسور / 1' }

describe('the preview', () => {
  test.each([
    ['/preview/abc', '/api/preview/abc'],
    ['preview/abc', '/api/preview/abc'],
    ['//evil.example/x', '/api/evil.example/x'],
    ['\\\\evil.example', '/api/evil.example'],
    ['https://evil.example/', '/api/https://evil.example/'],
  ])('the response %s is a path under the API', async (body, address) => {
    const { page, shop } = await reading({ status: 200, body })
    await page.reading.openPreview(document)
    expect(page.reading.$preview.get()).toMatchObject({ phase: 'shown', address })
    expect(shop.requests[0]?.path).toMatch(/^\/documents\/download\/3\/7\?preview=true&t=\d+$/)
  })

  test.each([
    [{ status: 200, body: '' }, 'preview_empty'],
    [{ status: 200, body: null }, 'preview_empty'],
    [{ status: 403, body: { error: 'not_permitted' } }, 'preview_failed'],
    [{ status: 0, body: null }, 'preview_failed'],
  ])('%o has a message', async (answer, problem) => {
    const { page } = await reading(answer)
    await page.reading.openPreview(document)
    expect(page.reading.$preview.get()).toMatchObject({ phase: 'failed', problem })
  })

  test('falls back to the plain pages when the reader cannot open it, then to a message', async () => {
    const { page } = await reading({ status: 200, body: '/preview/abc' })
    const { $preview, openPreview, previewNotLoaded } = page.reading
    await openPreview(document)
    expect($preview.get()).toMatchObject({ phase: 'shown', isPlain: false })
    previewNotLoaded()
    expect($preview.get()).toMatchObject({ address: '/api/preview/abc', isPlain: true })
    previewNotLoaded()
    expect($preview.get()).toMatchObject({ phase: 'failed', problem: 'preview_not_loaded' })
    previewNotLoaded()
    expect($preview.get()).toMatchObject({ phase: 'failed' })
  })

  test('needs a token', async () => {
    delete storage.token
    const { page, shop } = await reading({ status: 200, body: '/preview/abc' })
    await page.reading.openPreview(document)
    expect(page.reading.$preview.get()).toMatchObject({ problem: 'not_logged_in' })
    expect(shop.requests).toEqual([])
  })

  test('a response after closing opens nothing', async () => {
    const { page } = await reading({ status: 200, body: '/preview/abc' })
    const opening = page.reading.openPreview(document)
    page.reading.closePreview()
    await opening
    expect(page.reading.$preview.get()).toBeNull()
  })
})

describe('my documents', () => {
  test('loads, filters by subject, level and type, and offers the subjects that occur', async () => {
    const shop = fakeShop()
    shop.owned.push(1, 2, 3, 4)
    const { library, choices } = await openPage(shop)
    expect(library.$library.get()).toEqual({ phase: 'idle' })
    await library.loadLibrary()
    const ids = () => library.$filtered.get().map(({ documentId }) => documentId)
    expect(ids()).toEqual([1, 2, 3, 4])
    expect(library.$filterOptions.get().matiereId.map(({ name }) => name)).toEqual([
      'Subject 0',
      'Subject 1',
    ])
    choices.choose('matiereId', String(purchased(1).matiereId))
    expect(ids()).toEqual([1, 3])
    choices.choose('category', purchased(3).categoryName)
    expect(ids()).toEqual([3])
    choices.clearChoices()
    expect(ids()).toEqual([1, 2, 3, 4])
  })

  test('always offers every type', async () => {
    const shop = fakeShop()
    shop.owned.push(1, 2)
    shop.purchased = (id) => ({ ...purchased(id), categoryCode: id === 1 ? 'exams' : 'books' })
    const { library, choices } = await openPage(shop)
    await library.loadLibrary()
    const options = library.$filterOptions.get().category
    expect(options.map(({ value }) => value)).toEqual([
      'lessons',
      'exercises',
      'exams',
      'summaries',
      'books',
    ])
    const ids = () => library.$filtered.get().map(({ documentId }) => documentId)
    choices.choose('category', 'exams')
    expect(ids()).toEqual([1])
    choices.choose('category', 'lessons')
    expect(ids()).toEqual([])
  })

  test('can be retried after a failure', async () => {
    const shop = fakeShop()
    const { library } = await openPage(shop)
    shop.fault = () => 'unavailable'
    await library.loadLibrary()
    expect(library.$library.get()).toMatchObject({
      phase: 'failed',
      problem: { code: 'unavailable' },
    })
    shop.fault = () => undefined
    await library.loadLibrary()
    expect(library.$library.get()).toEqual({ phase: 'ready', value: [] })
  })
})
