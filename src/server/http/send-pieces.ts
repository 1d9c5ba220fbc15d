import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { completeHeaders } from './headers.ts'

/**
 * Sends a body piece by piece. The next piece is requested when the system has taken the last one, whose bytes
 * may be used again then; so a slow client costs one piece of memory. An error in between cuts the connection,
 * which tells the client that the body is not whole.
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<Uint8Array>,
): Promise<FastifyReply> {
  completeHeaders(reply)
  reply.hijack()
  const response = reply.raw
  try {
    response.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
    for await (const piece of pieces) await written(response, piece)
    response.end()
  } catch (error) {
    if (error !== CLIENT_LEFT) reply.log.error(error)
    response.destroy()
  }
  return reply
}

const CLIENT_LEFT = new Error('the client left')

/** Resolves when a piece is with the system; rejects with `CLIENT_LEFT` when there is nobody to take it. */
function written(response: ServerResponse, piece: Uint8Array): Promise<void> {
  const { socket } = response.req
  return new Promise((resolve, reject) => {
    const leave = () => reject(CLIENT_LEFT)
    if (socket.destroyed) return leave()
    socket.once('close', leave)
    response.write(piece, (error) => {
      socket.off('close', leave)
      if (error) leave()
      else resolve()
    })
  })
}
