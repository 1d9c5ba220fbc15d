// @at-landing: sends generated requests to every route of two started shops.
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CALLS } from '../../src/contract/index.ts'
import { LOCALES } from '../../src/i18n/locales.ts'
import { inLanguage } from '../../src/i18n/paths.ts'
import { routeOf } from '../../src/server/publishing/build/integration.ts'
import { amount } from '../support/amount.ts'
import { fillDataDir } from '../support/filled-shop.ts'
import { PATIENCE } from '../support/patience.ts'
import { type ShopProcess, spawnShop } from '../support/shop-process.ts'

// Covers every route that the process serves, in the shop itself and in front of another backend.

const RUNS = amount('GARBAGE_RUNS', { usual: 60, long: 400 })
const pages = resolve(import.meta.dirname, '../../src/pages')

const MALICIOUS =
  '%00 % %zz %c3%28 %ff%fe %ed%a0%80 %F0%9F \u00e9 // /. /.. /../../etc/passwd %2e%2e/ %2F \\ %5c ;a=b .png .php ' +
  `-1 0 1e9 99999999999999999999 NaN __proto__ constructor ' "><script> %E2%80%AE %D8%A7`
const LONG = ['x'.repeat(300), 'x'.repeat(15_000), '%41'.repeat(4_000)]
const printable = fc.string({
  unit: fc.integer({ min: 33, max: 126 }).map((c) => String.fromCharCode(c)),
  maxLength: 20,
})
const piece = fc.oneof(
  fc.constantFrom(...MALICIOUS.split(' '), ...LONG, ''),
  printable.map((text) => text.replace(/[?#]/g, 'x')),
)
const NAMES =
  'search page level matiereId price minPrice maxPrice sort rating x title type access_token returnTo %00 []'
const query = fc.array(fc.tuple(fc.constantFrom(...NAMES.split(' ')), piece), { maxLength: 4 })
const METHODS = 'GET GET GET HEAD POST PUT DELETE OPTIONS PATCH'
const method = fc.constantFrom(...METHODS.split(' '))
const header = fc.constantFrom(
  '',
  'accept-encoding: br\r\n',
  'accept-encoding: zstd;q=nonsense, *;q=0\r\n',
  'if-none-match: "x", W/"", *\r\n',
  'range: bytes=9999999-\r\n',
  'authorization: Bearer x.y.z\r\n',
  'x-forwarded-for: not an address, ,::\r\n',
  'upgrade: websocket\r\nconnection: upgrade\r\n',
  'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: x\r\nsec-websocket-version: 99\r\n',
  'content-type: application/json\r\ncontent-length: 1\r\n\r\n{',
  'content-type: nonsense\r\ncontent-length: 2\r\n\r\n{}',
  'expect: 100-continue\r\n',
)

const METRICS_TOKEN = 'sixteen-characters'

let directory: string
let shop: ShopProcess
let front: ShopProcess
let routes: string[]

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karras-garbage-'))
  await mkdir(join(directory, 'shop'))
  await fillDataDir(join(directory, 'shop'))
  const common = { METRICS_TOKEN, CHAT_MAIL: '0' }
  shop = await spawnShop({ ...common, DATA_DIR: join(directory, 'shop'), DEMO: '1' })
  front = await spawnShop({ ...common, DATA_DIR: join(directory, 'front'), API_ORIGIN: shop.url })
  const files = await readdir(pages, { recursive: true })
  const addresses = files.flatMap((file) => routeOf(file) ?? [])
  const built = await (await fetch(shop.url)).text()
  routes = [
    ...addresses.flatMap((path) => LOCALES.map((locale) => inLanguage(locale, path || '/'))),
    ...Object.values(CALLS).map(({ path }) => `/api${path}`),
    '/api/preview/:token',
    '/api/preview/:token/1.webp',
    '/media/covers/:name',
    '/media/portraits/:name',
    '/media/og/:name',
    '/sitemap.xml',
    '/sitemap-:part.xml',
    '/sitemap-documents-1.xml',
    '/robots.txt',
    '/rss.xml',
    '/fr/rss.xml',
    '/favicon.svg',
    ...(/\/_astro\/[\w.-]+/.exec(built) ?? []),
    '/ws',
    '/api',
    '/media',
    '/',
  ]
})

afterAll(async () => {
  await front?.stop()
  await shop?.stop()
  await rm(directory, { recursive: true, force: true })
})

describe.each(['the shop', 'the site in front of another backend'])('%s', (which) => {
  const address = () => (which === 'the shop' ? shop : front)

  test('answers any request, on every route, below 500', async () => {
    const route = fc.nat().map((n) => routes[n % routes.length] ?? '/')
    await fc.assert(
      fc.asyncProperty(
        route,
        piece,
        fc.option(piece),
        query,
        method,
        header,
        async (path, param, more, queryPairs, verb, extra) => {
          const target = path.replace(/:\w+|\[\w+\]/g, () => param) + (more ?? '')
          const search = queryPairs.map(([name, value]) => `${name}=${value}`).join('&')
          const url = `${target}${search && `?${search}`}`.replace(/[\s]/g, '') || '/'
          const text = await send(
            address().url,
            `${verb} ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${extra}${extra.includes('\r\n\r\n') ? '' : '\r\n'}`,
            500,
          )
          // Overload (503) is a valid response.
          expect(text.slice(0, 500)).not.toMatch(/^HTTP\/1\.1 5(?!03)/m)
          expect(text).not.toMatch(/\n {4}at /)
        },
      ),
      { numRuns: RUNS },
    )
    expect(address().output()).not.toMatch(/unexpected|\n {4}at /)
  })

  test.each([
    ['/%00', 404],
    ['/%ff', 404],
    ['//shop', 404],
    ['/shop\\', 404],
    [`/${'x'.repeat(8000)}`, 404],
    ['/shop?page=999999999', 200],
    ['/shop?page=999999', 200],
    ['/shop?search=%00%ed%a0%80', 200],
    ['/shop-details/99999999999', 404],
    ['/media/covers/%00', 404],
    ['/media/covers/%ff', 400],
    ['/api/documents/%00', 400],
    ['/api/documents/%ff', 400],
    ['/api/nowhere', 404],
  ])('answers %s with its own status', async (path, status) => {
    const request = `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`
    // A shop that is overloaded at the moment is asked again.
    await vi.waitFor(async () => {
      expect((await send(address().url, request)).slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
    }, PATIENCE)
  })

  test('tells its metrics to this machine and by the token, and nobody else', async () => {
    const { host } = new URL(address().url)
    const ask = async (...headers: string[]) =>
      (await send(address().url, requestOf('GET', '/metrics', ...headers))).slice(9, 12)
    const token = `authorization: Bearer ${METRICS_TOKEN}`
    const far = ['host: shop.example', 'x-forwarded-for: 203.0.113.1']
    expect(await ask(`host: ${host}`)).toBe('200')
    expect(await ask(...far, token)).toBe('200')
    expect(await ask(...far)).toBe('404')
    expect(await ask('host: shop.example')).toBe('404')
    expect(await ask(...far, `${token}x`)).toBe('404')
  })

  test('its metrics do not grow by what strangers ask for', async () => {
    const { host } = new URL(address().url)
    const metrics = async () => {
      const text = await send(address().url, requestOf('GET', '/metrics', `host: ${host}`))
      expect(text).toContain('\nkarras_pages_total{source="memory"}')
      return text
    }
    const counted = async () =>
      [...(await metrics()).matchAll(/^karras_(?:http|pages)\w*\{.*?\}/gm)].map(([name]) => name)
    const strange = async (mark: string) => {
      const paths = [`/${mark}`, `/api/${mark}`, `/media/covers/${mark}`, `/shop?search=${mark}`]
      for (const path of [...paths, `/shop-details/${mark}`, `/en/${mark}?${mark}`]) {
        for (const method of ['GET', 'POST', 'PURGE', 'PROPFIND']) {
          await send(address().url, requestOf(method, path, `host: ${mark}.example`))
        }
      }
    }
    await strange('stranger-0')
    const first = await counted()
    for (let n = 1; n < 6; n++) await strange(`stranger-${n}`)
    expect(await counted()).toEqual(first)
    expect(await metrics()).not.toMatch(/stranger|PURGE|PROPFIND/)
  })
})

describe('the site in front of another backend', () => {
  test('closes a connection when its client asks for it', async () => {
    const request = 'GET /api/category HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(front.url, request)))
    for (const text of answers) expect(text).toMatch(/^connection: close/im)
  })

  test('passes refusals on unchanged, and refuses bodies that are too large itself', async () => {
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${front.url}/api${path}`, { ...init, headers: { 'content-type': 'application/json' } })
    const wrong = await call('/auth/login', {
      method: 'POST',
      body: JSON.stringify({ username: 'nobody@karras.test', password: 'wrong-one' }),
    })
    expect([wrong.status, await wrong.json()]).toMatchObject([401, { status: 401 }])
    const malformed = await call('/auth/login', { method: 'POST', body: '{' })
    expect([malformed.status, await malformed.json()]).toMatchObject([400, { status: 400 }])
    const large = await call('/auth/login', { method: 'POST', body: `"${'x'.repeat(100_000)}"` })
    expect([large.status, await large.json()]).toMatchObject([413, { status: 413 }])
    expect((await call('/documents', { method: 'DELETE' })).status).toBe(405)
  })

  test('forwards the address that a local proxy names, and no other', async () => {
    // Wrong passwords are counted by address; only the last address was added by the proxy.
    const guess = (forwarded: string) =>
      fetch(`${front.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
        body: JSON.stringify({ username: 'parent@karras.test', password: 'wrong-one' }),
      }).then(({ status }) => status)
    const statuses: number[] = []
    for (let n = 0; n < 14; n++) statuses.push(await guess(`192.0.2.${n}, 198.51.100.77`))
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses.slice(-2)).toEqual([429, 429])
    expect(await guess('198.51.100.78')).toBe(401)
  })
})

/** A request, after whose answer the connection is closed. */
const requestOf = (method: string, path: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, ...headers, 'connection: close', '', ''].join('\r\n')

/**
 * Sends raw bytes and reads until the server closes the connection, or sends nothing for `silence`
 * ms: a body that never arrives, or an upgraded connection, does not end.
 */
function send(url: string, text: string, silence = PATIENCE.timeout): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.setTimeout(silence, () => socket.destroy())
    socket.on('close', () => done(answer))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? done(answer) : fail(error),
    )
    socket.write(Buffer.from(text, 'latin1'))
  })
}
