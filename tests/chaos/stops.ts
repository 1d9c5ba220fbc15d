/**
 * Stops a shop under load, again and again: `node tests/chaos/stops.ts [stops]`, 50 unless said.
 * Customers ask some 200 times a second over connections that they keep; exit code 1 when a request
 * that a connection took was not answered whole.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnShop } from '../support/shop-process.ts'

const stops = Number(process.argv[2] ?? 50)
const CUSTOMERS = 20
// Between two requests of one customer, in milliseconds.
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
        const found = await ask(shop.url + PATHS[step % PATHS.length], agent)
        total[found]++
        if (found === 'refused') break
        await new Promise((done) => setTimeout(done, PAUSE * (0.5 + Math.random())))
      }
      agent.destroy()
    })
    await new Promise((done) => setTimeout(done, 500 + Math.random() * 1000))
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

function ask(url: string, agent: Agent): Promise<'answered' | 'shed' | 'refused' | 'broken'> {
  return new Promise((done) => {
    const request = get(url, { agent }, (response) => {
      response.resume()
      // A busy machine may be too late for a call: that is an answer, whole and in time.
      response.on('end', () => done(response.statusCode === 503 ? 'shed' : 'answered'))
      response.on('error', () => done('broken'))
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNREFUSED')
        console.log(error.code, request.reusedSocket ? 'kept' : 'new')
      // Nobody listens any more: that request never began.
      done(error.code === 'ECONNREFUSED' ? 'refused' : 'broken')
    })
  })
}
