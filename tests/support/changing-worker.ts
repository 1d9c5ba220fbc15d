import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { WORKER_ADDRESS } from '../../src/rules/offline.ts'

/** A way to a shop on which its service worker can be another one, as after a new build. */
export interface ChangingWorker {
  readonly url: string
  /** Sends this script in place of the shop's worker from now on. */
  change(script: string): void
}

/** Stands before the shop at `origin`, until the test is over. */
export async function changingWorkerOf(origin: string): Promise<ChangingWorker> {
  let script: string | null = null
  const server = createServer((asked, answer) => {
    const upstream = request(origin + asked.url, { method: asked.method, headers: asked.headers })
    upstream.on('response', (given) => {
      if (asked.url !== WORKER_ADDRESS || script === null) {
        answer.writeHead(given.statusCode ?? 500, given.headers)
        return void given.pipe(answer)
      }
      given.resume()
      const type = { 'content-type': 'text/javascript', 'cache-control': 'no-cache' }
      answer.writeHead(200, type).end(script)
    })
    upstream.on('error', () => answer.destroy())
    asked.pipe(upstream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    change(next) {
      script = next
    },
  }
}
