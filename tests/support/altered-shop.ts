import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { WORKER_ADDRESS } from '../../src/rules/offline.ts'

export interface Altered {
  status?: number
  headers?: Record<string, string>
  body?: string
}

/** A proxy of a shop that can change responses, as after a new build or with a fault. */
interface AlteredShop {
  readonly url: string
  /** The requests so far: method and path. */
  readonly requests: string[]
  /** The headers of the latest request for a path. */
  headersOf(path: string): IncomingHttpHeaders | undefined
  /** Answers a path with this from now on; null: as the shop does. */
  answer(path: string, altered: Altered | null): void
  /** Answers a path only once the returned function was called. */
  hold(path: string): () => void
  /** Has another shop answer, as after a restart. */
  moveTo(origin: string): void
  /** Sends this script instead of the shop's worker from now on. */
  changeWorker(script: string): void
}

/** Opens a proxy in front of a shop, by its origin, until the test is over. */
export async function alteredShop(shop: string): Promise<AlteredShop> {
  let origin = shop
  const alterations = new Map<string, Altered>()
  const latest = new Map<string, IncomingHttpHeaders>()
  const held = new Map<string, Promise<void>>()
  const requests: string[] = []
  const server = createServer(async (incoming, answer) => {
    const { method, headers, url = '/' } = incoming
    requests.push(`${method} ${url}`)
    latest.set(url, headers)
    await held.get(url)
    const altered = alterations.get(url)
    if (altered) {
      incoming.resume()
      answer.writeHead(altered.status ?? 200, altered.headers).end(altered.body)
      return
    }
    const upstream = request(origin + url, { method, headers })
    upstream.on('response', (received) => {
      answer.writeHead(received.statusCode ?? 500, received.headers)
      received.pipe(answer)
    })
    upstream.on('error', () => answer.destroy())
    incoming.pipe(upstream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const alter = (path: string, altered: Altered | null) => {
    if (altered) alterations.set(path, altered)
    else alterations.delete(path)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    headersOf: (path) => latest.get(path),
    answer: alter,
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(path, promise)
      return resolve
    },
    moveTo(other) {
      origin = other
    },
    changeWorker(body) {
      const headers = { 'content-type': 'text/javascript', 'cache-control': 'no-cache' }
      alter(WORKER_ADDRESS, { headers, body })
    },
  }
}
