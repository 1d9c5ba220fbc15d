import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { precompress } from '../../../src/server/publishing/build/compile.ts'
import { staticFiles } from '../../../src/server/publishing/serving/static-files.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { clientFor } from './support.ts'

const SCRIPT = 'export const answer = 42 // '.padEnd(4000, 'karras ')

const SECURE = { 'strict-transport-security': 'max-age=31536000' }

async function builtFiles() {
  const root = temporaryDirectory()
  const client = join(root, 'client')
  mkdirSync(join(client, '_astro'), { recursive: true })
  mkdirSync(join(root, 'server'))
  writeFileSync(join(root, 'server', 'secret.mjs'), 'secret')
  writeFileSync(join(client, '_astro', 'app.Xy12.js'), SCRIPT)
  writeFileSync(join(client, '_astro', 'font.woff2'), Buffer.alloc(2000, 7))
  writeFileSync(join(client, 'robots.txt'), 'User-agent: *\n')
  writeFileSync(join(client, 'two words.txt'), 'spaced')
  await precompress(client)
  return clientFor(staticFiles(client, SECURE))
}

describe('static files', () => {
  test('are sent in the encoding that the client accepts, each with its own ETag', async () => {
    const get = await builtFiles()
    const path = '/_astro/app.Xy12.js'
    const plain = await get(path)
    const gzip = await get(path, { 'accept-encoding': 'gzip' })
    const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })

    expect(plain.body.toString()).toBe(SCRIPT)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(gunzipSync(gzip.body).toString()).toBe(SCRIPT)
    expect(brotliDecompressSync(brotli.body).toString()).toBe(SCRIPT)
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(brotli.body.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      ...SECURE,
      vary: 'accept-encoding',
    })
    const tags = [plain, gzip, brotli].map(({ headers }) => headers.etag)
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/)
  })

  test.each([
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
    ['*', 'br'],
    ['BR', 'br'],
    ['gzip;q=0.5, br;q=0.1', 'br'],
    ['', undefined],
  ])('honour "accept-encoding: %s"', async (accepted, encoding) => {
    const get = await builtFiles()
    const { headers } = await get('/_astro/app.Xy12.js', { 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(encoding)
  })

  test('that compression does not shrink are sent as they are', async () => {
    const get = await builtFiles()
    const font = await get('/_astro/font.woff2', { 'accept-encoding': 'br' })
    expect(font.headers).toMatchObject({ 'content-type': 'font/woff2', 'content-length': '2000' })
    expect(font.headers.vary).toBeUndefined()
    expect(font.headers['content-encoding']).toBeUndefined()
  })

  test('are not sent again to clients that have them', async () => {
    const get = await builtFiles()
    const { headers } = await get('/robots.txt', { 'accept-encoding': 'br' })
    const etag = headers.etag ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/robots.txt', { 'if-none-match': known })
      expect([again.status, again.body.length]).toEqual([304, 0])
      expect(again.headers['cache-control']).toBe(headers['cache-control'])
    }
    for (const other of ['"other"', '', 'nonsense']) {
      expect((await get('/robots.txt', { 'if-none-match': other })).status).toBe(200)
    }
  })

  test('answer HEAD without a body and ignore other methods', async () => {
    const get = await builtFiles()
    const head = await get('/robots.txt', {}, 'HEAD')
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '14', 0])
    expect((await get('/robots.txt', {}, 'POST')).status).toBe(418)
  })

  test('are found with a query and with escapes', async () => {
    const get = await builtFiles()
    expect((await get('/robots.txt?v=1')).status).toBe(200)
    expect((await get('/two%20words.txt')).body.toString()).toBe('spaced')
  })

  test.each([
    '/../server/secret.mjs',
    '/_astro/../../server/secret.mjs',
    '/%2e%2e/server/secret.mjs',
    '/..%2fserver%2fsecret.mjs',
    '/_astro/%2e%2e%5c%2e%2e%5cserver%5csecret.mjs',
    '//robots.txt',
    '/_astro',
    '/_astro/',
    '/robots.txt/',
    '/robots.txt%00.js',
    '/_astro/app.Xy12.js.br',
    '/%E0%A4%A',
  ])('never lead out of their directory: %s', async (path) => {
    const get = await builtFiles()
    expect((await get(path)).status).toBe(418)
  })
})
