import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The state of a connection. */
interface Connection {
  /** The number of requests whose answer is not complete. */
  underWay: number
  /** The number of bytes received at the last check, and since when it has not changed. */
  bytesRead: number
  quietSince: number
}

/**
 * Tracks a server's connections, so that idle ones can be closed without interrupting others.
 * Node's own check takes a connection for idle while a request is arriving or an answer is being
 * sent. Here a connection is closed if nothing was under way or arrived for `linger` milliseconds
 * after the first call of `closeIdleConnections`; a request before that gets an answer that closes
 * the connection.
 */
export function followConnections(server: Server, linger: number) {
  const connections = new Map<Socket, Connection>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { underWay: 0, bytesRead: 0, quietSince: Number.POSITIVE_INFINITY })
    socket.once('close', () => connections.delete(socket))
  })
  // From here on it is a live connection, which ends by itself.
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

  // A single function for all, without a closure per request.
  function complete(this: ServerResponse): void {
    const connection = connections.get(this.req.socket)
    if (connection) connection.underWay--
  }

  return {
    /** Counts a request; returns how many are under way on its connection, including this one. */
    begin({ socket }: IncomingMessage, response: ServerResponse): number {
      const connection = connections.get(socket)
      if (!connection) return 0
      connection.underWay++
      response.on('close', complete)
      return connection.underWay
    },
  }
}
