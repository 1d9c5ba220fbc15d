import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { TIMEOUTS } from '../../../src/server/http/listener.ts'
import { stopServer } from '../../../src/server/http/stop.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { pong } from './ping.ts'

describe('pages', () => {
  test('are answered before the API, which keeps its own addresses', async () => {
    const asked: string[] = []
    const app = await testApp({
      routes: pong(async () => ({})),
      pages: async (request, response) => {
        asked.push(request.url ?? '')
        if (request.url !== '/shop') return false
        response.end('the shop')
        return true
      },
    })
    expect((await app.request('GET', '/shop')).body).toBe('the shop')
    expect((await app.request('GET', '/api/ping')).body).toEqual({})
    expect((await app.request('GET', '/api?x')).status).toBe(404)
    expect((await app.request('GET', '/apis')).status).toBe(404)
    expect(asked).toEqual(['/shop', '/apis'])
  })

  test('that fail are logged and cost one answer', async () => {
    const app = await testApp({ routes: [], pages: () => Promise.reject(new Error('torn page')) })
    const answer = await app.request('GET', '/')
    expect([answer.status, answer.body]).toEqual([500, 'Server error'])
    expect(JSON.stringify(app.log.splice(0))).toContain('torn page')
  })
})

describe('a slow or strange client', () => {
  const impatient = { ...TIMEOUTS, headers: 100, request: 200, checked: 20 }

  test.for([
    ['headers that never end', 'GET /api/ping HTTP/1.1\r\nhost: x\r\n'],
    [
      'a body that never comes',
      'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    ],
  ] as const)('is let go: %s', async ([, text]) => {
    const app = await testApp({ timeouts: impatient })
    expect(await exchange(app, text)).toMatch(/^HTTP\/1.1 400 .*"status":400,/s)
  })

  test.for([
    ['no HTTP', 'HELO karras\r\n\r\n', 400],
    ['huge headers', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 413],
    ['two lengths', 'POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
  ] as const)('is refused in JSON: %s', async ([, text, status]) => {
    const app = await testApp()
    const answer = await exchange(app, text)
    expect(answer.startsWith(`HTTP/1.1 ${status} `)).toBe(true)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status })
  })
})

describe('a stop', () => {
  test('finishes what is in flight, then takes nothing more', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const entered = vi.fn()
    const app = await testApp({
      routes: pong(async () => {
        entered()
        await opened
        return { isDone: true }
      }),
    })
    const agent = new Agent({ keepAlive: true })
    const answer = get(`${app.url}/api/ping`, agent)
    await vi.waitFor(() => expect(entered).toHaveBeenCalled())
    const stopped = app.app.stop()
    await vi.waitFor(() => expect(fetch(app.url)).rejects.toThrow())
    open()
    expect(await answer).toEqual([200, '{"isDone":true}'])
    await stopped
    agent.destroy()
  })

  test('cuts what does not finish in time', async () => {
    const entered = vi.fn()
    const app = await testApp({
      routes: pong(() => {
        entered()
        return new Promise(() => {})
      }),
    })
    const answer = app.request('GET', '/api/ping').catch(() => 'cut')
    await vi.waitFor(() => expect(entered).toHaveBeenCalled())
    await stopServer(app.app.server, 50)
    expect(await answer).toBe('cut')
  })
})

function get(url: string, agent: Agent): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { agent }, (response) => {
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve([response.statusCode, text]))
    })
      .on('error', reject)
      .end()
  })
}

/** Sends bytes as they are and reads until the server hangs up. */
function exchange(app: TestApp, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
