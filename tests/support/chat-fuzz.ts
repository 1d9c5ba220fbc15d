import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import type { WebSocket } from 'ws'
import { roomDestination, roomTopic } from '../../src/contract/chat.ts'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import { createFanOut } from '../../src/server/chat/fan-out.ts'
import { storeMessage } from '../../src/server/chat/messages.ts'
import { ensureRoom } from '../../src/server/chat/rooms.ts'
import { CHAT_SETTINGS, openSession } from '../../src/server/chat/session.ts'
import type { Deps } from '../../src/server/deps.ts'
import type { Factories, Person } from './factories.ts'
import { type Random, randomFrom } from './random.ts'

/**
 * A WebSocket without a network: records what the server sends, and emits what it should receive.
 */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  readonly sent: string[] = []
  send(text: string) {
    this.sent.push(text)
  }
  close() {
    if (this.readyState === 3) return
    this.readyState = 3
    setImmediate(() => this.emit('close'))
  }
  terminate = this.close
  pause() {}
  resume() {}
  ping() {}
}

interface Flood {
  /** Sessions that were opened; an invalid frame ends one. */
  readonly sessions: number
  /** Frames that the server answered with, by command. */
  readonly answers: Record<string, number>
  /** Messages that reached a user who is not in their room. */
  readonly misdelivered: string[]
  /** Unexpected errors of the server. */
  readonly faults: unknown[]
}

/** Sends `frames` random and mutated frames as a user with a room of their own. */
export async function floodFrames(
  deps: Deps,
  made: Pick<Factories, 'aCustomer' | 'anAdministrator'>,
  { frames, seed }: { frames: number; seed: number },
): Promise<Flood> {
  const { kysely } = deps.database
  const [me, theirs, admin] = [
    await made.aCustomer(),
    await made.aCustomer(),
    await made.anAdministrator(),
  ]
  const own = await ensureRoom(kysely, me.id, admin.id)
  const foreign = await ensureRoom(kysely, theirs.id, admin.id)
  const write = (roomId: string, from: Person, to: Person) =>
    storeMessage(
      deps.database,
      { roomId, senderId: from.id, receiverId: to.id, content: roomId, clientId: null },
      { allowance: { max: 1e9, windowMs: MINUTE_MS }, now: deps.now() },
    )
  const saved = await write(own, me, admin)
  const secret = await write(foreign, theirs, admin)
  const random = randomFrom(seed)
  const fanOut = createFanOut(kysely, (error) => faults.push(error))
  const faults: unknown[] = []
  const answers: Record<string, number> = {}
  const misdelivered: string[] = []
  let sessions = 0
  let socket: FakeSocket | undefined

  function open(): FakeSocket {
    sessions++
    const fake = new FakeSocket()
    const user = {
      id: me.id,
      role: me.role,
      actor: `user ${me.id}`,
      teacherId: null,
      factors: null,
      tokenId: 'x',
      tokenExpiry: 4e9,
    }
    openSession(
      fake as unknown as WebSocket,
      { user, token: me.token },
      {
        deps,
        fanOut,
        settings: CHAT_SETTINGS,
        report: (error) => faults.push(error),
        onClose: () => {},
      },
    )
    fake.emit('message', Buffer.from('CONNECT\naccept-version:1.2,1.1\n\n\0'))
    return fake
  }

  /** Gives it the time that its database queries take. */
  async function answered(session: FakeSocket): Promise<void> {
    for (let n = 0; n < 6 && session.sent.length === 0; n++) {
      await sql`SELECT 1`.execute(kysely)
    }
  }

  function settle({ sent }: FakeSocket): void {
    for (const frame of sent.splice(0)) {
      const command = frame.split('\n', 1)[0] ?? ''
      answers[command] = (answers[command] ?? 0) + 1
      if (command === 'MESSAGE' && !frame.includes(`"roomId":"${own}"`)) misdelivered.push(frame)
    }
  }

  const samples = sampleFrames(own, foreign, saved.id, secret.id)
  for (let n = 0; n < frames; n++) {
    if (socket?.readyState !== 1) socket = open()
    socket.emit('message', mutate(random, Buffer.from(random.pick(samples))))
    // Messages arrive in both rooms meanwhile.
    if (n % 200 === 0) {
      await write(own, admin, me)
      await write(foreign, admin, theirs)
      fanOut.wake(own)
      fanOut.wake(foreign)
    }
    if (n % 2 === 0) await answered(socket)
    settle(socket)
  }
  // A session whose frame never ends waits for the rest of it.
  const last = open()
  last.emit(
    'message',
    Buffer.from(`SUBSCRIBE\nid:1\ndestination:${roomTopic(own)}\nreceipt:end\n\n\0`),
  )
  const receivesFrame = async (command: string) => {
    while (!last.sent.some((frame) => frame.startsWith(command))) await new Promise(setImmediate)
  }
  await receivesFrame('RECEIPT')
  // After all that, a message still reaches its recipients.
  await write(own, admin, me)
  fanOut.wake(own)
  await receivesFrame('MESSAGE')
  settle(last)
  if (socket) settle(socket)
  fanOut.close()
  return { sessions, answers, misdelivered, faults }
}

function sampleFrames(own: string, foreign: string, saved: number, secret: number): string[] {
  const rooms = [own, foreign, '*', '>', `${own}/../${foreign}`]
  const subscribing = rooms.flatMap((room) => [
    `SUBSCRIBE\nid:s\ndestination:${roomTopic(room)}\nafter:0\n\n\0`,
    `SUBSCRIBE\nid:1\ndestination:${roomTopic(room)}\nreceipt:r\n\n\0`,
    `UNSUBSCRIBE\nid:s\n\n\0SUBSCRIBE\nid:s\ndestination:${roomTopic(room)}\n\n\0`,
  ])
  const publishing = rooms.flatMap((room) =>
    [saved, secret].map((id) => {
      const body = JSON.stringify({ id, roomId: room, content: 'مرحبا' })
      return `SEND\ndestination:${roomDestination(room)}\ncontent-length:${Buffer.byteLength(body)}\n\n${body}\0`
    }),
  )
  return [
    ...subscribing,
    ...publishing,
    'ACK\nid:1\n\n\0',
    'DISCONNECT\nreceipt:bye\n\n\0',
    'BEGIN\ntransaction:t\n\n\0',
    'CONNECT\naccept-version:1.0\nheart-beat:0,0\n\n\0',
    'MESSAGE\nsubscription:s\n\nx\0',
    '\n\n\r\n',
    `SEND\ndestination:${'x'.repeat(3000)}\n\n${'{'.repeat(3000)}\0`,
  ]
}

const MALICIOUS = [
  '\0',
  '\n',
  '\n\n',
  ':',
  '\\',
  '\r',
  '\\c',
  '__proto__:x\n',
  'content-length:9\n',
  '\ufeff',
]

/** The frame unchanged, or with a few bytes changed, dropped, inserted, doubled or random. */
function mutate(random: Random, frame: Buffer): Buffer {
  let bytes = frame
  for (let changes = random.between(0, 3); changes > 0; changes--) {
    const at = random.between(0, bytes.length)
    const kind = random.between(0, 6)
    const [start, end] = [bytes.subarray(0, at), bytes.subarray(at)]
    if (kind === 0)
      bytes = Buffer.concat([start, Buffer.from([random.between(0, 255)]), end.subarray(1)])
    else if (kind === 1) bytes = Buffer.concat([start, end.subarray(random.between(1, 20))])
    else if (kind === 2) bytes = Buffer.concat([start, Buffer.from(random.pick(MALICIOUS)), end])
    else if (kind === 3) bytes = Buffer.concat([bytes, end])
    else if (kind === 4) bytes = start
    else if (kind === 5) bytes = end
    else
      bytes = Buffer.from(
        Array.from({ length: random.between(1, 60) }, () => random.between(0, 255)),
      )
  }
  return bytes
}
