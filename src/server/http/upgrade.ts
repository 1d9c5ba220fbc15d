import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { SOCKET_PATH } from '../../contract/chat.ts'
import { answerTo } from './errors.ts'

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

/** Answers a request for an upgrade with an error, over plain HTTP. */
export function refuseUpgrade(socket: Duplex, error: unknown): void {
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
