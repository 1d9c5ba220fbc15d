import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'

/** A proxy in front of a PostgreSQL server that can be taken down and can fall silent. */
export interface DatabaseProxy {
  url: string
  /** Refuses new connections. */
  refuse(): void
  serve(): void
  /** Keeps the present connections open without forwarding anything. */
  freezeAll(): void
  /** Passes statements on, and cuts every connection that sends one with this word before its answer. */
  cutAfter(word: string): void
}

/** Proxies the server of `url` until the test is over. */
export async function proxyTo(url: string): Promise<DatabaseProxy> {
  // Only to have `pg` parse the address.
  const target = new pg.Client({ connectionString: url })
  const pairs = new Set<[Socket, Socket]>()
  let isServing = true
  let cutting: string | undefined

  const server = createServer((client) => {
    client.on('error', () => {})
    if (!isServing) return void client.destroy()
    const upstream = target.host.startsWith('/')
      ? connect(join(target.host, `.s.PGSQL.${target.port}`))
      : connect(target.port, target.host)
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.prependListener('data', (sent) => {
      if (cutting === undefined || !sent.includes(cutting)) return
      upstream.unpipe(client).once('data', () => client.destroy())
      upstream.resume()
    })
    client.pipe(upstream).pipe(client)
    pairs.add([client, upstream])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy()
    server.close()
  })

  const { user = '', database = '', password } = target
  const account = password ? `${user}:${encodeURIComponent(password)}` : user
  return {
    url: `postgres://${account}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    refuse() {
      isServing = false
    },
    serve() {
      isServing = true
    },
    cutAfter(word) {
      cutting = word
    },
    freezeAll() {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream).pause()
        upstream.unpipe(client).pause()
      }
    },
  }
}
