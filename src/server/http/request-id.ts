import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/** The header in which a proxy names a request, and the shop names it in answers and its log. */
export const REQUEST_ID = 'x-request-id'

/** Returns the id that a trusted proxy gave to a request. */
export type GivenId = (request: IncomingMessage) => string | undefined

/** Anything else could make a line of the log deceptive. */
const FORM = /^[\w.:-]{1,100}$/

export function requestIdsFrom(trustedProxies: readonly string[]) {
  const isTrusted = proxyAddress.compile([...trustedProxies])
  const givenId: GivenId = ({ headers, socket }) => {
    const id = headers[REQUEST_ID]
    if (typeof id !== 'string' || !FORM.test(id)) return undefined
    return isTrusted(socket.remoteAddress ?? '', 0) ? id : undefined
  }
  return {
    givenId,
    /** The id of a request, made here unless a trusted proxy gave one. */
    idOf: (request: IncomingMessage) => givenId(request) ?? randomUUID(),
  }
}
