import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import { clientAddress } from '../http/client-address.ts'
import { fault } from '../http/errors.ts'
import { isOwnOrigin, refuseSocket } from '../http/upgrade.ts'

// How long the backend may take to answer, in milliseconds.
const ANSWER_TIMEOUT = 10_000

/** Forwards `/ws` byte for byte; the origin is checked here, where the site's is known. */
export function openTunnel(
  { apiOrigin, siteUrl }: { apiOrigin: string; siteUrl: string },
  report: (error: unknown) => void,
) {
  const open = new Set<Duplex>()

  function keep(socket: Duplex): void {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    keep(socket)
    if (!isOwnOrigin(request, siteUrl)) {
      refuseSocket(socket, fault('forbidden'))
      return
    }
    const send = apiOrigin.startsWith('https:') ? requestHttps : requestHttp
    const handshake = send(new URL(request.url ?? '/', apiOrigin), {
      headers: handshakeOf(request),
      timeout: ANSWER_TIMEOUT,
    })
    const giveUp = (error: unknown) => {
      if (!socket.destroyed) report(error)
      refuseSocket(socket, fault('unavailable'))
    }
    handshake.on('timeout', () => handshake.destroy(new Error('the backend took too long')))
    handshake.on('error', giveUp)
    handshake.on('response', (answer) => {
      socket.write(headOf(answer, ['connection: close']))
      answer.on('error', () => socket.destroy())
      answer.pipe(socket)
    })
    handshake.on('upgrade', (answer, backend, first) => {
      handshake.off('error', giveUp)
      backend.setTimeout(0)
      keep(backend)
      socket.on('close', () => backend.destroy())
      backend.on('close', () => socket.end())
      socket.write(headOf(answer))
      socket.write(first)
      backend.write(head)
      backend.pipe(socket).pipe(backend)
    })
    socket.on('close', () => handshake.destroy())
    handshake.end()
  }

  return {
    upgrade,
    /** Closes all connections. */
    stop() {
      for (const socket of open) socket.destroy()
    },
  }
}

/** The headers of the handshake; cookies and others are not forwarded. */
function handshakeOf(request: IncomingMessage): Record<string, string> {
  const { headers } = request
  const names = Object.keys(headers).filter((name) => name.startsWith('sec-websocket-'))
  const kept = [...names, 'user-agent'].flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  return {
    ...Object.fromEntries(kept),
    connection: 'Upgrade',
    upgrade: 'websocket',
    'x-forwarded-for': clientAddress(request),
  }
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage, more: string[] = []) {
  const lines = rawHeaders.flatMap((name, at) => {
    // Reading the body has removed its chunked encoding.
    const isKept = more.length === 0 || !/^(?:connection|transfer-encoding|keep-alive)$/i.test(name)
    return at % 2 === 0 && isKept ? [`${name}: ${rawHeaders[at + 1]}`] : []
  })
  return `${[`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, ...more].join('\r\n')}\r\n\r\n`
}
