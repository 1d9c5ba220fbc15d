// @one-database: it is about instances; chat.test.ts runs their queries on both.

import { afterAll, describe, expect, test } from 'vitest'
import { forgotPassword, logOut, resetPassword } from '../../../src/contract/accounts.ts'
import { listRoomSummaries, roomTopic } from '../../../src/contract/chat.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/rules/durations.ts'
import type { Listener } from '../../../src/server/database/listen.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { testApp } from '../../support/app.ts'
import {
  aConversation,
  anotherInstance,
  follow,
  rawSocket,
  sendChat,
  socketUrl,
} from '../../support/chat.ts'
import { tokenIn } from '../../support/mail.ts'
import { PATIENCE } from '../../support/patience.ts'
import type { Person } from '../../support/people.ts'
import { sharedApp } from '../../support/test.ts'

// Two instances on one database; the second one's listener can be stopped.
const allowances = { ...ALLOWANCES, chatMessagesOfUser: { max: 10_000, windowMs: MINUTE_MS } }
const options = { allowances, chat: { tick: 20, connect: MINUTE_MS, missed: HOUR_MS } }

const app = await sharedApp(options)
const other = await anotherInstance(app, options)
afterAll(other.stop)

async function changePassword({ email }: Person) {
  await app.call(forgotPassword, { body: { email } })
  const [mail] = await app.mails()
  const token = tokenIn(mail)
  await app.call(resetPassword, { body: { token, newPassword: 'another-one' } })
}

describe('two instances', () => {
  test('exchange messages, with each user on another one', async () => {
    const { customer, admin, room } = await aConversation(app)
    const mine = await follow(app.url, customer.token, room)
    const theirs = await follow(other.url, admin.token, room)
    const sent = []
    for (let n = 0; n < 30; n++) {
      sent.push(
        n % 2 === 0
          ? await sendChat(app, customer, admin, `${n}`)
          : await sendChat(other, admin, customer, `${n}`),
      )
    }
    for (const { messages } of [mine, theirs]) {
      await expect.poll(() => messages.length).toBe(30)
      expect(messages).toEqual(sent)
    }
  })

  test('deliver concurrent messages in the order in which they were stored', async () => {
    const { customer, admin, room } = await aConversation(app)
    const followers = await Promise.all(
      [app, other].flatMap(({ url }) =>
        [customer, admin].map(({ token }) => follow(url, token, room)),
      ),
    )
    const sent = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        n % 2 === 0
          ? sendChat(n % 4 === 0 ? app : other, customer, admin, `${n}`)
          : sendChat(n % 4 === 1 ? app : other, admin, customer, `${n}`),
      ),
    )
    const inOrder = sent.sort((a, b) => a.id - b.id)
    for (const { messages } of followers) {
      await expect.poll(() => messages.length).toBe(100)
      expect(messages).toEqual(inOrder)
    }
    const params = { userId: customer.id }
    const [summary] = await app.call(listRoomSummaries, { as: customer, params })
    expect(summary?.lastMessage).toEqual(inOrder.at(-1))
  })

  test('lose nothing while the listening connection is killed over and over', async () => {
    const { customer, admin, room } = await aConversation(app)
    const theirs = await follow(other.url, admin.token, room)
    const sent = []
    for (let n = 0; n < 40; n++) {
      if (n % 8 === 4) {
        await app.deps.database.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
        )
      }
      sent.push(await sendChat(app, customer, admin, `${n}`))
    }
    await expect.poll(() => theirs.messages.length).toBe(40)
    expect(theirs.messages).toEqual(sent)
  })

  test.each([
    ['a logged-out user', (as: Person) => app.call(logOut, { as })],
    ['a changed password', changePassword],
  ])('both close the connections of %s, and no others', async (_, end) => {
    const { customer, admin } = await aConversation(app)
    const bystander = await rawSocket(socketUrl(other.url, admin.token))
    await bystander.connect()
    const sockets = await Promise.all(
      [app, other].map(({ url }) => rawSocket(socketUrl(url, customer.token))),
    )
    await end(customer)
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1008, 1008])
    bystander.send('ACK', ['id:1', 'receipt:still-here'])
    await bystander.take('RECEIPT')
  })
})

/** Hears no announcement, as behind a pooler. */
const DEAF: Listener = {
  onNotify: async () => () => {},
  onReconnect: () => () => {},
  close: async () => {},
}

describe('an instance that did not listen for a while', () => {
  test('delivers what it missed, in order and once, and closes the connections that have to', async () => {
    let isDeaf = false
    let reconnect = () => {}
    const { listener } = app.deps
    const mutedListener: Listener = {
      ...listener,
      onNotify: (channel, handler) =>
        listener.onNotify(channel, (payload) => (isDeaf ? undefined : handler(payload))),
      onReconnect(handler) {
        reconnect = handler
        return () => {}
      },
    }
    const hard = await testApp({
      ...options,
      deps: { database: app.deps.database, listener: mutedListener },
    })
    const { customer, admin, room } = await aConversation(app)
    const theirs = await follow(hard.url, admin.token, room)
    const mine = await rawSocket(socketUrl(hard.url, customer.token))
    const sent = [await sendChat(app, customer, admin, 'heard')]
    await expect.poll(() => theirs.messages.length).toBe(1)
    isDeaf = true
    for (let n = 0; n < 220; n++) sent.push(await sendChat(app, customer, admin, `missed ${n}`))
    await app.call(logOut, { as: customer })
    expect(theirs.messages).toHaveLength(1)
    isDeaf = false
    reconnect()
    await expect.poll(() => theirs.messages.length).toBe(221)
    expect(theirs.messages).toEqual(sent)
    expect(await mine.closed).toBe(1008)
  })

  test('delivers messages and closes ended sessions all the same, by reading them regularly', async () => {
    const deaf = await testApp({
      ...options,
      chat: { ...options.chat, missed: 50, ended: 50 },
      deps: { database: app.deps.database, listener: DEAF },
    })
    const { customer, admin, room } = await aConversation(app)
    const theirs = await follow(deaf.url, admin.token, room)
    const mine = await rawSocket(socketUrl(deaf.url, customer.token))
    const sent = []
    for (let n = 0; n < 3; n++) sent.push(await sendChat(app, customer, admin, `unheard ${n}`))
    await expect.poll(() => theirs.messages, PATIENCE).toEqual(sent)
    await app.call(logOut, { as: customer })
    expect(await mine.closed).toBe(1008)
  })

  test('refuses ended tokens, whatever notifications it missed', async () => {
    const deps = { database: app.deps.database, listener: DEAF }
    const isolated = await testApp({ ...options, deps })
    const { customer, admin, room } = await aConversation(app)
    const raw = await rawSocket(socketUrl(isolated.url, customer.token))
    await raw.connect()
    await app.call(logOut, { as: customer })
    await sendChat(app, admin, { id: customer.id }, 'not for you')
    raw.send('SUBSCRIBE', ['id:1', `destination:${roomTopic(room)}`, 'after:0'])
    expect(await raw.take('ERROR')).toContain('message:invalid_token')
    expect(raw.received.join()).not.toContain('not for you')
  })
})
