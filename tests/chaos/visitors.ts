import { Agent, type OutgoingHttpHeaders, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from '../support/quantiles.ts'

const PAGES = [
  '/',
  '/shop',
  '/fr/shop',
  '/shop-details/3',
  '/fr/shop-details/7',
  '/teacher-details/2',
]
const CALLS = ['/api/documents/3', '/api/category', '/api/documents/paginated?page=1']
/** Between two errands of one visitor, in milliseconds. */
const PAUSE = 30

/** One of several people, each with a keep-alive connection and an address of their own. */
export interface Visitor {
  readonly number: number
  /** Counts their errands; each begins at another one. */
  readonly step: number
  send(url: string, call?: Sent): Promise<Reply>
}

export interface Sent {
  readonly method?: 'GET' | 'POST'
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

/** A complete answer; its status is 0 if there was none. */
export interface Reply {
  readonly status: number
  readonly bytes: Buffer
}

/** What visitors do and wait for. */
export type Errand = (visitor: Visitor) => Promise<Reply>

/** Pages, and calls of the API. */
export function reading(url: string) {
  const next =
    (paths: readonly string[]): Errand =>
    ({ step, send }) =>
      send(url + paths[(step >> 1) % paths.length])
  return { page: next(PAGES), api: next(CALLS) }
}

/** How long visitors waited for each answer, in milliseconds, by errand. */
export interface Waits<Name extends string = string> {
  readonly times: Readonly<Record<Name, readonly number[]>>
  /** How many requests were not answered with 200, by errand and status; 0 means no response. */
  readonly refused: Readonly<Record<string, number>>
}

/** Rows of a table: what visitors waited for before an attack and during it, in milliseconds. */
export function compare(attack: string, quiet: Waits, attacked: Waits) {
  const at = (waits: readonly number[] = [], share = 0) =>
    Number(percentile(waits, share).toFixed(1))
  return Object.entries(attacked.times).map(([what, waits]) => ({
    attack,
    what,
    'p50 ms before': at(quiet.times[what], 0.5),
    'p50 ms': at(waits, 0.5),
    'p95 ms before': at(quiet.times[what], 0.95),
    'p95 ms': at(waits, 0.95),
    ratio: Number((at(waits, 0.95) / at(quiet.times[what], 0.95)).toFixed(1)),
    'longest ms': at(waits, 1),
    count: waits.length,
    refused: Object.entries(attacked.refused)
      .filter(([name]) => name.startsWith(`${what} `))
      .map(([name, times]) => `${times} × ${name.slice(what.length + 1)}`)
      .join(', '),
  }))
}

/**
 * Lets visitors do errands, one after the other, each at least once, until so many seconds have
 * passed, and until `until` is settled. `network` is the beginning of their addresses, as a proxy on this machine would name them.
 */
export async function visit<Name extends string>({
  visitors,
  seconds,
  errands,
  pause = PAUSE,
  until = Promise.resolve(),
  network = '203.0.113',
}: {
  visitors: number
  seconds: number
  errands: Readonly<Record<Name, Errand>>
  /** Between two errands of one visitor, in milliseconds. */
  pause?: number
  until?: Promise<unknown>
  network?: string
}): Promise<Waits<Name>> {
  const list = Object.entries<Errand>(errands)
  const times = Object.fromEntries(list.map(([name]) => [name, [] as number[]]))
  const refused: Record<string, number> = {}
  const end = performance.now() + seconds * 1000
  let isAwaited = true
  const settled = () => {
    isAwaited = false
  }
  until.then(settled, settled)
  const keepGoing = async (number: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sendAs = (url: string, { headers, ...call }: Sent = {}) =>
      send(agent, url, {
        ...call,
        headers: { 'x-forwarded-for': `${network}.${number + 1}`, ...headers },
      })
    for (let done = 0; done < list.length || isAwaited || performance.now() < end; done++) {
      const step = number + done
      const [name, errand] = list[step % list.length] ?? ['', () => sendAs('')]
      const startedAt = performance.now()
      const { status } = await errand({ number, step, send: sendAs })
      times[name]?.push(performance.now() - startedAt)
      if (status !== 200) refused[`${name} ${status}`] = (refused[`${name} ${status}`] ?? 0) + 1
      await wait(pause)
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: visitors }, (_, number) => keepGoing(number)))
  return { times: times as Record<Name, number[]>, refused }
}

/** Sends a request; without a complete answer within 30 seconds the status is 0. */
export function send(agent: Agent, url: string, call: Sent): Promise<Reply> {
  const { method = 'GET', headers, body } = call
  return new Promise((resolve) => {
    const lost = () => resolve({ status: 0, bytes: Buffer.alloc(0) })
    const sent = request(url, {
      agent,
      method,
      headers: { 'accept-encoding': 'br', ...headers },
    })
    sent.on('response', (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(pieces) }),
      )
      response.on('error', lost)
    })
    sent.setTimeout(30_000, () => sent.destroy())
    sent.on('error', lost)
    sent.end(body)
  })
}
