import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** The one address of all attacks, as a proxy on this machine names it. */
const ADDRESS = '198.51.100.7'
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
  'unknown paths, 10 connections': (target) => flood(target, () => `/${random()}`),
  'unknown queries of the home page, 10 connections': (target) =>
    flood(target, () => `/?x=${random()}`),
  'searches of the shop, 10 connections': (target) =>
    flood(target, () => `/shop?search=${random()}&page=${Math.ceil(Math.random() * 99)}`),
  'unknown documents, 10 connections': (target) =>
    flood(target, () => `/shop-details/${1000 + Math.floor(Math.random() * 1e8)}`),
  '300 connections of 200 requests, never read': (target) => neverRead(target, 300, 200),
  '1000 connections with slow headers': (target) => slowHeaders(target, 1000),
  '5000 idle connections': (target) => idle(target, 5000),
}

/** Sends one request after another on each of 10 connections. */
async function flood({ url, until, counts }: Target, path: () => string) {
  const headers = { 'x-forwarded-for': ADDRESS, 'accept-encoding': 'br' }
  const send = (agent: Agent) =>
    new Promise<void>((resolve) => {
      const count = (result: number | string) => {
        counts[result] = (counts[result] ?? 0) + 1
        resolve()
      }
      const request = get(url + path(), { agent, headers }, (response) => {
        response.resume()
        response.on('end', () => count(response.statusCode ?? 0))
        response.on('error', () => count('cut'))
      })
      request.setTimeout(30_000, () => request.destroy())
      request.on('error', () => count('cut'))
    })
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      while (performance.now() < until) await send(agent)
      agent.destroy()
    }),
  )
}

/** An attacker dials again so long after a cut (ms), so many times. */
const REDIAL_MS = 1000
const REDIALS = 20

/** Keeps so many connections open until the end; opens each that is cut again, up to `REDIALS` times. */
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
