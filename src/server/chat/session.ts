import type { RawData, WebSocket } from 'ws'
import { roomDestination, roomTopic } from '../../contract/chat.ts'
import { MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import {
  CHAT_CONNECT_MS,
  CHAT_HEARTBEAT_MS,
  CHAT_SUBSCRIPTIONS_MAX,
  roomMembers,
} from '../../rules/room.ts'
import type { Deps } from '../deps.ts'
import { type Allowance, createAttempts } from '../http/attempt-counter.ts'
import { answerTo, fault } from '../http/errors.ts'
import { requireUser } from '../http/identity.ts'
import type { User } from '../http/route.ts'
import type { FanOut, Subscriber } from './fan-out.ts'
import { type MessageRow, presentMessage, readMessage } from './messages.ts'
import { requireFollower, requireMember } from './rooms.ts'
import {
  decodeFrame,
  encodeFrame,
  type Frame,
  frameReader,
  ProtocolError,
  type RawFrame,
  VERSIONS,
  type Version,
} from './stomp.ts'

/** The limits of a live connection; times in milliseconds. */
export const CHAT_SETTINGS = {
  /** How often the limits below are checked. */
  tick: SECOND_MS,
  heartbeat: CHAT_HEARTBEAT_MS,
  connect: CHAT_CONNECT_MS,
  /** How long a client may leave waiting data unread. */
  stall: 15 * SECOND_MS,
  /** How often the users online are recorded. */
  presence: MINUTE_MS,
  /**
   * How often messages are read, and sessions checked, whether anything was announced or not: a
   * pooler before the database swallows announcements.
   */
  missed: 4 * SECOND_MS,
  ended: MINUTE_MS,
  /** The number of live connections of a user, and of an instance. */
  socketsPerUser: 10,
  sockets: 5000,
  /** The most rooms that a connection may follow. */
  subscriptions: CHAT_SUBSCRIPTIONS_MAX,
  /** How much a connection may send: frames, and pieces of frames. */
  frames: { max: 300, windowMs: 10 * SECOND_MS } satisfies Allowance,
  /** How much data may wait for a slow reader before nothing more is pushed. */
  unsentBytes: 256 * 1024,
}
export type ChatSettings = Readonly<typeof CHAT_SETTINGS>

/** The codes with which we close a connection (status codes of RFC 6455). */
export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  protocol: 1002,
  policy: 1008,
  failed: 1011,
  later: 1013,
} as const

export type Session = ReturnType<typeof openSession>

interface SessionParts {
  readonly deps: Deps
  readonly fanOut: FanOut
  readonly settings: ChatSettings
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

/** The room whose messages arrive at this destination; null if it is not such a destination. */
function roomOfTopic(destination: string | undefined): string | null {
  return roomIn(destination, roomTopic)
}

/** The room that this destination publishes to; null if it is not such a destination. */
function roomOfDestination(destination: string | undefined): string | null {
  return roomIn(destination, roomDestination)
}

// Compared with its normal spelling, so that no other spelling is accepted.
function roomIn(destination: string | undefined, spell: (room: string) => string): string | null {
  const room = /\/(room_\d{1,10}_\d{1,10})(?:\/|$)/.exec(destination ?? '')?.[1]
  return room && roomMembers(room) && spell(room) === destination ? room : null
}

/** The state of a connection; `silent`: it has not sent CONNECT in time. */
type Health = 'well' | 'beat' | 'ping' | 'dead' | 'silent'

type Heartbeat = ReturnType<typeof createHeartbeat>

// Clients without heart-beats are pinged: every WebSocket answers with a pong.
const PING_AFTER = 30 * SECOND_MS
const DEAD_AFTER = 75 * SECOND_MS

/** Heart-beats of a connection, both ways (STOMP 1.2, "Heart-beating"). */
function createHeartbeat(settings: ChatSettings) {
  const openedAt = performance.now()
  let receivedAt = openedAt
  let sentAt = openedAt
  let pingedAt = openedAt
  let isConnected = false
  /** In milliseconds; 0: none. */
  let sends = 0
  let expects = 0

  return {
    received(): void {
      receivedAt = performance.now()
    },
    sent(): void {
      sentAt = performance.now()
    },
    /** Applies the offer of CONNECT, `<can>,<wants>` in milliseconds; false if it is malformed. */
    negotiate(offer = '0,0'): boolean {
      const [, can, wants] = /^(\d{1,9}),(\d{1,9})$/.exec(offer) ?? []
      if (can === undefined || wants === undefined) return false
      isConnected = true
      sends = Number(wants) && Math.max(Number(wants), settings.heartbeat)
      expects = Number(can) && Math.max(Number(can), settings.heartbeat)
      return true
    },
    /** `elapsed` is a value of `performance.now`. */
    look(elapsed: number): Health {
      if (!isConnected && elapsed - openedAt > settings.connect) return 'silent'
      const silence = elapsed - receivedAt
      // Twice the agreed time, because networks are not punctual.
      if (silence > (expects ? 2 * expects : DEAD_AFTER)) return 'dead'
      // A tick early is better than late.
      if (sends && elapsed - sentAt >= sends - settings.tick) return 'beat'
      if (!expects && silence > PING_AFTER && elapsed - pingedAt > PING_AFTER) {
        pingedAt = elapsed
        return 'ping'
      }
      return 'well'
    },
  }
}

interface StompParts {
  readonly deps: Deps
  readonly fanOut: FanOut
  readonly settings: ChatSettings
  readonly heartbeat: Heartbeat
  /** Identifies the caller again; throws `invalid_token` once the token has ended. */
  authorise(): Promise<User>
  isReady(): boolean
  isEnding(): boolean
  send(command: string, headers: Record<string, string>, body?: string): void
  disconnect(): void
}

// The number of published message ids that a session remembers.
const PUBLISHED_KEPT = 100

/** The server side of a STOMP 1.0, 1.1 or 1.2 session, from CONNECT to its end. */
function createStompSession(parts: StompParts) {
  const { deps, fanOut, settings, heartbeat, send } = parts
  const { kysely } = deps.database
  const subscriptions = new Map<string, Subscriber>()
  const published = new Set<number>()
  let version: Version | null = null

  function connect({ headers }: Frame): void {
    if (version !== null) throw new ProtocolError('this session is connected already')
    const wanted = (headers['accept-version'] ?? '1.0').split(',').map((one) => one.trim())
    const chosen = VERSIONS.find((one) => wanted.includes(one))
    if (!chosen) throw new ProtocolError(`supported versions are ${VERSIONS.join(',')}`)
    if (!heartbeat.negotiate(headers['heart-beat'])) {
      throw new ProtocolError('the heart-beat header is malformed')
    }
    version = chosen
    const beats = `${settings.heartbeat},${settings.heartbeat}`
    send('CONNECTED', { version, 'heart-beat': beats, server: 'karras' })
  }

  async function subscribe({ headers }: Frame): Promise<void> {
    const room = roomOfTopic(headers.destination)
    if (room === null) throw fault('forbidden')
    const id = subscriptionId(headers)
    if (subscriptions.has(id)) throw new ProtocolError('this subscription id is in use')
    if (subscriptions.size >= settings.subscriptions) throw fault('too_many_requests')
    const after = afterOf(headers)
    const user = await parts.authorise()
    const { lastMessageId } = await requireFollower(kysely, room, user)
    if (parts.isEnding()) return
    const subscriber: Subscriber = {
      roomId: room,
      last: Math.min(after ?? lastMessageId, lastMessageId),
      isReady: parts.isReady,
      push: (message) => push(id, message),
    }
    subscriptions.set(id, subscriber)
    fanOut.add(subscriber)
  }

  function push(id: string, message: MessageRow): void {
    const headers = {
      subscription: id,
      'message-id': String(message.id),
      destination: roomTopic(message.roomId),
      'content-type': 'application/json;charset=utf-8',
    }
    send('MESSAGE', headers, JSON.stringify(presentMessage(message)))
  }

  function unsubscribe({ headers }: Frame): void {
    const id = subscriptionId(headers)
    const subscriber = subscriptions.get(id)
    if (!subscriber) return
    subscriptions.delete(id)
    fanOut.remove(subscriber)
  }

  async function publish({ headers, body }: Frame): Promise<void> {
    const room = roomOfDestination(headers.destination)
    if (room === null) throw fault('forbidden')
    if (headers.transaction !== undefined) throw new ProtocolError('there are no transactions')
    const id = messageId(body)
    const user = await parts.authorise()
    await requireMember(kysely, room, user.id)
    if (published.has(id)) return
    const message = await readMessage(kysely, id)
    if (message?.roomId !== room || message.senderId !== user.id) throw fault('forbidden')
    const [oldest] = published
    if (published.size >= PUBLISHED_KEPT && oldest !== undefined) published.delete(oldest)
    published.add(id)
    fanOut.wake(room)
  }

  function subscriptionId(headers: Frame['headers']): string {
    // In STOMP 1.0 the destination may identify a subscription.
    const id = headers.id ?? (version === '1.0' ? headers.destination : undefined)
    if (!id || id.length > 200) throw new ProtocolError('the subscription has no good id')
    return id
  }

  /** Throws a `ProtocolError` or a fault of the API; both end the session. */
  async function handle(frame: Frame): Promise<void> {
    const { command } = frame
    if (command === 'CONNECT' || command === 'STOMP') return connect(frame)
    if (version === null) throw new ProtocolError('CONNECT comes first')
    if (command === 'SUBSCRIBE') await subscribe(frame)
    else if (command === 'UNSUBSCRIBE') unsubscribe(frame)
    else if (command === 'SEND') await publish(frame)
    // No acknowledgements: a client that missed messages subscribes with `after`.
    else if (!['ACK', 'NACK', 'DISCONNECT'].includes(command)) {
      throw new ProtocolError(`${command} is not supported`)
    }
    if (frame.headers.receipt !== undefined) {
      send('RECEIPT', { 'receipt-id': frame.headers.receipt })
    }
    if (command === 'DISCONNECT') parts.disconnect()
  }

  return {
    /** null before CONNECT. */
    version: () => version,
    handle,
    /** Pushes the messages that its rooms have received in the meantime. */
    wake() {
      for (const { roomId } of subscriptions.values()) fanOut.wake(roomId)
    },
    end() {
      for (const subscriber of subscriptions.values()) fanOut.remove(subscriber)
      subscriptions.clear()
    },
  }
}

/**
 * The header `after` of a SUBSCRIBE, our extension: all messages after this id are delivered first.
 */
function afterOf({ after }: Frame['headers']): number | undefined {
  if (after === undefined) return undefined
  if (!/^\d{1,10}$/.test(after)) throw fault('invalid_input')
  return Number(after)
}

/** The id of the saved message in a SEND. */
function messageId(body: string): number {
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch {
    throw fault('malformed_json')
  }
  const id = (message as { id?: unknown } | null)?.id
  if (!Number.isInteger(id) || Number(id) < 1 || Number(id) > 2 ** 31 - 1) {
    throw fault('invalid_input')
  }
  return Number(id)
}
