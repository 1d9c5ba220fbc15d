// @one-database: it is about frames.

import { describe, expect, test } from 'vitest'
import webstomp from 'webstomp-client'
import { WebSocket } from 'ws'
import { logOut } from '../../../src/contract/accounts.ts'
import { roomDestination, roomTopic } from '../../../src/contract/chat.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { aConversation, follow, rawSocket, sendChat, socketUrl } from '../../support/chat.ts'
import { sharedApp } from '../../support/test.ts'

const allowances = { ...ALLOWANCES, chatMessagesOfUser: { max: 10_000, windowMs: MINUTE_MS } }

const app = await sharedApp({ allowances, chat: { tick: 50 } })

const contents = (messages: readonly { content: string }[]) => messages.map((one) => one.content)

describe('a live connection', () => {
  test('delivers a published message once, and none of another room', async () => {
    const { customer, admin, room } = await aConversation(app)
    const theirs = await follow(app.url, admin.token, room)
    const mine = await follow(app.url, customer.token, room)
    const saved = await sendChat(app, customer, admin, 'saved')
    const destination = roomDestination(room)
    for (let n = 0; n < 3; n++) {
      mine.client.publish({ destination, body: JSON.stringify(saved) })
    }
    const forged = { ...saved, content: 'forged' }
    mine.client.publish({ destination, body: JSON.stringify(forged) })
    await sendChat(app, customer, admin, 'last')
    await expect.poll(() => contents(theirs.messages)).toEqual(['saved', 'last'])
    await expect.poll(() => contents(mine.messages)).toEqual(['saved', 'last'])

    theirs.client.publish({ destination, body: JSON.stringify(saved) })
    await expect.poll(() => theirs.errors.length).toBe(1)
    expect(theirs.errors[0]?.headers.message).toBe('forbidden')
    expect(mine.messages).toHaveLength(2)
  })

  test('delivers earlier stored messages before new ones', async () => {
    const { customer, admin, room } = await aConversation(app)
    const sent = []
    for (let n = 0; n < 450; n++) sent.push(await sendChat(app, customer, admin, `${n}`))
    const theirs = await follow(app.url, admin.token, room, { after: String(sent[9]?.id) })
    sent.push(await sendChat(app, customer, admin, 'live'))
    await expect.poll(() => theirs.messages.length).toBe(441)
    expect(theirs.messages).toEqual(sent.slice(10))
  })

  test('ends when its user logs out, resets the password, or the token expires', async () => {
    const { customer, room } = await aConversation(app)
    const first = await follow(app.url, customer.token, room)
    const raw = await rawSocket(socketUrl(app.url, customer.token))
    await raw.connect()
    await app.call(logOut, { as: customer })
    expect(await raw.closed).toBe(1008)
    expect(await raw.take('ERROR')).toContain('message:invalid_token')
    await expect.poll(() => first.client.connected).toBe(false)

    const again = await aConversation(app)
    const second = await rawSocket(socketUrl(app.url, again.customer.token))
    await second.connect()
    app.travel(12 * HOUR_MS + 1000)
    expect(await second.closed).toBe(1008)
    app.travel(-12 * HOUR_MS - 1000)
  })
})

test('speaks STOMP 1.1 with another client library', async () => {
  const { customer, admin, room } = await aConversation(app)
  const raw = await rawSocket(socketUrl(app.url, admin.token))
  expect(await raw.connect('1.0,1.1')).toContain('version:1.1\n')
  raw.send('SUBSCRIBE', ['id:my\\cid', `destination:${roomTopic(room)}`, 'receipt:r-1'])
  expect(await raw.take('RECEIPT')).toContain('receipt-id:r-1\n')
  const sent = await sendChat(app, customer, admin, 'أهلا')
  const frame = await raw.take('MESSAGE')
  expect(frame).toContain('subscription:my\\cid\n')
  expect(frame).toContain(`message-id:${sent.id}\n`)
  expect(JSON.parse(frame.split('\n\n')[1]?.replace('\0', '') ?? '')).toEqual(sent)
  raw.send('ACK', ['id:my\\cid', 'receipt:r-2'])
  await raw.take('RECEIPT')
  raw.send('UNSUBSCRIBE', ['id:my\\cid', 'receipt:r-3'])
  await raw.take('RECEIPT')
  raw.send('DISCONNECT', ['receipt:bye'])
  expect(await raw.take('RECEIPT')).toContain('receipt-id:bye')
  expect(await raw.closed).toBe(1000)
})

// A client that is independent of the one whose codec the server uses.
test('another STOMP client connects, subscribes and exchanges messages', async () => {
  const { customer, admin, room } = await aConversation(app)
  const socket = new WebSocket(socketUrl(app.url, admin.token), ['v12.stomp'])
  const client = webstomp.over(socket as never, { debug: false, binary: false })
  const connected = Promise.withResolvers<void>()
  client.connect({}, () => connected.resolve(), connected.reject)
  await connected.promise
  const received: unknown[] = []
  client.subscribe(roomTopic(room), ({ body }) => received.push(JSON.parse(body)), {
    receipt: 'subscribed',
  })
  const subscribed = Promise.withResolvers<void>()
  client.onreceipt = () => subscribed.resolve()
  await subscribed.promise

  const saved = await sendChat(app, customer, admin, 'سؤال: message\nيمتدّ على سطرين')
  await expect.poll(() => received).toEqual([saved])
  const answer = await sendChat(app, admin, customer, 'جواب')
  client.send(roomDestination(room), JSON.stringify(answer))
  await expect.poll(() => received).toEqual([saved, answer])
  const closed = Promise.withResolvers<void>()
  socket.on('close', () => closed.resolve())
  client.disconnect(() => {})
  await closed.promise
})
