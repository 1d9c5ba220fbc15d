// @one-database: it is about frames.

import { once } from 'node:events'
import { get } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../src/rules/durations.ts'
import { openFront } from '../../../src/server/front/front.ts'
import { signToken } from '../../../src/server/http/identity.ts'
import { createMetrics } from '../../../src/server/metrics/metrics.ts'
import { testApp } from '../../support/app.ts'
import { aConversation, follow, rawSocket, sendChat, socketUrl } from '../../support/chat.ts'
import { withOfficeToken } from '../../support/people.ts'
import { sharedApp } from '../../support/test.ts'

const SITE = 'https://shop.karras.test'

/** A front without pages before a backend. */
const openFrontOf = (apiOrigin: string) =>
  openFront({
    host: '127.0.0.1',
    port: 0,
    apiOrigin,
    siteUrl: SITE,
    pages: async () => false,
    trustedProxies: ['loopback'],
    checkBackend: async () => {},
    metrics: createMetrics(),
    metricsToken: null,
    report: () => {},
  })

const app = await sharedApp({ env: { SITE_URL: SITE }, chat: { connect: MINUTE_MS } })
const front = await openFrontOf(app.url)
afterAll(front.stop)

const statusOf = (url: string, headers = {}) =>
  rawSocket(url, headers).then(
    () => 101,
    (error: { status?: number }) => error.status ?? String(error),
  )

describe.each(['the shop itself', 'a shop in front of it'])('%s', (which) => {
  const origin = () => (which === 'the shop itself' ? app.url : front.url)

  test('opens with a valid token, for its own pages and for clients other than browsers', async () => {
    const { token } = await app.aCustomer()
    const url = socketUrl(origin(), token)
    expect(await statusOf(url)).toBe(101)
    expect(await statusOf(url, { origin: SITE })).toBe(101)
    expect(await statusOf(url, { origin: origin() })).toBe(101)
    for (const foreign of ['https://evil.test', 'null', `${SITE}.evil.test`, '', 'https://']) {
      expect(await statusOf(url, { origin: foreign })).toBe(403)
    }
  })

  test('refuses invalid tokens before the upgrade', async () => {
    const { id } = await app.aCustomer()
    const user = { id, role: 'PARENT', generation: 0 }
    const expired = await signToken(app.deps.secret, user, Date.now() - 12 * 3600 * 1000 - 1000)
    const ended = await signToken(app.deps.secret, { ...user, generation: 1 }, Date.now())
    for (const token of ['', 'abc', expired, ended, 'x'.repeat(5000)]) {
      expect(await statusOf(socketUrl(origin(), token))).toBe(401)
    }
    expect(await statusOf(`${origin().replace('http', 'ws')}/ws`)).toBe(401)
  })

  test('refuses an administrator’s token without the second factor in production', async () => {
    const administrator = await app.anAdministrator()
    expect(await statusOf(socketUrl(origin(), administrator.token))).toBe(403)
    const { token } = await withOfficeToken(app.deps, administrator)
    expect(await statusOf(socketUrl(origin(), token))).toBe(101)
  })

  test('leads to nothing else', async () => {
    const { token } = await app.aCustomer()
    for (const path of ['/', '/api/category', '/ws/x', '/wsx', '//ws']) {
      const url = socketUrl(origin(), token).replace('/ws?', `${path}?`)
      expect(await statusOf(url)).not.toBe(101)
    }
    const plain = await fetch(`${origin()}/ws?access_token=${token}`)
    expect(plain.status).toBe(404)
    // An offer of another protocol, as curl makes by default, is ignored.
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' }
    const [answer] = await once(get(`${origin()}/api/category`, { headers }), 'response')
    expect(answer.statusCode).toBe(200)
    answer.resume()
  })

  test('carries a conversation with the stock client', async () => {
    const { customer, admin, room } = await aConversation(app)
    const theirs = await follow(origin(), admin.token, room)
    const sent = await sendChat(app, customer, admin, 'through')
    await expect.poll(() => theirs.messages).toEqual([sent])
    await theirs.stop()
  })
})

test('a front without its backend answers that it is busy', async () => {
  const alone = await openFrontOf('http://127.0.0.1:1')
  expect(await statusOf(socketUrl(alone.url, 'x'))).toBe(503)
  await alone.stop()
})

test('one user has at most ten live connections, and may open others after closing some', async () => {
  const { token } = await app.aCustomer()
  const url = socketUrl(app.url, token)
  const sockets = await Promise.all(Array.from({ length: 10 }, () => rawSocket(url)))
  await expect(rawSocket(url)).rejects.toMatchObject({ status: 429 })
  expect(await statusOf(socketUrl(app.url, (await app.aCustomer()).token))).toBe(101)
  sockets[0]?.socket.close()
  await expect.poll(() => statusOf(url)).toBe(101)
})

test('a server holds a limited number', async () => {
  const small = await testApp({ chat: { sockets: 2, connect: MINUTE_MS } })
  const url = async () => socketUrl(small.url, (await small.aCustomer()).token)
  await rawSocket(await url())
  await rawSocket(await url())
  await expect(rawSocket(await url())).rejects.toMatchObject({ status: 503 })
})

test('a stop closes all connections properly, and refuses new ones', async () => {
  const stopping = await testApp({ chat: { connect: MINUTE_MS } })
  const url = socketUrl(stopping.url, (await stopping.aCustomer()).token)
  const sockets = await Promise.all([rawSocket(url), rawSocket(url)])
  await sockets[0]?.connect()
  const stopped = stopping.app.stop()
  expect(await statusOf(url)).not.toBe(101)
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1001, 1001])
  // It does not wait for the connection without a CONNECT, which may take a minute.
  await stopped
})
