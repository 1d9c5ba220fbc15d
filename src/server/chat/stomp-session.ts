import { roomTopic } from '../../contract/chat.ts'
import type { Deps } from '../deps.ts'
import { fault } from '../http/errors.ts'
import type { User } from '../http/route.ts'
import { roomOfDestination, roomOfTopic } from './destinations.ts'
import type { FanOut, Subscriber } from './fan-out.ts'
import type { Heartbeat } from './heartbeat.ts'
import { type MessageRow, readMessage } from './messages.ts'
import { presentMessage } from './present.ts'
import { requireFollower, requireMember } from './rooms.ts'
import type { ChatSettings } from './settings.ts'
import { type Frame, ProtocolError, VERSIONS, type Version } from './stomp.ts'

/** What a STOMP session needs from its connection. */
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
  /** Called after DISCONNECT. */
  disconnect(): void
}

// The number of published message ids that a session remembers.
const PUBLISHED_KEPT = 100

/** The server side of a STOMP 1.0, 1.1 or 1.2 session, from CONNECT to its end. */
export function createStompSession(parts: StompParts) {
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

  /** Pushes a stored message to the subscribers that have not received it yet. */
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
