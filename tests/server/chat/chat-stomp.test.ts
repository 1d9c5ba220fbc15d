// @one-database: it is about frames.

import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { roomDestination, roomTopic } from '../../../src/contract/chat.ts'
import { MINUTE_MS } from '../../../src/rules/durations.ts'
import { CHAT_FRAME_MAX_BYTES } from '../../../src/server/chat/stomp.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { testApp } from '../../support/app.ts'
import {
  aConversation,
  type RawSocket,
  rawSocket,
  sendChat,
  socketUrl,
} from '../../support/chat.ts'
import { sharedApp } from '../../support/test.ts'

const allowances = {
  ...ALLOWANCES,
  chatMessagesOfUser: { max: 10_000, windowMs: MINUTE_MS },
}

/** How the session ends: the code of its ERROR and the code of its close. */
async function endOf(raw: RawSocket): Promise<[string | undefined, number]> {
  const frame = await raw.take('ERROR')
  return [/^message:(.*)$/m.exec(frame)?.[1], await raw.closed]
}

const app = await sharedApp({ allowances, chat: { tick: 20, socketsPerUser: 1000 } })

async function connected(token: string, at = app): Promise<RawSocket> {
  const raw = await rawSocket(socketUrl(at.url, token))
  await raw.connect('1.2')
  return raw
}

describe('a destination', () => {
  test('is the exact topic of one’s own room', async () => {
    const { customer, admin, room } = await aConversation(app)
    const other = await aConversation(app)
    const saved = await sendChat(app, admin, customer, 'saved')
    const topics = [
      roomTopic(other.room),
      '/topic/room/*',
      '/topic/room/>',
      '/topic/**',
      '/topic/room/',
      `${roomTopic(room)}/`,
      ` ${roomTopic(room)}/../${other.room}`,
      `/topic/room/${room.toUpperCase()}`,
      `/topic/room/room_${admin.id}_${customer.id}`,
      `/topic/room/room_0${customer.id}_${admin.id}`,
      roomDestination(room),
      `/queue/${room}`,
      `/user/${customer.id}/queue/messages`,
      '',
    ]
    for (const destination of topics) {
      const raw = await connected(customer.token)
      raw.send('SUBSCRIBE', ['id:1', `destination:${destination}`, 'receipt:r'])
      expect(await endOf(raw), destination).toEqual(['forbidden', 1008])
      expect(raw.received.at(-1)).toContain('receipt-id:r')
    }
    const publishing: [string, unknown, string][] = [
      [roomDestination(other.room), saved, 'forbidden'],
      [roomTopic(room), saved, 'forbidden'],
      ['/app/room/*/send', saved, 'forbidden'],
      // Stored, but written by the other one.
      [roomDestination(room), saved, 'forbidden'],
      [roomDestination(room), { id: 2_000_000_000 }, 'forbidden'],
      [roomDestination(room), { id: '1' }, 'invalid_input'],
      [roomDestination(room), null, 'invalid_input'],
      [roomDestination(room), [], 'invalid_input'],
    ]
    for (const [destination, body, code] of publishing) {
      const raw = await connected(customer.token)
      raw.send('SEND', [`destination:${destination}`], JSON.stringify(body))
      expect(await endOf(raw), destination).toEqual([code, 1008])
    }
    const raw = await connected(customer.token)
    raw.send('SEND', [`destination:${roomDestination(room)}`], '{')
    expect(await endOf(raw)).toEqual(['malformed_json', 1008])
  })

  test('is closed to strangers and to administrators outside the room', async () => {
    const { room } = await aConversation(app)
    for (const stranger of [
      await app.aCustomer(),
      await app.anAdministrator(),
      await app.aTeacherAccount(),
    ]) {
      const raw = await connected(stranger.token)
      raw.send('SUBSCRIBE', ['id:1', `destination:${roomTopic(room)}`])
      expect(await endOf(raw)).toEqual(['forbidden', 1008])
    }
  })
})

describe('frames', () => {
  test('arrive in pieces, many in one, as text or bytes, with CR or without', async () => {
    const { customer, admin, room } = await aConversation(app)
    const raw = await rawSocket(socketUrl(app.url, customer.token))
    const bytes = Buffer.from(
      `\n\r\nCONNECT\r\naccept-version:1.2,1.1\r\nhost:كرّاس\r\n\r\n\0\nSUBSCRIBE\nid:0\n` +
        `destination:${roomTopic(room)}\ncontent-length:0\nreceipt:a\\cb\\\\\n\n\0\n`,
    )
    for (const [at] of bytes.entries()) {
      if (at % 2 === 0) raw.socket.send(bytes.subarray(at, at + 2))
    }
    expect(await raw.take('CONNECTED')).toContain('version:1.2')
    expect(await raw.take('RECEIPT')).toContain('receipt-id:a\\cb\\\\')
    const sent = await sendChat(app, admin, customer, 'x')
    expect(await raw.take('MESSAGE')).toContain(`"id":${sent.id},`)
  })

  test('of STOMP 1.0 need no version and no subscription id', async () => {
    const { customer, admin, room } = await aConversation(app)
    const raw = await rawSocket(socketUrl(app.url, customer.token))
    raw.send('CONNECT', ['login:x', 'passcode:y'])
    expect(await raw.take('CONNECTED')).toContain('version:1.0')
    raw.send('SUBSCRIBE', [`destination:${roomTopic(room)}`, 'receipt:1'])
    await raw.take('RECEIPT')
    await sendChat(app, admin, customer, 'x')
    await raw.take('MESSAGE')
    raw.send('UNSUBSCRIBE', [`destination:${roomTopic(room)}`, 'receipt:2'])
    await raw.take('RECEIPT')
    await sendChat(app, admin, customer, 'unheard')
    raw.send('DISCONNECT', ['receipt:3'])
    await raw.take('RECEIPT')
    expect(await raw.closed).toBe(1000)
    expect(raw.received.filter((frame) => frame.startsWith('MESSAGE'))).toHaveLength(1)
  })

  test('are rate-limited', async () => {
    const strict = await testApp({ chat: { frames: { max: 20, windowMs: 60_000 } } })
    const { token } = await strict.aCustomer()
    const raw = await connected(token, strict)
    for (let n = 0; n < 20; n++) raw.send('ACK', [`id:${n}`])
    expect(await endOf(raw)).toEqual(['too_many_requests', 1008])
    const beats = await connected(token, strict)
    for (let n = 0; n < 20; n++) beats.socket.send('\n')
    expect(await endOf(beats)).toEqual(['too_many_requests', 1008])
  })

  test('subscribe to a limited number of rooms, each under its own id', async () => {
    const { customer, room } = await aConversation(app)
    const line = `destination:${roomTopic(room)}`
    const raw = await connected(customer.token)
    for (let n = 0; n <= 20; n++) raw.send('SUBSCRIBE', [`id:${n}`, line])
    expect(await endOf(raw)).toEqual(['too_many_requests', 1008])
    const twice = await connected(customer.token)
    for (let n = 0; n < 2; n++) twice.send('SUBSCRIBE', ['id:same', line])
    expect(await endOf(twice)).toEqual(['protocol_error', 1002])
    const wrong = await connected(customer.token)
    wrong.send('SUBSCRIBE', ['id:1', line, 'after:-1'])
    expect(await endOf(wrong)).toEqual(['invalid_input', 1008])
  })
})

describe('heart-beats', () => {
  test('are sent as agreed, and a silent client is disconnected', async () => {
    // Long enough that no client counts as silent on a busy machine.
    const quick = await testApp({ chat: { tick: 20, heartbeat: 1000 } })
    const { token } = await quick.aCustomer()
    const raw = await rawSocket(socketUrl(quick.url, token))
    raw.send('CONNECT', ['accept-version:1.2', 'heart-beat:1000,1000'])
    expect(await raw.take('CONNECTED')).toContain('heart-beat:1000,1000')
    const beating = setInterval(() => raw.socket.send('\n'), 50)
    onTestFinished(() => clearInterval(beating))
    await expect.poll(() => raw.received.includes('\n')).toBe(true)
    clearInterval(beating)
    expect(await raw.closed).toBe(1006)
  })

  test('time out early without a CONNECT', async () => {
    const quick = await testApp({ chat: { tick: 10, connect: 50 } })
    const { token } = await quick.aCustomer()
    const raw = await rawSocket(socketUrl(quick.url, token))
    expect(await endOf(raw)).toEqual(['protocol_error', 1002])
  })
})

describe('a slow reader', () => {
  test('gets only what fits, then the rest; one who reads nothing is disconnected', async () => {
    const slow = await testApp({ allowances, chat: { tick: 20, stall: 400, unsentBytes: 50_000 } })
    const { customer, admin, room } = await aConversation(slow)
    const long = 'م'.repeat(4000)
    // More than the machine's own buffers hold.
    const count = 1500
    await slow.deps.database.pool.query(
      `INSERT INTO chat_messages (room_id, sender_id, receiver_id, content)
       SELECT $1, $2, $3, $4 FROM generate_series(1, $5)`,
      [room, customer.id, admin.id, long, count],
    )
    await sendChat(slow, customer, admin, 'last')
    const subscribe = async () => {
      const raw = await connected(admin.token, slow)
      raw.send('SUBSCRIBE', ['id:1', `destination:${roomTopic(room)}`, 'after:0'])
      return raw
    }
    const reader = await subscribe()
    await expect.poll(() => reader.received.length).toBe(count + 2)
    const ids = reader.received.slice(1).map((text) => Number(/message-id:(\d+)/.exec(text)?.[1]))
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))

    const stuck = await subscribe()
    stuck.socket.pause()
    await expect.poll(() => slow.app.sockets.count()).toBe(1)
    stuck.socket.resume()
    expect(await stuck.closed).toBe(1006)
    expect(stuck.received.length).toBeLessThan(count)
    expect(reader.socket.readyState).toBe(WebSocket.OPEN)
  })
})

describe('invalid STOMP', () => {
  const frames: [string, string | Buffer][] = [
    ['a frame before CONNECT', 'SUBSCRIBE\nid:1\ndestination:/topic/x\n\n\0'],
    ['no version of ours', 'CONNECT\naccept-version:3.0\n\n\0'],
    ['malformed heart-beats', 'CONNECT\naccept-version:1.2\nheart-beat:a,b\n\n\0'],
    ['a header without a colon', 'CONNECT\naccept-version\n\n\0'],
    ['a header without a name', 'CONNECT\n:1.2\n\n\0'],
    ['a negative content-length', 'CONNECT\ncontent-length:-1\n\n\0'],
    ['a content-length of words', 'CONNECT\ncontent-length:5a\n\nabcde\0'],
    ['two content-lengths', 'CONNECT\ncontent-length:0\ncontent-length:5\n\n\0'],
    ['a content-length that is too short', 'CONNECT\ncontent-length:1\n\nabc\0'],
    ['a content-length that is huge', 'CONNECT\ncontent-length:999999\n\nabc\0'],
    ['headers without an end', 'CONNECT\naccept-version:1.2\0'],
    ['no command', ':\n\n\0'],
    ['an unknown command', 'GET / HTTP/1.1\nhost:x\n\n\0'],
    ['a NUL alone', '\0'],
    ['bytes that are no UTF-8', Buffer.from([0x43, 0xff, 0xfe, 0x0a, 0x0a, 0])],
    ['too many headers', `CONNECT\n${'a:b\n'.repeat(40)}\n\0`],
    ['CONNECT twice', 'CONNECT\naccept-version:1.2\n\n\0CONNECT\naccept-version:1.2\n\n\0'],
    ['an unknown escape', 'CONNECT\naccept-version:1.2\n\n\0SUBSCRIBE\nid:\\t\n\n\0'],
    ['a subscription without an id', subscribeWith('destination:/topic/room/room_1_2')],
    ['a transaction', 'CONNECT\naccept-version:1.2\n\n\0BEGIN\ntransaction:t\n\n\0'],
  ]
  test.each(frames)('%s ends the session', async (name, bytes) => {
    const { token } = await app.aCustomer()
    const raw = await rawSocket(socketUrl(app.url, token))
    raw.socket.send(bytes)
    expect(await endOf(raw), name).toEqual(['protocol_error', 1002])
  })

  test('a frame that never ends is cut off', async () => {
    const { token } = await app.aCustomer()
    for (const start of [
      'CONNECT\naccept-version:',
      'CONNECT\n\n',
      'CONNECT\ncontent-length:99\n\n',
    ]) {
      const raw = await rawSocket(socketUrl(app.url, token))
      raw.socket.send(start)
      const piece = 'x'.repeat(1024)
      for (let sent = 0; sent <= CHAT_FRAME_MAX_BYTES; sent += piece.length) raw.socket.send(piece)
      expect(await endOf(raw)).toEqual(['protocol_error', 1002])
    }
    const raw = await rawSocket(socketUrl(app.url, token))
    raw.socket.send('x'.repeat(CHAT_FRAME_MAX_BYTES + 1))
    expect(await raw.closed).toBe(1009)
  })

  test('text that is not UTF-8 ends the session as well', async () => {
    const { token } = await app.aCustomer()
    const raw = await rawSocket(socketUrl(app.url, token))
    raw.socket.send(Buffer.from([0xff, 0xfe]), { binary: false })
    expect(await raw.closed).toBe(1007)
  })
})

function subscribeWith(header: string): string {
  return `CONNECT\naccept-version:1.2\n\n\0SUBSCRIBE\n${header}\n\n\0`
}
