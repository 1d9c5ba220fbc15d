import { object, string } from 'superstruct'
import { describe, expect, test, vi } from 'vitest'
import { defineCall } from '../../../src/contract/call.ts'
import { nothing } from '../../../src/contract/values.ts'
import { DatabaseUnavailable } from '../../../src/server/database/unavailable.ts'
import { fault } from '../../../src/server/http/errors.ts'
import { requestIdsFrom } from '../../../src/server/http/request-id.ts'
import { route } from '../../../src/server/http/route.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { PATIENCE } from '../../support/patience.ts'
import { pong } from './ping.ts'

/** A server whose call fails with this error. */
const failing = (error: Error) => testApp({ routes: pong(() => Promise.reject(error)) })

describe('an error', () => {
  test('that is unexpected is logged and answered without details', async () => {
    const app = await failing(new Error('the wallet of 7 is on fire'))
    const { status, body, headers } = await app.request('GET', '/api/ping?access_token=hush', {
      headers: { authorization: 'Bearer hush', 'x-request-id': 'proxy-17' },
    })
    expect([status, headers.get('x-request-id')]).toEqual([500, 'proxy-17'])
    expect(body).toEqual({
      status: 500,
      error: 'server_error',
      message: 'Server error. Please try again later.',
    })
    const [line, ...others] = app.log.splice(0)
    expect(line).toMatchObject({
      level: 'error',
      process: process.pid,
      request: 'proxy-17',
      req: { method: 'GET', route: '/api/ping' },
    })
    expect(Date.parse(String(line?.time))).toBeGreaterThan(0)
    expect(JSON.stringify(line)).toContain('the wallet of 7 is on fire')
    expect(JSON.stringify(line)).not.toContain('hush')
    expect(others).toEqual([])
  })

  test('has an id of the shop’s own unless a trusted proxy gives a plain one', async () => {
    const idOf = async (app: TestApp, given: string) => {
      const { headers } = await app.request('GET', '/api/ping', {
        headers: { 'x-request-id': given },
      })
      const [line] = app.log.splice(0)
      expect(headers.get('x-request-id')).toBe(line?.request)
      return line?.request
    }
    const fault = new Error('a fault')
    const app = await failing(fault)
    expect(await idOf(app, 'a b"}')).toMatch(/^[0-9a-f-]{36}$/)
    const { givenId } = requestIdsFrom(['loopback'])
    const from = (remoteAddress: string) =>
      ({ headers: { 'x-request-id': 'proxy-17' }, socket: { remoteAddress } }) as never
    expect([givenId(from('127.0.0.1')), givenId(from('203.0.113.9'))]).toEqual([
      'proxy-17',
      undefined,
    ])
  })

  test('of an unreachable database is 503 with Retry-After, not a server error', async () => {
    const app = await failing(new DatabaseUnavailable('gone'))
    const { status, body, headers } = await app.request('GET', '/api/ping')
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(body).toMatchObject({ error: 'unavailable' })
    expect(app.log).toMatchObject([{ level: 'warn', msg: 'unavailable' }])
  })

  test('carries titles and fields unchanged', async () => {
    const app = await failing(fault('already_owned', { titles: ['كتاب'] }))
    expect((await app.request('GET', '/api/ping')).body).toEqual({
      status: 409,
      error: 'already_owned',
      message: 'Some of these documents are already yours.',
      titles: ['كتاب'],
    })
  })

  test.for([
    ['GET', '/api/nowhere', 404],
    ['GET', '/nowhere', 404],
    ['GET', '/api', 404],
    ['GET', '/api/ping/', 404],
    ['POST', '/api/ping', 405],
    ['OPTIONS', '/api/ping', 405],
    ['GET', '/api/%', 400],
    ['GET', '/%ff', 400],
  ] as const)('%s %s is %i in JSON', async ([method, path, status]) => {
    const app = await testApp({ routes: pong(async () => ({})) })
    const answer = await app.request(method, path)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ status, error: expect.any(String) })
  })
})

describe('input', () => {
  const Body = object({ name: string() })
  const greet = defineCall('POST /greet/:name', 'anyone', {
    params: object({ name: string() }),
    query: object({ tone: string() }),
    body: Body,
    result: nothing(),
  })
  const echo = [route(greet, async ({ input }) => input)]

  test('reaches the route without fields that the contract does not declare', async () => {
    const app = await testApp({ routes: echo })
    const { body } = await app.request('POST', '/api/greet/a%20b?tone=c&utm_source=d', {
      body: { name: 'e', isAdmin: true },
    })
    expect(body).toEqual({ params: { name: 'a b' }, query: { tone: 'c' }, body: { name: 'e' } })
  })

  test('that is invalid is explained field by field', async () => {
    const app = await testApp({ routes: echo })
    const { body } = await app.request('POST', '/api/greet/a?tone=', { body: {} })
    expect(body).toMatchObject({ error: 'invalid_input', fields: { tone: 'required' } })
    const wrongBody = await app.request('POST', '/api/greet/a?tone=b', { body: { name: 5 } })
    expect(wrongBody.body).toMatchObject({ fields: { name: 'invalid' } })
  })

  test('may declare a JSON body and omit it where a call takes none', async () => {
    const app = await testApp({ routes: pong(async () => ({ isHere: true })) })
    const headers = { 'content-type': 'application/json' }
    expect((await app.request('GET', '/api/ping', { headers })).body).toEqual({ isHere: true })
  })
})

describe('an overloaded process', () => {
  test('sheds calls, but never a payment step', async () => {
    const blocked = () => {
      const until = performance.now() + 30
      while (performance.now() < until);
    }
    const app = await testApp({ overloadDelay: 1 })
    const load = setInterval(blocked, 1)
    try {
      await vi.waitFor(async () => {
        const { status, headers } = await app.request('GET', '/api/category')
        expect([status, headers.get('retry-after')]).toEqual([503, '5'])
      }, PATIENCE)
      for (const [method, path] of [
        ['GET', '/api/orderss/payment/success?paymentRef=unknown'],
        ['GET', '/api/orderss/payment/cancel?paymentRef=unknown'],
        ['GET', '/api/orderss/payment/webhook?payment_ref=unknown'],
        ['POST', '/api/orderss/sandbox/initiate?orderId=1&method=card'],
      ] as const) {
        // Calls are shed while the load lasts; a database that is late only once does not cause
        // that.
        await vi.waitFor(async () => {
          expect((await app.request(method, path)).status, path).not.toBe(503)
        }, PATIENCE)
      }
    } finally {
      clearInterval(load)
    }
  })
})

describe('headers', () => {
  test('protect every response, and require HTTPS only where the shop has it', async () => {
    const plain = await testApp({ routes: pong(async () => ({})) })
    const secure = await testApp({
      routes: pong(async () => undefined),
      env: { SITE_URL: 'https://karras.tn' },
    })
    const first = await plain.request('GET', '/api/ping')
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(first.headers.has('strict-transport-security')).toBe(false)
    const second = await secure.request('GET', '/api/ping')
    expect(second.status).toBe(204)
    expect(second.headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test.each([
    { type: 'application/json', isDocument: false },
    { type: 'image/webp', isDocument: false },
    { type: 'image/svg+xml', isDocument: true },
    { type: 'text/html; charset=utf-8', isDocument: true },
    { type: 'application/pdf', isDocument: true },
  ])('set document headers for $type: $isDocument', async ({ type, isDocument }) => {
    const app = await testApp({ routes: pong(async ({ reply }) => reply.type(type).send('')) })
    const { headers } = await app.request('GET', '/api/ping')
    const policy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"
    expect(headers.get('content-security-policy')).toBe(isDocument ? policy : null)
    expect(headers.get('cross-origin-opener-policy')).toBe(isDocument ? 'same-origin' : null)
    expect(headers.get('referrer-policy')).toBe(isDocument ? 'no-referrer' : null)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('announce compression when a response is large and the client accepts it', async () => {
    const large = { text: 'كراس '.repeat(500) }
    const app = await testApp({ routes: pong(async () => large) })
    const packed = await app.request('GET', '/api/ping', { headers: { 'accept-encoding': 'br' } })
    expect(packed.headers.get('content-encoding')).toBe('br')
    const plain = await app.request('GET', '/api/ping', {
      headers: { 'accept-encoding': 'identity' },
    })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect([packed.body, plain.body]).toEqual([large, large])
  })

  test('keep the caching that a route sets', async () => {
    const app = await testApp({
      routes: pong(async ({ reply }) => {
        reply.header('cache-control', 'private, no-cache')
        return {}
      }),
    })
    const { headers } = await app.request('GET', '/api/ping')
    expect(headers.get('cache-control')).toBe('private, no-cache')
  })

  test('never allow caching an error, whatever the route had set', async () => {
    const app = await testApp({
      routes: pong(async ({ reply }) => {
        reply.header('cache-control', 'public, max-age=60')
        throw fault('not_found')
      }),
    })
    const { headers } = await app.request('GET', '/api/ping')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})
