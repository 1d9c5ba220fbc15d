import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { SOCKET_PATH } from '../../contract/chat.ts'
import { answerTo, fault } from './errors.ts'

/**
 * Whether a request is for the live connection; any other upgrade is treated as an ordinary
 * request.
 */
export function wantsSocket({ url = '', headers }: IncomingMessage): boolean {
  const path = url.split('?', 1)[0]
  return path === SOCKET_PATH && headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Whether the request comes from a page of the site, at `siteUrl` or at the requested host. Clients
 * other than browsers send no origin, which is safe: the token is required and cookies are not
 * read.
 */
export function isOwnOrigin({ headers }: IncomingMessage, siteUrl: string): boolean {
  const { origin, host } = headers
  if (origin === undefined || origin === siteUrl) return true
  return host !== undefined && /^https?:\/\/(.*)$/.exec(origin)?.[1] === host.toLowerCase()
}

/**
 * Answers a request that Node could not parse, which has no route and no reply. Ends a connection
 * on which nothing arrived without an answer: browsers open some in advance, and would take it for
 * the answer to their first request.
 */
export function refuseConnection(error: { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  if (socket.bytesRead === 0) {
    socket.destroy()
    return
  }
  const isLong = error.code === 'HPE_HEADER_OVERFLOW'
  refuseSocket(socket, fault(isLong ? 'payload_too_large' : 'invalid_input'))
}

/**
 * Answers a request that has no reply, such as one for an upgrade, with an error over plain HTTP.
 */
export function refuseSocket(socket: Duplex, error: unknown): void {
  const { status, headers, body } = answerTo(error)
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  if (socket.writable) socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`)
  // A client that does not read the answer must not keep the connection.
  socket.once('finish', () => socket.destroy())
}
