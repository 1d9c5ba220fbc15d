import type { Socket } from 'node:net'
import { answerTo, type ErrorAnswer, fault } from './errors.ts'

/** A request that Node could not read as HTTP: it has no route and no reply. */
export function refuseConnection(error: { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'payload_too_large' : 'invalid_input'
  const { status, body }: ErrorAnswer = answerTo(fault(code))
  const text = JSON.stringify(body)
  socket.end(
    [
      `HTTP/1.1 ${status} ${code}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  )
}
