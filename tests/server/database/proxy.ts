import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'

/** A proxy in front of a PostgreSQL server that can be taken down and can fall silent. */
export interface Proxy {
  connection: { host: string; user: string; database: string; password?: string }
  /** Refuses new connections. */
  refuse(): void
  serve(): void
  /** Keeps the present connections open without forwarding anything. */
  freezeAll(): void
}

/** Proxies the server of `url` until the test is over. */
export async function proxyTo(url: string): Promise<Proxy> {
  // Only to have `pg` parse the address.
  const target = new pg.Client({ connectionString: url })
  const pairs = new Set<[Socket, Socket]>()
  let isServing = true

  const server = createServer((client) => {
    client.on('error', () => {})
    if (!isServing) return void client.destroy()
    const upstream = target.host.startsWith('/')
      ? connect(join(target.host, `.s.PGSQL.${target.port}`))
      : connect(target.port, target.host)
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    client.pipe(upstream).pipe(client)
    pairs.add([client, upstream])
  })
  const directory = mkdtempSync(join(tmpdir(), 'karras-proxy-'))
  server.listen(join(directory, '.s.PGSQL.5432'))
  await once(server, 'listening')
  onTestFinished(() => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const { user = '', database = '', password } = target
  return {
    connection: { host: directory, user, database, ...(password ? { password } : {}) },
    refuse() {
      isServing = false
    },
    serve() {
      isServing = true
    },
    freezeAll() {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream).pause()
        upstream.unpipe(client).pause()
      }
    },
  }
}
