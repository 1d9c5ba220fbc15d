import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What happens on one connection. */
interface Connection {
  /** Requests that are not answered to the end. */
  underWay: number
  /** What had arrived when it was last looked at, and since when nothing more has. */
  bytesRead: number
  quietSince: number
}

/**
 * Follows a server's connections, and lets it close those that are idle without cutting anybody
 * off. Node takes a connection for idle on which a request is just arriving, or an answer not yet
 * sent: here one is closed when nothing was under way or arrived on it for `linger` milliseconds
 * since the first call of `closeIdleConnections`. Who uses it before gets an answer that ends it.
 */
export function followConnections(server: Server, linger: number) {
  const connections = new Map<Socket, Connection>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { underWay: 0, bytesRead: 0, quietSince: Number.POSITIVE_INFINITY })
    socket.once('close', () => connections.delete(socket))
  })
  // From here on it is a live connection, with its own end.
  server.on('upgrade', (_, socket) => connections.delete(socket as Socket))

  server.closeIdleConnections = () => {
    const now = performance.now()
    for (const [socket, connection] of connections) {
      const { underWay, bytesRead, quietSince } = connection
      if (underWay > 0 || bytesRead !== socket.bytesRead || quietSince > now) {
        connection.quietSince = now
        connection.bytesRead = socket.bytesRead
      }
      if (underWay === 0 && now - connection.quietSince >= linger) socket.destroy()
    }
  }

  return {
    /** Counts a request; returns how many of its connection are under way with it. */
    begin({ socket }: IncomingMessage, response: ServerResponse): number {
      const connection = connections.get(socket)
      if (!connection) return 0
      connection.underWay++
      response.once('close', () => {
        connection.underWay--
      })
      return connection.underWay
    },
  }
}
