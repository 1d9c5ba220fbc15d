import { describe, expect, test } from 'vitest'
import { createAttempts } from '../../../src/server/http/attempt-counter.ts'
import { readForwardedFor } from '../../../src/server/http/client-address.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { pong } from './ping.ts'

describe('limits', () => {
  const tight = { ...ALLOWANCES, calls: { max: 3, windowMs: 60_000 } }
  const get = (app: TestApp, address: string, path = '/api/ping') =>
    app.request('GET', path, { headers: { 'x-forwarded-for': address } })

  test('apply per address, including unknown paths, and say when to retry', async () => {
    const app = await testApp({ routes: pong(async () => ({})), allowances: tight })
    for (const path of ['/api/ping', '/api/nowhere', '/api/ping']) {
      expect((await get(app, '203.0.113.1', path)).status).toBeLessThan(429)
    }
    const refused = await get(app, '203.0.113.1')
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ status: 429, error: 'too_many_requests' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await get(app, '203.0.113.1', '/api/nowhere')).status).toBe(429)
    expect((await get(app, '203.0.113.2')).status).toBe(200)
  })

  test('count the addresses of one IPv6 network as one, and do not count this machine', async () => {
    const app = await testApp({ routes: pong(async () => ({})), allowances: tight })
    const statuses = []
    for (const end of [1, 2, 3, 4]) statuses.push((await get(app, `2001:db8::${end}`)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    for (let index = 0; index < 5; index++) {
      expect((await app.request('GET', '/api/ping')).status).toBe(200)
    }
  })

  test('apply to the clients that a trusted proxy names, and to no others', async () => {
    const env = { TRUSTED_PROXIES: '203.0.113.0/24' }
    const app = await testApp({ env, routes: pong(async () => ({})), allowances: tight })
    const statuses = []
    for (const proxy of [1, 2, 3, 4]) {
      statuses.push((await get(app, `198.51.100.1, 203.0.113.${proxy}`)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await get(app, '198.51.100.2, 203.0.113.1')).status).toBe(200)
    // What a client claims about itself counts for nothing.
    expect((await get(app, '192.0.2.9, 198.51.100.1, 203.0.113.1')).status).toBe(429)
  })
})

describe('X-Forwarded-For', () => {
  const nearest = (header: string) => {
    const headers = { 'x-forwarded-for': header }
    readForwardedFor({ headers })
    return headers['x-forwarded-for']
  }

  test('keeps whole addresses', () => {
    for (const list of ['203.0.113.1', '2001:db8::1', '::ffff:127.0.0.1', '10.0.0.1, 127.0.0.1']) {
      expect(nearest(list)).toBe(list)
    }
  })

  test.each([
    ['127.0.0.1.evil'],
    ['127.1'],
    ['127.000.0.1'],
    ['2130706433'],
    ['0x7f.0.0.1'],
    ['127.0.0.1:80'],
    ['[::1]'],
    ['[::1]:80'],
    ['fe80::1%lo'],
    ['::1%lo'],
    ['localhost'],
    ['unknown'],
    [''],
    ['127.0.0.1,'],
    ['127.0.0.1 127.0.0.1'],
  ])('takes %j for no address, and never for this machine', async (wrong) => {
    expect(nearest(wrong)).toBe('0.0.0.0')
    expect(nearest(`203.0.113.1, ${wrong}, 127.0.0.1`)).toBe('0.0.0.0, 127.0.0.1')
    const allowances = { ...ALLOWANCES, calls: { max: 3, windowMs: 60_000 } }
    const app = await testApp({ routes: pong(async () => ({})), allowances })
    const statuses: number[] = []
    for (let at = 0; at < 4; at++) {
      const headers = { 'x-forwarded-for': wrong }
      statuses.push((await app.request('GET', '/api/ping', { headers })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test('believes the nearest of a very long list', () => {
    expect(nearest(`${'203.0.113.1, '.repeat(1000)}127.0.0.1`).split(', ')).toHaveLength(16)
  })
})

describe('a counter of attempts', () => {
  const ONE = { max: 1, windowMs: 60_000 }

  test('keeps a limited number of keys, and drops the oldest', () => {
    const attempts = createAttempts(() => 0)
    for (let key = 0; key < 50_000; key++) attempts.take(`${key}`, ONE)
    expect(attempts.take('0', ONE)).toBe(60)
    attempts.take('one more', ONE)
    expect(attempts.take('1', ONE)).toBe(0)
  })

  test('uses no more memory than its keys: every live connection has one', () => {
    const used = () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const before = used()
    const counters = Array.from({ length: 200 }, () => createAttempts(() => 0))
    for (const counter of counters) counter.take('messages', ONE)
    expect((used() - before) / 1024 / counters.length).toBeLessThan(100)
  })
})
