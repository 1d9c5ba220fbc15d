import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { DEMO_PASSWORD } from '../../src/server/demo/demo.ts'
import {
  addressOfNetwork,
  answerOf,
  type Call,
  JSON_TYPE,
  logInCall,
  PASSWORD,
  registerAt,
  topUp,
} from './calls.ts'
import { send } from './visitors.ts'

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
  seconds: number
  /** Counts answers by status, and as `cut` the connections that ended without one. */
  counts: Record<string, number>
}

/** Attacks on log-ins, which have scripts of their own as well. */
export const RIGHT_PASSWORDS = 'right passwords of 12 accounts, 50 connections'
export const MANY_ADDRESSES = 'log-ins from the addresses of one IPv6 /48, 20 connections'

/** The attacks by description. */
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
  [RIGHT_PASSWORDS]: async (target) => {
    const mails = await Promise.all(
      Array.from({ length: 12 }, () => registerAt(target.url, ADDRESS)),
    )
    const next = () => logInCall(mails[randomInt(mails.length)] ?? '', PASSWORD)
    await flood(target, next, { connections: 50 })
  },
  [MANY_ADDRESSES]: async (target) => {
    let n = 0
    const next = (): Call => ({
      ...logInCall(`${random()}@karras.test`, 'wrong'),
      headers: { ...JSON_TYPE, 'x-forwarded-for': addressOfNetwork(n++) },
    })
    await flood(target, next, { connections: 20 })
    target.counts.addresses = n
  },
  '300 connections of 200 requests, never read': (target) => neverRead(target, 300, 200),
  '1000 connections with slow headers': (target) => slowHeaders(target, 1000),
  '5000 idle connections': (target) => idle(target, 5000),
}

/** Logs in as a customer of the demo shop; returns the token. */
async function logIn(url: string): Promise<string> {
  const { path, ...call } = logInCall(CUSTOMER, DEMO_PASSWORD)
  return (await answerOf(url + path, call)).accessToken ?? ''
}

/** Says that an attack is prepared and begins; returns when it ends, by `performance.now()`. */
function begin({ seconds }: Target): number {
  console.log('begun')
  return performance.now() + seconds * 1000
}

/** Sends one request after another on each connection, at least one. */
async function flood(
  target: Target,
  next: () => Call,
  { connections = 10 }: { connections?: number } = {},
) {
  const { url, counts } = target
  const until = begin(target)
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      do {
        const { path, headers, ...call } = next()
        const named = { 'x-forwarded-for': ADDRESS, ...headers }
        const { status } = await send(agent, url + path, { ...call, headers: named })
        counts[status || 'cut'] = (counts[status || 'cut'] ?? 0) + 1
      } while (performance.now() < until)
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
async function hold(target: Target, count: number, use: (socket: Socket) => void) {
  const { url, counts } = target
  const until = begin(target)
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

/**
 * Runs an attack in a process of the lowest priority: real attackers do their work on other
 * machines. `ended` resolves to its counts.
 */
export function startAttack(name: string, url: string, seconds: number) {
  const child = spawn(
    'nice',
    ['-n', '19', process.execPath, import.meta.filename, name, url, `${seconds}`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const firstOutput = once(child.stdout, 'data')
  const ended = once(child, 'close').then(
    (): Record<string, number> => JSON.parse(output.split('\n')[1] ?? '{}'),
  )
  return { firstOutput, ended }
}

// `startAttack` runs this file with the name of an attack; it imports it for the list of names.
if (import.meta.main) {
  const [name = '', url = '', seconds] = process.argv.slice(2)
  const target: Target = { url, seconds: Number(seconds), counts: {} }
  await ATTACKS[name]?.(target)
  console.log(JSON.stringify(target.counts))
  process.exit()
}
