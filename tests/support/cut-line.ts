import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy to a shop whose connections can be cut: calls and live connections alike. */
export interface CuttableProxy {
  /** The URL of the shop through the proxy. */
  readonly url: string
  /** Ends all open connections, and refuses new ones. */
  cut(): void
  /** Lets so many more bytes through from the shop, then holds the connection they came on. */
  holdAfter(bytes: number): void
  /** Accepts connections again, and lets those that are held go on. */
  mend(): void
}

/** Opens a proxy in front of the shop at `origin`, until the test is over. */
export async function cuttableProxy(origin: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(origin)
  const sockets = new Set<Socket>()
  let isCut = false
  let left = Number.POSITIVE_INFINITY
  let letGo = () => {}
  const server = createServer((client) => {
    client.on('error', () => {})
    if (isCut) return void client.destroy()
    const upstream = connect(Number(port), hostname)
    upstream.on('error', () => {})
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
    upstream.on('data', ({ length }: Buffer) => {
      left -= length
      if (left > 0) return
      left = Number.POSITIVE_INFINITY
      upstream.unpipe(client).pause()
      letGo = () => upstream.pipe(client)
    })
  })
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    end()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      end()
    },
    holdAfter(bytes) {
      left = bytes
    },
    mend() {
      isCut = false
      // What was to be held may still be on its way.
      left = Number.POSITIVE_INFINITY
      letGo()
      letGo = () => {}
    },
  }
}
