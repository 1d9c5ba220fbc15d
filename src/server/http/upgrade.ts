import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { SOCKET_PATH } from '../../contract/chat.ts'
import { answerTo, fault } from './errors.ts'

/** Whether a request wants the live connection; any other goes on as an ordinary one. */
export function wantsSocket({ url = '', headers }: IncomingMessage): boolean {
  const path = url.split('?', 1)[0]
  return path === SOCKET_PATH && headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Whether the page that asks is the site's own, at `siteUrl` or at the address that it was asked
 * for. What is no browser names no origin; it has the token, and no cookies are looked at.
 */
export function isOwnOrigin({ headers }: IncomingMessage, siteUrl: string): boolean {
  const { origin, host } = headers
  if (origin === undefined || origin === siteUrl) return true
  return host !== undefined && /^https?:\/\/(.*)$/.exec(origin)?.[1] === host.toLowerCase()
}

/**
 * Answers a request that Node could not read as HTTP: it has no route and no reply. A connection on
 * which nothing came ends without an answer: a browser opens some ahead, and would take it for that
 * of the first request which it sends there.
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

/** Answers a request that has no reply, such as one for an upgrade, with an error over plain HTTP. */
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
  // Whoever does not read it does not keep the connection.
  socket.once('finish', () => socket.destroy())
}
