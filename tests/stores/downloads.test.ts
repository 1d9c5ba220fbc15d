import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ApiResponse } from '../../src/client/api.ts'
import {
  isInsideAnApp,
  outsideAddress,
  PREPARATION_TRIES,
  PREPARATION_WAIT_MS,
} from '../../src/rules/downloads.ts'
import { aToken, emptyBrowser, openPage, storage } from './browser.ts'
import { fakeShop } from './fake-shop.ts'

const LINK = '/api/file/fr-7-3-1-1767225600000-abc_d'
const document = { documentId: 3, title: 'درس: الكسور / 1', fileType: 'pdf' }

/** What the browser was told to download. */
let downloads: { href: string; download: string }[]
let lacking: string

beforeEach(() => {
  emptyBrowser()
  storage.token = aToken()
  downloads = []
  lacking = ''
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11) Safari/537.36' })
  vi.stubGlobal('location', new URL('https://shop.example/my-documents'))
  vi.stubGlobal('document', {
    get documentElement() {
      return { dataset: { lacks: lacking } }
    },
    createElement: () => ({
      click() {
        downloads.push(this as unknown as (typeof downloads)[number])
      },
    }),
    dispatchEvent: () => true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Presses *download* in a shop that gives these answers, the last one for good. */
async function press(answers: ApiResponse[], place: 'library' | 'details' = 'library') {
  const shop = fakeShop()
  shop.transport = async (request) => {
    shop.requests.push(request)
    return answers[Math.min(shop.requests.length, answers.length) - 1] ?? { status: 0, body: null }
  }
  const page = await openPage(shop)
  const outcome = page.downloads.download(document, place, 'fr')
  await vi.advanceTimersByTimeAsync(PREPARATION_TRIES * PREPARATION_WAIT_MS)
  return { outcome: await outcome, requests: shop.requests }
}

const given: ApiResponse = { status: 200, body: { path: LINK, expiresAt: '2026-03-05T10:00:00Z' } }
const refused = (status: number): ApiResponse => ({ status, body: { error: 'x' } })

describe('a press on download', () => {
  test('asks for a link, which the browser downloads', async () => {
    const { outcome, requests } = await press([given])
    expect(outcome).toEqual({ phase: 'started' })
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /library/documents/3/link',
    ])
    expect(downloads).toMatchObject([{ href: LINK, download: '' }])
  })

  test('waits while the shop prepares the file, but not for ever', async () => {
    expect((await press([refused(503), refused(503), given])).outcome).toEqual({ phase: 'started' })
    const { outcome, requests } = await press([refused(503)])
    expect(outcome).toEqual({ phase: 'failed', problem: 'download_server_error' })
    expect(requests).toHaveLength(1 + PREPARATION_TRIES)
  })

  test.each([
    ['library', 403, 'download_forbidden'],
    ['library', 404, 'download_not_found'],
    ['library', 410, 'download_gone'],
    ['library', 500, 'download_server_error'],
    ['library', 422, 'download_failed'],
    ['library', 0, 'download_failed'],
    // Not the buyer's connection: the machine before the shop does not reach it.
    ['library', 501, 'download_server_error'],
    ['details', 500, 'download_file_missing'],
    ['details', 501, 'download_file_missing'],
    ['details', 403, 'download_failed'],
  ] as const)('in %s, status %i: %s', async (place, status, problem) => {
    const { outcome } = await press([refused(status)], place)
    expect(outcome).toEqual({ phase: 'failed', problem })
    expect(downloads).toEqual([])
  })

  test.each(['//evil.example/api/file/x', 'https://evil.example/', '/api/file/../orders', ''])(
    'does not follow %j',
    async (path) => {
      const { outcome } = await press([{ ...given, body: { ...Object(given.body), path } }])
      expect(outcome).toEqual({ phase: 'failed', problem: 'download_failed' })
      expect(downloads).toEqual([])
    },
  )

  test('needs a token', async () => {
    delete storage.token
    const { outcome, requests } = await press([given])
    expect(outcome).toEqual({ phase: 'failed', problem: 'not_logged_in' })
    expect(requests).toEqual([])
  })

  test('inside another app leads to the phone’s own browser', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Linux; Android 14; wv) Safari/537.36' })
    expect((await press([given])).outcome).toEqual({
      phase: 'outside',
      address: `intent://shop.example${LINK}#Intent;scheme=https;action=android.intent.action.VIEW;end`,
    })
    expect(downloads).toEqual([])
  })
})

describe('before another backend, a press on download', () => {
  beforeEach(() => {
    lacking = 'downloads archive'
  })

  test('saves the file under its title, and revokes its URL after 100 ms', async () => {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1')
    const revoked = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue(undefined)
    const shop = fakeShop()
    shop.transport = async (request) => {
      shop.requests.push(request)
      return { status: 200, body: new Blob(['%PDF'], { type: 'application/pdf' }) }
    }
    const page = await openPage(shop)
    expect(await page.downloads.download(document, 'library', 'fr')).toEqual({ phase: 'started' })
    expect(shop.requests[0]?.path).toMatch(/^\/documents\/download\/3\/7\?t=\d+$/)
    expect(downloads).toMatchObject([{ href: 'blob:1', download: 'درس الكسور 1.pdf' }])
    expect(revoked).not.toHaveBeenCalled()
    vi.advanceTimersByTime(100)
    expect(revoked).toHaveBeenCalledWith('blob:1')
  })

  test('fails at an empty file and at none', async () => {
    for (const body of [new Blob([]), null, 'text']) {
      const { outcome } = await press([{ status: 200, body }])
      expect(outcome).toEqual({ phase: 'failed', problem: 'download_failed' })
    }
  })
})

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15'
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; SM-A155F'

test.each([
  [`${ANDROID}; wv) AppleWebKit/537.36 Version/4.0 Chrome/126.0 Mobile Safari/537.36`, true],
  [`${ANDROID}) Chrome/126.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/470.0.0.0;]`, true],
  [`${ANDROID}) Chrome/126.0 Mobile Safari/537.36 Instagram 337.0.0.0 Android`, true],
  [`${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/470.0;FBDV/iPhone14,7]`, true],
  [`${IPHONE} Mobile/15E148 Safari/604.1 musical_ly_34.0.0 BytedanceWebview/d8a21c6`, true],
  [`${IPHONE} Mobile/15E148`, true],
  [`${ANDROID}) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36`, false],
  ['Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0', false],
  [`${IPHONE} (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1`, false],
  [`${IPHONE} (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1`, false],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36',
    false,
  ],
])('%s is inside an app: %s', (userAgent, expected) => {
  expect(isInsideAnApp(userAgent, false)).toBe(expected)
})

test('a shop on the home screen of an iPhone saves files', () => {
  expect(isInsideAnApp(`${IPHONE} Mobile/15E148`, true)).toBe(false)
  const url = new URL('https://shop.example/fr/my-documents?q=x')
  expect(outsideAddress(url, IPHONE)).toBe('x-safari-https://shop.example/fr/my-documents?q=x')
})
