// @one-database: it is about frames.

import { expect, test } from 'vitest'
import webstomp from 'webstomp-client'
import { WebSocket } from 'ws'
import { roomDestination, roomTopic } from '../../../src/contract/chat.ts'
import { testApp } from '../../support/app.ts'
import { aConversation, sendChat, socketUrl } from '../../support/chat.ts'

// A client that is independent of the one whose codec the server uses.
test('another STOMP client connects, subscribes and exchanges messages', async () => {
  const app = await testApp()
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
