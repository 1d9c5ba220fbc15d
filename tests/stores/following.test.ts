import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createApi } from '../../src/client/api.ts'
import { NEWS_CHECK_MS } from '../../src/rules/following.ts'
import { aToken, emptyStorage, type OpenPage, openPage, storage } from './browser.ts'
import { type FakeShop, fakeShop } from './fake-shop.ts'

let shop: FakeShop
beforeEach(() => {
  emptyStorage()
  shop = fakeShop()
})

async function openLoggedIn(): Promise<OpenPage> {
  storage.token = aToken()
  const page = await openPage(shop)
  for (const $store of [page.following.$following, page.session.$session]) {
    onTestFinished($store.listen(() => undefined))
  }
  return page
}
const keysOf = ({ following }: OpenPage) => following.$following.get()?.keys
const asked = () => shop.requestsTo('GET /following').length

describe('what a browser knows of following', () => {
  test('is believed for some minutes, also by the next pages', async () => {
    shop.followed = ['t3']
    await (await openLoggedIn()).following.loadFollowingOnce()
    const page = await openLoggedIn()
    expect([keysOf(page), page.following.$following.get()?.hasNews]).toEqual([['t3'], true])
    await page.following.loadFollowingOnce()
    expect(asked()).toBe(1)
    vi.useFakeTimers({ now: Date.now() + NEWS_CHECK_MS, toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    await page.following.loadFollowingOnce()
    expect(asked()).toBe(2)
  })

  test('changes with a press, which an answer from before it does not undo', async () => {
    const page = await openLoggedIn()
    const answer = Promise.withResolvers<void>()
    const late = createApi(async (request) => {
      const given = await shop.transport(request)
      if (request.path === '/following') await answer.promise
      return given
    })
    page.backend.connectTo(late)
    const loading = page.following.loadFollowingOnce()
    await vi.waitFor(() => expect(asked()).toBe(1))
    expect(await page.following.setFollowed('c1-2', true)).toBe('done')
    answer.resolve()
    await loading
    expect([keysOf(page), shop.followed]).toEqual([['c1-2'], ['c1-2']])
    expect(await page.following.setFollowed('c1-2', false)).toBe('stopped')
    expect([keysOf(page), shop.followed]).toEqual([[], []])
  })

  test('stays as it was where a press failed, and is forgotten with the session', async () => {
    const page = await openLoggedIn()
    await page.following.setFollowed('t1', true)
    shop.fault = () => 'follows_full'
    expect(await page.following.setFollowed('t2', true)).toBe('full')
    shop.fault = () => 'server_error'
    expect(await page.following.setFollowed('t1', false)).toBe('failed')
    expect(keysOf(page)).toEqual(['t1'])
    delete storage.token
    const next = await openPage(shop)
    onTestFinished(next.session.$session.listen(() => undefined))
    expect(keysOf(next)).toBeUndefined()
    expect(await next.following.setFollowed('t1', true)).toBe('failed')
  })
})
