import { describe, expect, test, vi } from 'vitest'
import { type ApiRequest, createApi } from '../../src/client/api.ts'
import { httpTransport } from '../../src/client/http.ts'
import { officeTransport } from '../../src/client/office.ts'
import { listPurchased } from '../../src/contract/library.ts'

const request: ApiRequest = { method: 'GET', path: '/things?x=1', headers: { accept: 'a/b' } }

const answering = (body: BodyInit | null, type: string, status = 200) =>
  vi.fn<typeof fetch>(
    async () => new Response(body, { status, headers: type ? { 'content-type': type } : {} }),
  )

/** Never answers; ends only when it is aborted. */
const silent: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
  })

describe.each([
  ['the shop', httpTransport],
  ['the office', officeTransport],
])('the transport of %s', (_, transport) => {
  test('sends requests under /api and reads JSON by its content type', async () => {
    const fetch = answering('{"a":1}', 'application/json; charset=utf-8', 404)
    expect(await transport('http://shop', { fetch })(request)).toEqual({
      status: 404,
      body: { a: 1 },
    })
    expect(fetch.mock.calls[0]?.[0]).toBe('http://shop/api/things?x=1')
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({ method: 'GET', keepalive: false })
  })

  test('text is text, a file is a blob, broken JSON has no body', async () => {
    const bodyOf = async (fetch: typeof globalThis.fetch) =>
      (await transport('', { fetch })(request)).body
    expect(await bodyOf(answering('/preview/x', 'text/plain'))).toBe('/preview/x')
    expect(await bodyOf(answering('<h1>', 'application/json', 502))).toBe('<h1>')
    expect(await bodyOf(answering(null, '', 204))).toBeNull()
    const file = await bodyOf(answering('%PDF', 'application/pdf'))
    expect(file).toBeInstanceOf(Blob)
    expect((file as Blob).type).toBe('application/pdf')
  })

  test('says when the server answered, unless a cache may have kept the answer', async () => {
    const said: number[] = []
    const date = 'Thu, 26 Nov 2026 10:00:00 GMT'
    for (const headers of [
      { date, 'cache-control': 'no-store' },
      { date, 'cache-control': 'public, max-age=60' },
      { date, 'cache-control': 'no-store', age: '5' },
      { date },
      { date: 'yesterday', 'cache-control': 'no-store' },
    ] as Record<string, string>[]) {
      const fetch = async () => new Response('{}', { headers })
      await transport('', { fetch, onTime: (time) => said.push(time) })(request)
    }
    expect(said).toEqual([Date.parse(date)])
  })

  test('a request that changes something outlives the page', async () => {
    const fetch = answering(null, '')
    await transport('', { fetch })({ ...request, method: 'POST', body: '{}' })
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({ keepalive: true, body: '{}' })
  })

  test('no response, or none in time, is the status 0', async () => {
    const refused: typeof fetch = () => Promise.reject(new TypeError('refused'))
    expect(await transport('', { fetch: refused })(request)).toEqual({ status: 0, body: null })
    const late = transport('', { fetch: silent, timeoutMs: 5 })
    expect(await late(request)).toEqual({ status: 0, body: null })
  })

  /** Starts its response and never ends it, until it is aborted. */
  const stalling =
    (type: string): typeof fetch =>
    async (_, init) =>
      new Response(
        new ReadableStream({
          start: (stream) => {
            stream.enqueue(new TextEncoder().encode('{'))
            init?.signal?.addEventListener('abort', () => stream.error(new DOMException('')))
          },
        }),
        { headers: { 'content-type': type } },
      )

  test('a body that stalls is the status 0 as well', async () => {
    const fetch = stalling('application/json')
    expect(await transport('', { fetch, timeoutMs: 5 })(request)).toEqual({
      status: 0,
      body: null,
    })
  })

  test('a file that has started has no time-out, until the caller aborts it', async () => {
    const control = new AbortController()
    const fetch = stalling('application/pdf')
    const asking = transport('', { fetch, timeoutMs: 5 })({
      ...request,
      signal: control.signal,
    })
    const early = await Promise.race([
      asking,
      new Promise((done) => setTimeout(done, 50, 'going on')),
    ])
    expect(early).toBe('going on')
    control.abort(new Error('left'))
    await expect(asking).rejects.toThrow('left')
  })

  test('rethrows the caller’s own abort', async () => {
    const control = new AbortController()
    const asking = transport('', { fetch: silent })({ ...request, signal: control.signal })
    control.abort(new Error('left'))
    await expect(asking).rejects.toThrow('left')
  })

  test('nothing is sent twice', async () => {
    const fetch = answering('{}', 'application/json', 503)
    await transport('', { fetch })(request)
    expect(fetch).toHaveBeenCalledOnce()
  })
})

describe('the client', () => {
  const failing = (status: number, body: unknown) =>
    createApi(async () => ({ status, body }))(listPurchased, {})

  test('errors have the code of the response', async () => {
    await expect(failing(401, { error: 'invalid_token', message: 'm' })).rejects.toMatchObject({
      name: 'ApiError',
      code: 'invalid_token',
      message: 'm',
    })
    await expect(failing(0, null)).rejects.toMatchObject({ code: 'network' })
    await expect(failing(502, '<html>')).rejects.toMatchObject({ code: 'unknown', fields: {} })
    await expect(failing(500, { error: 'toString' })).rejects.toMatchObject({ code: 'unknown' })
  })

  test('a good status with a body outside the contract is an error as well', async () => {
    await expect(failing(200, [{ documentId: 'x' }])).rejects.toMatchObject({
      name: 'ApiError',
      code: 'bad_answer',
    })
  })
})
