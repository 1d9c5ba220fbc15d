import { Agent, get } from 'node:http'

const PAGES = [
  '/',
  '/shop',
  '/fr/shop',
  '/shop-details/3',
  '/fr/shop-details/7',
  '/teacher-details/2',
]
const CALLS = ['/api/documents/3', '/api/category', '/api/documents/paginated?page=1']
// Between two requests of one visitor, in milliseconds.
const PAUSE = 30

/** How long visitors waited for each answer, in milliseconds. */
export interface Waits {
  page: number[]
  api: number[]
  /** How many requests were answered otherwise than with 200, by what they got; 0: no answer. */
  refused: Readonly<Record<number, number>>
}

/** What visitors noticed: the 95th percentile of what they waited for, in milliseconds. */
export function noticed({ page, api, refused }: Waits) {
  return {
    page: percentile(page, 0.95),
    api: percentile(api, 0.95),
    longest: Math.round(page.concat(api).reduce((one, other) => Math.max(one, other), 0)),
    refused,
    visits: page.length + api.length,
  }
}

/** Several rounds of visits as one. */
export function together(rounds: readonly Waits[]): Waits {
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

/** Visitors from an address each, who read pages and make calls over connections that they keep. */
export async function visit(
  url: string,
  { visitors, seconds }: { visitors: number; seconds: number },
): Promise<Waits> {
  const took: Record<'page' | 'api', number[]> = { page: [], api: [] }
  const refused: Record<number, number> = {}
  const until = performance.now() + seconds * 1000
  const read = (agent: Agent, path: string, address: string) =>
    new Promise<number>((done) => {
      const headers = { 'x-forwarded-for': address, 'accept-encoding': 'br' }
      const request = get(url + path, { agent, headers }, (response) => {
        response.resume()
        response.on('end', () => done(response.statusCode ?? 0))
        response.on('error', () => done(0))
      })
      request.setTimeout(30_000, () => request.destroy())
      request.on('error', () => done(0))
    })
  const live = async (visitor: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let step = visitor; performance.now() < until; step++) {
      const kind = step % 2 === 0 ? 'page' : 'api'
      const paths = kind === 'page' ? PAGES : CALLS
      const path = paths[(step >> 1) % paths.length] ?? '/'
      const startedAt = performance.now()
      const status = await read(agent, path, `203.0.113.${visitor + 1}`)
      took[kind].push(performance.now() - startedAt)
      if (status !== 200) refused[status] = (refused[status] ?? 0) + 1
      await new Promise((done) => setTimeout(done, PAUSE))
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: visitors }, (_, visitor) => live(visitor)))
  return { ...took, refused }
}

function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Number((sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(1))
}
