import { Client, type IMessage, type StompSubscription } from '@stomp/stompjs'
import { validate } from 'superstruct'
import { Message, roomDestination, roomTopic, SOCKET_PATH, SOCKET_TOKEN } from '../contract/chat.ts'
import { UNKNOWN_ID } from '../rules/features.ts'
import { CHAT_CONNECT_MS, CHAT_HEARTBEAT_MS, CHAT_RECONNECT_MS } from '../rules/room.ts'

export interface LiveListener {
  /** The current bearer token, for each new connection. */
  token: () => string
  onOpen: () => void
  /** The connection ended, or could not be opened; the next try is under way. */
  onLost: () => void
  /** The server now sends every new message of the rooms that were last requested. */
  onFollowing: () => void
  onMessage: (message: Message) => void
}

export interface Live {
  /** Follows these rooms and no others, on this connection and the next ones. */
  follow: (roomIds: readonly string[]) => void
  /** Publishes a saved message; does nothing while there is no connection. */
  publish: (message: Message) => void
  close: () => void
}

export type OpenLive = (listener: LiveListener) => Live

/** Opens the STOMP connection; if it is lost, tries to reopen it every `CHAT_RECONNECT_MS`. */
export const openLive: OpenLive = ({ token, onOpen, onLost, onFollowing, onMessage }) => {
  const followed = new Map<string, StompSubscription | null>()

  const take = ({ body }: IMessage) => {
    const [, message] = validate(parse(body), Message, { coerce: true })
    if (message) onMessage(message)
  }
  const follow: Live['follow'] = (roomIds) => {
    const wanted = new Set(roomIds)
    for (const [roomId, subscription] of followed) {
      if (wanted.has(roomId)) continue
      followed.delete(roomId)
      if (client.connected) subscription?.unsubscribe()
    }
    for (const roomId of wanted) if (!followed.has(roomId)) followed.set(roomId, null)
    if (client.connected) subscribeMissing()
  }
  const subscribeMissing = () => {
    const missing = [...followed].filter(([, subscription]) => subscription === null)
    for (const [at, [roomId]] of missing.entries()) {
      const isLast = at === missing.length - 1
      const receipt = `following-${++count}`
      if (isLast) client.watchForReceipt(receipt, onFollowing)
      followed.set(roomId, client.subscribe(roomTopic(roomId), take, isLast ? { receipt } : {}))
    }
  }

  let count = 0
  let isClosed = false
  const client = new Client({
    reconnectDelay: CHAT_RECONNECT_MS,
    connectionTimeout: CHAT_CONNECT_MS,
    heartbeatIncoming: CHAT_HEARTBEAT_MS,
    heartbeatOutgoing: CHAT_HEARTBEAT_MS,
    // A dead connection would not answer the disconnect frame.
    discardWebsocketOnCommFailure: true,
    beforeConnect: (self) => {
      self.brokerURL = socketAddress(token())
    },
    onConnect: () => {
      for (const roomId of followed.keys()) followed.set(roomId, null)
      onOpen()
      subscribeMissing()
    },
    onWebSocketClose: () => {
      if (!isClosed) onLost()
    },
    onStompError: ({ headers }) => console.warn('live connection:', headers.message),
  })
  client.activate()

  return {
    follow,
    publish: (message) => {
      if (!client.connected || !message.roomId) return
      client.publish({
        destination: roomDestination(message.roomId),
        // A message without an id is published as it was answered.
        body: JSON.stringify(message.id === UNKNOWN_ID ? { ...message, id: undefined } : message),
      })
    },
    close: () => {
      isClosed = true
      void client.deactivate()
    },
  }
}

function socketAddress(token: string): string {
  const { origin } = location
  return `${origin.replace(/^http/, 'ws')}${SOCKET_PATH}?${new URLSearchParams({ [SOCKET_TOKEN]: token })}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
