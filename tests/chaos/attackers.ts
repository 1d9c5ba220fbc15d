import { randomInt, randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { readToken } from '../../src/rules/token.ts'
import { DEMO_PASSWORD } from '../../src/server/demo/demo-accounts.ts'
import { type Call, statusOf } from './visitors.ts'

/**
 * The one client address of this attack, sent as a proxy on this machine does: no attack uses up
 * the rate limit of another.
 */
const ADDRESS = `198.51.100.${randomInt(256)}`
/** A customer of the demo shop. */
const CUSTOMER = 'parent@karras.test'
const random = () => Math.random().toString(36).slice(2)

interface Target {
  url: string
  /** When the attack ends, by `performance.now()`. */
  until: number
  /** Counts answers by status, and as `cut` the connections that ended without one. */
  counts: Record<string, number>
}

/** The attacks by description; each ends at `until`. */
export const ATTACKS: Record<string, (target: Target) => Promise<unknown>> = {
  'unknown paths, 10 connections': (target) => flood(target, () => ({ path: `/${random()}` })),
  'unknown queries of the home page, 10 connections': (target) =>
    flood(target, () => ({ path: `/?x=${random()}` })),
  'searches of the shop, 10 connections': (target) =>
    flood(target, () => ({
      path: `/shop?search=${random()}&page=${Math.ceil(Math.random() * 99)}`,
    })),
  'unknown documents, 10 connections': (target) =>
    flood(target, () => ({ path: `/shop-details/${1000 + Math.floor(Math.random() * 1e8)}` })),
  'webhooks of one payment, 10 connections': async (target) => {
    const { path, ...call } = topUp(await logIn(target.url))
    const { paymentRef } = await answerOf(target.url + path, call)
    await flood(target, () => ({ path: `/api/orderss/payment/webhook?payment_ref=${paymentRef}` }))
  },
  'top-ups of one customer, 10 connections': async (target) => {
    const token = await logIn(target.url)
    await flood(target, () => topUp(token))
  },
  '300 connections of 200 requests, never read': (target) => neverRead(target, 300, 200),
  '1000 connections with slow headers': (target) => slowHeaders(target, 1000),
  '5000 idle connections': (target) => idle(target, 5000),
}

interface Attack extends Call {
  path: string
  headers?: Record<string, string>
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Logs in as a customer of the demo shop; returns the token. */
async function logIn(url: string): Promise<string> {
  const body = JSON.stringify({ username: CUSTOMER, password: DEMO_PASSWORD })
  const call = { method: 'POST', headers: JSON_TYPE, body }
  return (await answerOf(`${url}/api/auth/login`, call)).accessToken ?? ''
}

/** A call that starts a top-up, a different one each time. */
function topUp(token: string): Attack {
  return {
    path: '/api/wallet/recharge/initiate',
    method: 'POST',
    headers: {
      ...JSON_TYPE,
      authorization: `Bearer ${token}`,
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ userId: readToken(token, Date.now())?.userId, amount: 20 }),
  }
}

async function answerOf(url: string, call: RequestInit): Promise<Record<string, string>> {
  const answer = await fetch(url, call)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`)
  return answer.json()
}

/** Sends one request after another on each of 10 connections. */
async function flood({ url, until, counts }: Target, next: () => Attack) {
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      while (performance.now() < until) {
        const { path, headers, ...call } = next()
        const named = { 'x-forwarded-for': ADDRESS, ...headers }
        const result = (await statusOf(agent, url + path, { ...call, headers: named })) || 'cut'
        counts[result] = (counts[result] ?? 0) + 1
      }
      agent.destroy()
    }),
  )
}

/** How long an attacker waits before reconnecting after a cut (ms), and how many times. */
const REDIAL_MS = 1000
const REDIALS = 20

/**
 * Keeps so many connections open until the end; reopens each one that is cut, up to `REDIALS`
 * times.
 */
async function hold({ url, until, counts }: Target, count: number, use: (socket: Socket) => void) {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  const dial = (left: number) => {
    if (performance.now() > until) return
    const socket = connect(Number(port), hostname)
    open.add(socket)
    socket.on('connect', () => {
      counts.connected = (counts.connected ?? 0) + 1
      use(socket)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      counts.cut = (counts.cut ?? 0) + 1
      if (left > 0) setTimeout(() => dial(left - 1), REDIAL_MS)
    })
  }
  for (let n = 0; n < count; n++) {
    dial(REDIALS)
    if (n % 100 === 99) await wait(20)
  }
  await wait(Math.max(0, until - performance.now()))
  for (const socket of open) socket.destroy()
}

function neverRead(target: Target, connections: number, requests: number) {
  const request = `GET / HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${ADDRESS}\r\naccept-encoding: br\r\n\r\n`
  return hold(target, connections, (socket) => {
    socket.pause()
    socket.write(request.repeat(requests))
  })
}

function slowHeaders(target: Target, connections: number) {
  return hold(target, connections, (socket) => {
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n')
    const drip = setInterval(() => socket.write('x-slow: 1\r\n'), 1000)
    socket.on('close', () => clearInterval(drip))
  })
}

function idle(target: Target, connections: number) {
  return hold(target, connections, () => {})
}

// `attack.ts` runs this file with the name of an attack; it imports it for the list of names.
if (import.meta.main) {
  const [name = '', url = '', seconds] = process.argv.slice(2)
  const target: Target = { url, until: performance.now() + Number(seconds) * 1000, counts: {} }
  console.log('begun')
  await ATTACKS[name]?.(target)
  console.log(JSON.stringify(target.counts))
  process.exit()
}
