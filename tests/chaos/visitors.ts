import { Agent, get } from 'node:http'
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
/** Between two requests of one visitor, in milliseconds. */
const PAUSE = 30

/** How long visitors waited for each response, in milliseconds. */
export interface Waits {
  page: number[]
  api: number[]
  /** How many requests were not answered with 200, by status; 0 means no response. */
  refused: Readonly<Record<number, number>>
}

/** What visitors notice: the 95th percentiles and the longest of their waits, in milliseconds. */
export function summarise({ page, api, refused }: Waits) {
  return {
    page: p95(page),
    api: p95(api),
    longest: Math.round(page.concat(api).reduce((one, other) => Math.max(one, other), 0)),
    refused,
    visits: page.length + api.length,
  }
}

/** Joins several rounds of visits. */
export function merge(rounds: readonly Waits[]): Waits {
  const refused: Record<number, number> = {}
  for (const [status, count] of rounds.flatMap((each) => Object.entries(each.refused))) {
    refused[Number(status)] = (refused[Number(status)] ?? 0) + count
  }
  return {
    page: rounds.flatMap(({ page }) => page),
    api: rounds.flatMap(({ api }) => api),
    refused,
  }
}

/**
 * Lets visitors, each from their own address, read pages and make calls over keep-alive
 * connections.
 */
export async function visit(
  url: string,
  { visitors, seconds }: { visitors: number; seconds: number },
): Promise<Waits> {
  const times: Record<'page' | 'api', number[]> = { page: [], api: [] }
  const refused: Record<number, number> = {}
  const until = performance.now() + seconds * 1000
  const read = (agent: Agent, path: string, address: string) =>
    new Promise<number>((resolve) => {
      const headers = { 'x-forwarded-for': address, 'accept-encoding': 'br' }
      const request = get(url + path, { agent, headers }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', () => resolve(0))
      })
      request.setTimeout(30_000, () => request.destroy())
      request.on('error', () => resolve(0))
    })
  const keepReading = async (visitor: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let step = visitor; performance.now() < until; step++) {
      const kind = step % 2 === 0 ? 'page' : 'api'
      const paths = kind === 'page' ? PAGES : CALLS
      const path = paths[(step >> 1) % paths.length] ?? '/'
      const startedAt = performance.now()
      const status = await read(agent, path, `203.0.113.${visitor + 1}`)
      times[kind].push(performance.now() - startedAt)
      if (status !== 200) refused[status] = (refused[status] ?? 0) + 1
      await wait(PAUSE)
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: visitors }, (_, visitor) => keepReading(visitor)))
  return { ...times, refused }
}

const p95 = (times: readonly number[]) => Number(percentile(times, 0.95).toFixed(1))
