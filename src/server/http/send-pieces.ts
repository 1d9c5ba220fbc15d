import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { completeHeaders } from './headers.ts'

/**
 * Sends a body piece by piece. It requests the next piece when the system has taken the last one,
 * whose buffer may then be reused; so a slow client costs the memory of one piece. An error in
 * between cuts the connection, which tells the client that the body is incomplete.
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

/**
 * Resolves when the system has taken a piece; rejects with `CLIENT_LEFT` if the client has
 * disconnected.
 */
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
