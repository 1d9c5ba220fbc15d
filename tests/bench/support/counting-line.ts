import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy between a browser and a server that counts the bytes from the server. */
export interface CountingLine {
  readonly url: string
  /** Bytes from the server so far, headers included. */
  readonly bytes: () => number
  close(): Promise<void>
}

/** Opens a counting proxy to a server on this machine. */
export async function countingLine(to: string): Promise<CountingLine> {
  const { hostname, port } = new URL(to)
  let bytes = 0
  const sockets = new Set<Socket>()
  const server = createServer((browser) => {
    const shop = connect(Number(port), hostname)
    for (const socket of [browser, shop]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.once('close', () => sockets.delete(socket))
    }
    shop.on('data', (chunk) => (bytes += chunk.length))
    browser.pipe(shop).pipe(browser)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    // Browsers trust HTTP on this host name as they do HTTPS.
    url: `http://localhost:${typeof address === 'object' && address?.port}`,
    bytes: () => bytes,
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
