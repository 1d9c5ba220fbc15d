import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { TIMEOUTS } from '../../../src/server/http/listener.ts'
import { stopServer } from '../../../src/server/http/stop.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { rawSocket, socketUrl } from '../../support/chat.ts'
import { PATIENCE } from '../../support/patience.ts'
import { pong } from './ping.ts'

describe('pages', () => {
  test('see every request before the API, which handles what they do not', async () => {
    const requested: string[] = []
    const app = await testApp({
      routes: pong(async () => ({})),
      pages: async (request, response) => {
        requested.push(request.url ?? '')
        if (request.url !== '/shop') return false
        response.end('the shop')
        return true
      },
    })
    expect((await app.request('GET', '/shop')).body).toBe('the shop')
    expect((await app.request('GET', '/api/ping')).body).toEqual({})
    expect((await app.request('GET', '/api?x')).status).toBe(404)
    expect((await app.request('GET', '/apis')).status).toBe(404)
    expect(requested).toEqual(['/shop', '/api/ping', '/api?x', '/apis'])
  })

  test('that fail are logged and affect one response', async () => {
    const app = await testApp({ routes: [], pages: () => Promise.reject(new Error('torn page')) })
    const answer = await app.request('GET', '/')
    expect([answer.status, answer.body]).toEqual([500, 'Server error'])
    expect(JSON.stringify(app.log.splice(0))).toContain('torn page')
  })
})

describe('a slow or malformed client', () => {
  const impatient = { ...TIMEOUTS, headers: 100, request: 200, checked: 20 }

  test.for([
    ['headers that never end', 'GET /api/ping HTTP/1.1\r\nhost: x\r\n'],
    [
      'a body that never comes',
      'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    ],
  ] as const)('is disconnected: %s', async ([, text]) => {
    const app = await testApp({ timeouts: impatient })
    expect(await exchange(app, text)).toMatch(/^HTTP\/1.1 400 .*"status":400,/s)
  })

  test('that sends nothing is disconnected without a response', async () => {
    const app = await testApp({ timeouts: impatient })
    expect(await exchange(app, '')).toBe('')
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

describe('a client that sends many requests at once', () => {
  const REQUEST = 'GET /api/ping HTTP/1.1\r\nhost: x\r\n\r\n'

  /** A server whose responses are held back; `entered` counts the requests in progress. */
  async function heldApp() {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const entered = vi.fn()
    const app = await testApp({
      routes: pong(async () => {
        entered()
        await opened
        return {}
      }),
    })
    return { app, entered, open }
  }

  test('gets the first eight responses, the last of which closes the connection', async () => {
    const { app, entered, open } = await heldApp()
    const answer = exchange(app, REQUEST.repeat(12))
    await vi.waitFor(() => expect(entered).toHaveBeenCalledTimes(8), PATIENCE)
    open()
    const answers = (await answer).split(/(?=HTTP\/1\.1 200)/)
    expect(answers).toHaveLength(8)
    const closing = answers.map((text) => /^connection: close/im.test(text))
    expect(closing).toEqual([...Array(7).fill(false), true])
    expect(entered).toHaveBeenCalledTimes(8)
  })

  test('is disconnected after a bounded amount of work, if there are hundreds', async () => {
    const { app, entered } = await heldApp()
    const connections = Array.from({ length: 20 }, () => exchange(app, REQUEST.repeat(500)))
    expect(new Set(await Promise.all(connections))).toEqual(new Set(['']))
    expect(entered.mock.calls.length).toBeLessThanOrEqual(20 * 8)
  })

  test('is served if there are only a few, and keeps its connection', async () => {
    const app = await testApp({ routes: pong(async () => ({})) })
    const last = REQUEST.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')
    const text = await exchange(app, REQUEST.repeat(4) + last)
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(5)
  })
})

describe('a stop', () => {
  test('goes on answering until kept connections are let go, and then closes at once', async () => {
    const linger = 200
    const app = await testApp({
      timeouts: { ...TIMEOUTS, linger },
      routes: pong(async () => ({})),
    })
    const kept = new Agent({ keepAlive: true })
    onTestFinished(() => kept.destroy())
    await get(`${app.url}/api/ping`, kept)
    const isKept = () => Object.values(kept.freeSockets).length > 0
    expect(isKept()).toBe(true)
    const drained = app.app.drain(0)
    expect((await fetch(`${app.url}/api/ping`)).headers.get('connection')).toBe('close')
    await expect.poll(isKept, PATIENCE).toBe(false)
    await drained
    const { getConnections } = app.app.server.server
    expect(await promisify(getConnections.bind(app.app.server.server))()).toBe(0)
  })

  test('does not wait for live connections, which end by themselves', async () => {
    const app = await testApp({ timeouts: { ...TIMEOUTS, linger: 60_000 } })
    const customer = await app.aCustomer()
    const socket = await rawSocket(socketUrl(app.url, customer.token))
    await app.app.drain(0)
    await app.app.stop()
    expect(await socket.closed).toBe(1001)
  })

  test('answers every request on a kept-alive connection', async () => {
    const body = 'x'.repeat(200_000)
    let requested = 0
    for (let round = 0; round < 2; round++) {
      const app = await testApp({
        timeouts: { ...TIMEOUTS, linger: 20_000 },
        routes: pong(async () => ({ body })),
      })
      const broken: unknown[] = []
      let isOver = false
      const customer = async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        while (!isOver) {
          requested++
          await get(`${app.url}/api/ping`, agent).catch((error: NodeJS.ErrnoException) => {
            // Nothing listens any more: that request never started.
            if (error.code === 'ECONNREFUSED') isOver = true
            else broken.push(error)
          })
        }
        agent.destroy()
      }
      const customers = Promise.all(Array.from({ length: 20 }, customer))
      await vi.waitFor(() => expect(requested).toBeGreaterThan((round + 1) * 100), PATIENCE)
      await app.app.stop()
      isOver = true
      await customers
      expect(broken).toEqual([])
    }
  })

  test('finishes requests in flight, then accepts nothing more', async () => {
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
    await vi.waitFor(() => expect(entered).toHaveBeenCalled(), PATIENCE)
    const stopped = app.app.stop()
    await vi.waitFor(() => expect(fetch(app.url)).rejects.toThrow(), PATIENCE)
    open()
    expect(await answer).toEqual([200, '{"isDone":true}'])
    await stopped
    agent.destroy()
  })

  test('cuts requests that do not finish in time', async () => {
    const entered = vi.fn()
    const app = await testApp({
      routes: pong(() => {
        entered()
        return new Promise(() => {})
      }),
    })
    const answer = app.request('GET', '/api/ping').catch(() => 'cut')
    await vi.waitFor(() => expect(entered).toHaveBeenCalled(), PATIENCE)
    await stopServer(app.app.server, 50)
    expect(await answer).toBe('cut')
  })
})

function get(url: string, agent: Agent): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent }, (response) => {
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve([response.statusCode, text]))
    })
    request
      // Whether it went over a connection that was used before.
      .on('error', (error) => reject(Object.assign(error, { isReused: request.reusedSocket })))
      .end()
  })
}

/** Sends raw bytes and reads until the server closes the connection. */
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
