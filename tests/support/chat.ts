import { once } from 'node:events'
import { Client, type IFrame } from '@stomp/stompjs'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { type Message, openRoom, roomTopic, sendMessage } from '../../src/contract/chat.ts'
import { roomId } from '../../src/rules/room.ts'
import type { AppOptions } from '../../src/server/backend.ts'
import { openListener } from '../../src/server/database/listen.ts'
import { openDatabase } from '../../src/server/database/pool.ts'
import { type TestApp, testApp } from './app.ts'
import { socketUrl } from './chat-client.ts'
import type { Person } from './people.ts'

export { socketUrl }

/** A live connection driven by hand: sends and receives frames as text. */
export interface RawSocket {
  readonly socket: WebSocket
  /** Every frame and heart-beat received so far. */
  readonly received: string[]
  /** Resolves to the code with which it was closed. */
  readonly closed: Promise<number>
  /** Sends a frame; `lines` are its headers. */
  send(command: string, lines?: readonly string[], body?: string): void
  /** The next frame with this command, starting from the first one not yet taken. */
  take(command: string): Promise<string>
  /** Sends CONNECT, and waits for CONNECTED. */
  connect(version?: string): Promise<string>
}

/** Opens a connection; rejects with the HTTP status of a refusal. */
export async function rawSocket(
  url: string,
  headers: Record<string, string> = {},
): Promise<RawSocket> {
  const socket = new WebSocket(url, ['v11.stomp'], { headers })
  const received: string[] = []
  let taken = 0
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)))
  socket.on('message', (data) => received.push(String(data)))
  cleanUp(() => socket.terminate())
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, response) => {
      reject(Object.assign(new Error('refused'), { status: response.statusCode, response }))
      socket.terminate()
    })
    socket.on('error', reject)
  })
  const send: RawSocket['send'] = (command, lines = [], body = '') =>
    socket.send(`${[command, ...lines].join('\n')}\n\n${body}\0`)
  const take: RawSocket['take'] = async (command) => {
    for (;;) {
      for (; taken < received.length; taken++) {
        const frame = received[taken] as string
        if (frame.startsWith(`${command}\n`)) {
          taken++
          return frame
        }
      }
      if (socket.readyState !== WebSocket.OPEN) {
        throw new Error(`closed before ${command}: ${received.slice(-2).join()}`)
      }
      await Promise.race([once(socket, 'message'), closed])
    }
  }
  return {
    socket,
    received,
    closed,
    send,
    take,
    connect(version = '1.1') {
      send('CONNECT', [`accept-version:${version}`, 'host:karras', 'heart-beat:0,0'])
      return take('CONNECTED')
    },
  }
}

/** The stock client of the site, following one room. */
interface Follower {
  readonly client: Client
  /** Received messages, in order. */
  readonly messages: Message[]
  readonly errors: IFrame[]
  stop(): Promise<void>
}

/**
 * Follows a room with the stock client; resolves once the server has confirmed the subscription.
 */
export async function follow(
  origin: string,
  token: string,
  room: string,
  headers: Record<string, string> = {},
): Promise<Follower> {
  const messages: Message[] = []
  const errors: IFrame[] = []
  const url = socketUrl(origin, token)
  const client = new Client({
    webSocketFactory: () => new WebSocket(url, ['v12.stomp', 'v11.stomp', 'v10.stomp']),
    reconnectDelay: 0,
    onStompError: (frame) => errors.push(frame),
  })
  cleanUp(() => client.deactivate({ force: true }))
  await new Promise<void>((resolve, reject) => {
    client.onConnect = () => {
      client.watchForReceipt('followed', () => resolve())
      client.subscribe(roomTopic(room), (message) => messages.push(JSON.parse(message.body)), {
        ...headers,
        receipt: 'followed',
      })
    }
    client.onWebSocketClose = () => reject(new Error(`closed: ${errors[0]?.headers.message}`))
    client.activate()
  })
  return { client, messages, errors, stop: () => client.deactivate() }
}

/** Another instance on the same database, with its own connections and clock. */
export async function anotherInstance(app: TestApp, options: AppOptions = {}): Promise<TestApp> {
  const database = openDatabase(app.databaseUrl)
  const listener = openListener(app.databaseUrl)
  const other = await testApp({ ...options, deps: { database, listener } })
  return {
    ...other,
    async stop() {
      await other.stop()
      await listener.close()
      await database.close()
    },
  }
}

/** A conversation of a new customer with an administrator. */
export async function aConversation(app: TestApp) {
  const customer = await app.aCustomer()
  const admin = await app.anOfficeAdministrator()
  const query = { user1Id: customer.id, user2Id: admin.id }
  const { roomId: room } = await app.call(openRoom, { as: customer, query })
  return { customer, admin, room }
}

/** Sends a message over REST. */
export function sendChat(app: TestApp, as: Person, to: { id: number }, content: string) {
  const body = { senderId: as.id, receiverId: to.id, content }
  return app.call(sendMessage, { as, params: { roomId: roomId(as.id, to.id) }, body })
}

function cleanUp(end: () => unknown): void {
  try {
    onTestFinished(() => void end())
  } catch {
    // Not within a test: stopping the server ends it.
  }
}
