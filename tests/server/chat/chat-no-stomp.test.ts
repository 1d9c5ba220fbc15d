// @one-database: it is about frames.
import { beforeAll, describe, expect, test } from 'vitest'
import { CHAT_FRAME_MAX_BYTES } from '../../../src/server/chat/stomp.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { rawSocket, socketUrl } from '../../support/chat.ts'
import { allowances, endOf } from '../../support/chat-raw.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ allowances, chat: { tick: 20, socketsPerUser: 1000 } })
  return app.stop
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
