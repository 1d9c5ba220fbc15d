import type { RawData, WebSocket } from 'ws'
import type { Deps } from '../deps.ts'
import { createAttempts } from '../http/attempt-counter.ts'
import { answerTo, fault } from '../http/errors.ts'
import { requireUser } from '../http/identity.ts'
import type { User } from '../http/route.ts'
import type { FanOut } from './fan-out.ts'
import { createHeartbeat } from './heartbeat.ts'
import type { ChatSettings } from './settings.ts'
import { decodeFrame, encodeFrame, frameReader, ProtocolError, type RawFrame } from './stomp.ts'
import { createStompSession } from './stomp-session.ts'

/** The codes with which we close a connection (status codes of RFC 6455). */
export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  protocol: 1002,
  policy: 1008,
  failed: 1011,
  later: 1013,
} as const

/** A live connection of a user. */
export type Session = ReturnType<typeof openSession>

interface SessionParts {
  readonly deps: Deps
  readonly fanOut: FanOut
  readonly settings: ChatSettings
  /** Receives unexpected errors. */
  readonly report: (error: unknown) => void
  readonly onClose: () => void
}

/** Serves STOMP to a user whose token was checked at the upgrade. */
export function openSession(
  socket: WebSocket,
  { user, token }: { user: User; token: string },
  { deps, fanOut, settings, report, onClose }: SessionParts,
) {
  const read = frameReader()
  const attempts = createAttempts(() => performance.now())
  const heartbeat = createHeartbeat(settings)
  const waiting: RawFrame[] = []
  let isWorking = false
  let isEnding = false
  /** Whether messages were held back because too much data was waiting. */
  let isBehind = false
  let stalledSince: number | null = null

  const authorise = async () => requireUser(await deps.identify(`Bearer ${token}`))

  function isReady(): boolean {
    if (socket.bufferedAmount <= settings.unsentBytes) return !isEnding
    isBehind = true
    return false
  }

  const stomp = createStompSession({
    deps,
    fanOut,
    settings,
    heartbeat,
    // Checked again at each use of a room, so that access ends with the token.
    authorise,
    isReady,
    isEnding: () => isEnding,
    send,
    disconnect: () => close(CLOSE.normal, ''),
  })

  socket.on('message', receive)
  socket.on('pong', () => heartbeat.received())
  // Invalid WebSocket data; 'close' follows.
  socket.on('error', () => {})
  socket.on('close', () => {
    end()
    onClose()
  })

  function receive(data: RawData): void {
    if (isEnding) return
    heartbeat.received()
    try {
      takeOne()
      const frames = read(data as Buffer)
      for (const _ of frames.slice(1)) takeOne()
      waiting.push(...frames)
    } catch (error) {
      fail(error)
    }
    if (waiting.length > 0 && !isWorking) void work()
  }

  /** Counts frames and their pieces. */
  function takeOne(): void {
    const retryAfter = attempts.take('frame', settings.frames)
    if (retryAfter > 0) throw fault('too_many_requests', { retryAfter })
  }

  /** Handles frames one by one; the socket is not read in the meantime. */
  async function work(): Promise<void> {
    isWorking = true
    socket.pause()
    let receipt: string | undefined
    try {
      for (let raw = waiting.shift(); raw && !isEnding; raw = waiting.shift()) {
        receipt = undefined
        const frame = decodeFrame(raw, stomp.version())
        receipt = frame.headers.receipt
        await stomp.handle(frame)
      }
    } catch (error) {
      fail(error, receipt)
    }
    isWorking = false
    heartbeat.received()
    socket.resume()
  }

  function send(command: string, headers: Record<string, string>, body = ''): void {
    sendText(encodeFrame(command, headers, body, stomp.version() ?? '1.0'))
  }

  function sendText(text: string): void {
    if (socket.readyState !== socket.OPEN) return
    socket.send(text)
    heartbeat.sent()
  }

  /** Sends an ERROR frame and closes, as STOMP requires. */
  function fail(error: unknown, receipt?: string): void {
    if (isEnding) return
    const { code, message, close: closeCode, isUnexpected } = refusalOf(error)
    if (isUnexpected) report(error)
    const headers: Record<string, string> = {
      message: code,
      'content-type': 'text/plain;charset=utf-8',
    }
    if (receipt !== undefined) headers['receipt-id'] = receipt
    send('ERROR', headers, message)
    close(closeCode, code)
  }

  /** Closes the connection with a handshake, unlike `kill`. */
  function close(code: number, reason: string): void {
    end()
    socket.close(code, reason)
  }

  function end(): void {
    isEnding = true
    waiting.length = 0
    stomp.end()
  }

  /** Checks all time limits; `elapsed` is a value of `performance.now`. */
  function tick(elapsed: number): void {
    if (isEnding) return
    if (deps.now() >= user.tokenExpiry * 1000) {
      fail(fault('invalid_token'))
      return
    }
    if (socket.bufferedAmount > settings.unsentBytes) {
      stalledSince ??= elapsed
      if (elapsed - stalledSince >= settings.stall) socket.terminate()
      return
    }
    stalledSince = null
    if (isBehind) {
      isBehind = false
      stomp.wake()
    }
    const health = heartbeat.look(elapsed)
    if (health === 'dead') socket.terminate()
    else if (health === 'beat') sendText('\n')
    else if (health === 'ping') socket.ping()
    else if (health === 'silent') fail(new ProtocolError('CONNECT did not come'))
  }

  return {
    user,
    /** Ends the session unless its token is still valid. */
    recheck: () => authorise().then(() => {}, fail),
    tick,
    close,
    kill: () => socket.terminate(),
  }
}

function refusalOf(error: unknown) {
  if (error instanceof ProtocolError) {
    const code = 'protocol_error'
    return { code, message: error.message, close: CLOSE.protocol, isUnexpected: false }
  }
  const { status, body, isUnexpected } = answerTo(error)
  const close = status === 503 ? CLOSE.later : status >= 500 ? CLOSE.failed : CLOSE.policy
  return { code: body.error, message: body.message, close, isUnexpected }
}
