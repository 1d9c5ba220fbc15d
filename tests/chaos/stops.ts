/**
 * Stops a shop under load again and again: `node tests/chaos/stops.ts [stops]`, by default 50
 * times. Customers send about 200 requests a second over keep-alive connections. Exits with 1 if
 * the shop accepted a request and did not answer it completely.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { spawnShop } from '../support/shop-process.ts'

const stops = Number(process.argv[2] ?? 50)
const CUSTOMERS = 20
/** Between two requests of one customer, in milliseconds. */
const PAUSE = 100
const PATHS = [
  '/',
  '/api/documents/3',
  '/fr/shop',
  '/api/documents/paginated?page=1',
  '/shop?page=2',
]

const dataDir = await mkdtemp(join(tmpdir(), 'karras-stops-'))
const total = { answered: 0, shed: 0, refused: 0, broken: 0, longestStop: 0 }
try {
  for (let stop = 1; stop <= stops; stop++) {
    const shop = await spawnShop({ DATA_DIR: dataDir, DEMO: '1', CHAT_MAIL: '0' })
    let isOver = false
    const customers = Array.from({ length: CUSTOMERS }, async (_, customer) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let step = customer; !isOver; step++) {
        const result = await request(shop.url + PATHS[step % PATHS.length], agent)
        total[result]++
        if (result === 'refused') break
        await wait(PAUSE * (0.5 + Math.random()))
      }
      agent.destroy()
    })
    await wait(500 + Math.random() * 1000)
    const startedAt = performance.now()
    const code = await shop.stop()
    total.longestStop = Math.max(total.longestStop, Math.round(performance.now() - startedAt))
    isOver = true
    await Promise.all(customers)
    if (code !== 0) throw new Error(`The shop ended with ${code}:\n${shop.output()}`)
  }
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
console.log({ stops, ...total })
process.exit(total.broken === 0 ? 0 : 1)

function request(url: string, agent: Agent): Promise<'answered' | 'shed' | 'refused' | 'broken'> {
  return new Promise((resolve) => {
    const sent = get(url, { agent }, (response) => {
      response.resume()
      // A 503 of an overloaded shop is a complete response too.
      response.on('end', () => resolve(response.statusCode === 503 ? 'shed' : 'answered'))
      response.on('error', () => resolve('broken'))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNREFUSED') console.log(error.code, sent.reusedSocket ? 'kept' : 'new')
      // No server listens any more, so the shop never accepted the request.
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'broken')
    })
  })
}
