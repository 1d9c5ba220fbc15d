import { describe, expect, test } from 'vitest'
import {
  listAdministrators,
  listMessages,
  listRoomSummaries,
  listRooms,
  openRoom,
} from '../../../src/contract/chat.ts'
import { roomId } from '../../../src/rules/room.ts'
import { CHAT_MAIL_AFTER_MS, mailAbsent } from '../../../src/server/chat/absence.ts'
import { signToken } from '../../../src/server/http/identity.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { aConversation, follow, sendChat } from '../../support/chat.ts'
import { callByCommand } from '../../support/operator.ts'
import type { Person } from '../../support/people.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

/** Answers by the command line in the place of an administrator. */
const answer = (on: TestApp, roomId: string, email: string, content: string) =>
  callByCommand(on, 'answerConversation', `roomId=${roomId}`, `content=${content}`, `--as=${email}`)
const listed = async (on: TestApp) => (await callByCommand(on, 'listConversations')).content

/** The recipient that a customer is offered first. */
async function theShop(on: TestApp, customer: Person) {
  const [first] = await on.call(listAdministrators, { as: customer })
  if (!first?.isShop) throw new Error('the shop is not offered first')
  return first
}

/** A conversation of a new customer with the shop. */
async function aRequest(on: TestApp) {
  const customer = await on.aCustomer({ firstName: 'Amal', lastName: 'Ben Salah' })
  const shop = await theShop(on, customer)
  const query = { user1Id: customer.id, user2Id: shop.id }
  const { roomId: room } = await on.call(openRoom, { as: customer, query })
  return { customer, shop, room }
}

describe('the common inbox', () => {
  test('exists without any administrator, once, even when many open it at once', async () => {
    const fresh = await testApp()
    const customer = await fresh.aCustomer()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => fresh.call(listAdministrators, { as: customer })),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toEqual([
      { id: expect.any(Number), username: 'كرّاس · Karras', isShop: true },
    ])
    const request = await aRequest(fresh)
    await sendChat(fresh, request.customer, request.shop, 'Is anybody there?')
    expect(await listed(fresh)).toMatchObject([
      { unread: 1, isShared: true, last: { text: 'Is anybody there?' } },
    ])
  })

  test('is answered by any administrator, and each message says who wrote it', async () => {
    const { customer, shop, room } = await aRequest(app)
    expect(room).toBe(roomId(customer.id, shop.id))
    const [first, second] = [await app.anAdministrator(), await app.anAdministrator()]
    await sendChat(app, customer, shop, 'A custom order')
    expect(await listed(app)).toContainEqual(
      expect.objectContaining({ roomId: room, unread: 1, isShared: true, takenBy: null }),
    )

    const live = await follow(app.url, customer.token, room)
    await answer(app, room, first.email.toUpperCase(), 'We look at it.')
    // Who comes second takes it over first.
    await expect(answer(app, room, second.email, 'It is done.')).rejects.toThrow()
    const over = [`roomId=${room}`, `from=${first.id}`, `--as=${second.email}`]
    await callByCommand(app, 'takeConversation', ...over)
    await answer(app, room, second.email, 'It is done.')
    const texts = () => live.messages.map(({ author, content }) => [author, content])
    await expect.poll(texts).toEqual([
      [`person${first.email.match(/\d+/)}`, 'We look at it.'],
      [`person${second.email.match(/\d+/)}`, 'It is done.'],
    ])
    const stored = await app.call(listMessages, {
      as: customer,
      params: { roomId: room },
      query: {},
    })
    expect(stored.map(({ senderId, receiverId }) => [senderId, receiverId])).toEqual([
      [customer.id, shop.id],
      [shop.id, customer.id],
      [shop.id, customer.id],
    ])
    expect(stored.slice(1)).toEqual(live.messages)
    expect(stored[0]?.author).toBeNull()

    expect(await listed(app)).toContainEqual(
      expect.objectContaining({
        roomId: room,
        unread: 0,
        takenBy: expect.objectContaining({ id: second.id }),
      }),
    )
    const params = { userId: customer.id }
    const [summary] = await app.call(listRoomSummaries, { as: customer, params })
    expect(summary).toMatchObject({
      roomId: room,
      other: { id: shop.id, name: 'كرّاس · Karras' },
      lastMessage: { author: stored[2]?.author },
      unreadCount: 2,
    })
  })

  test('is answered by nobody else, and read by its customer alone', async () => {
    const { customer, shop, room } = await aRequest(app)
    const teacher = await app.aTeacherAccount()
    for (const email of [customer.email, teacher.email, 'shop', 'nobody@karras.test']) {
      await expect(answer(app, room, email, 'not I'), email).rejects.toThrow()
    }
    const blocked = await app.anAdministrator()
    await app.deps.database.kysely
      .updateTable('users')
      .set({ blockedAt: new Date() })
      .where('id', '=', blocked.id)
      .execute()
    await expect(answer(app, room, blocked.email, 'not I')).rejects.toThrow(
      /not an active administrator/,
    )
    for (const stranger of [await app.aCustomer(), await app.anAdministrator(), teacher]) {
      const as = stranger
      const path = `/api/messages/room/${room}`
      const body = { senderId: shop.id, receiverId: customer.id, content: 'forged' }
      expect((await app.request('GET', `${path}/messages`, { as })).status).toBe(403)
      expect((await app.request('POST', `${path}/send`, { as, body })).status).toBe(403)
    }
    // A customer cannot write in the shop's name either.
    const body = { senderId: shop.id, receiverId: customer.id, content: 'forged' }
    const forged = await app.request('POST', `/api/messages/room/${room}/send`, {
      as: customer,
      body,
    })
    expect(forged.status).toBe(403)
  })

  test('staff have no conversation with it', async () => {
    const { shop } = await aRequest(app)
    for (const as of [await app.anAdministrator(), await app.aTeacherAccount()]) {
      const path = `/api/messages/room?user1Id=${as.id}&user2Id=${shop.id}`
      expect((await app.request('POST', path, { as })).status).toBe(403)
    }
  })

  test('each administrator has a writer’s full rate limit', async () => {
    const { customer, shop, room } = await aRequest(app)
    await sendChat(app, customer, shop, 'many answers, please')
    const [one, other] = [await app.anAdministrator(), await app.anAdministrator()]
    for (let sent = 0; sent < 30; sent++) await answer(app, room, one.email, `${sent}`)
    await expect(answer(app, room, one.email, 'more')).rejects.toThrow()
    const over = [`roomId=${room}`, `from=${one.id}`, `--as=${other.email}`]
    await callByCommand(app, 'takeConversation', ...over)
    await answer(app, room, other.email, 'from somebody else')
  })

  test('notifies every administrator of waiting messages by mail', async () => {
    const own = await testApp()
    const { customer, shop, room } = await aRequest(own)
    const [one, other] = [await own.anAdministrator(), await own.anAdministrator()]
    await sendChat(own, customer, shop, 'waiting')
    own.travel(2 * CHAT_MAIL_AFTER_MS)
    await mailAbsent(own.deps)
    const mails = await own.mails()
    const receivers = mails.map(({ headers }) => /^To: (.*)$/m.exec(headers)?.[1])
    expect(receivers.sort()).toEqual([one, other].map(({ email }) => email).sort())
    own.travel(2 * CHAT_MAIL_AFTER_MS)
    expect(await mailAbsent(own.deps)).toBe(0)

    await answer(own, room, one.email, 'Here we are.')
    own.travel(2 * CHAT_MAIL_AFTER_MS)
    expect(await mailAbsent(own.deps)).toBe(1)
    const all = await own.mails()
    const mail = all.find(({ headers }) => headers.includes(`To: ${customer.email}`))
    expect(mail?.parts['text/plain']).toMatch(/person\d+/)
    expect(mail?.parts['text/plain']).toContain('Here we are.')
  })
})

describe('the account of the common inbox', () => {
  test('cannot log in, gets no password, and its tokens are refused', async () => {
    const { shop } = await aRequest(app)
    for (const password of ['', 'shop', 'karras-test']) {
      const body = { username: 'shop', password }
      const answer = await app.request('POST', '/api/auth/login', { body })
      expect([400, 401]).toContain(answer.status)
    }
    const forgotten = await app.request('POST', '/api/auth/forgot-password', {
      body: { email: 'shop' },
    })
    expect(forgotten.status).toBe(400)
    const taken = app.deps.database.kysely
      .updateTable('users')
      .set({ passwordHash: '$argon2id$whatever' })
      .where('id', '=', shop.id)
      .execute()
    await expect(taken).rejects.toThrow('users_shop_has_no_password')

    const account = { id: shop.id, role: 'SHOP', generation: 0 } as const
    const token = await signToken(app.deps.secret, account, app.deps.now())
    const answer = await app.request('GET', `/api/messages/rooms/${shop.id}`, { as: { token } })
    expect(answer.status).toBe(401)
  })

  test('cannot be registered by somebody else before it is created', async () => {
    const fresh = await testApp()
    const body = {
      username: 'shop',
      firstName: 'Not',
      lastName: 'The shop',
      phone: '20123456',
      gender: 'female',
      email: 'shop',
      password: 'karras-test',
      role: ['PARENT'],
    }
    const answer = await fresh.request('POST', '/api/auth/register', { body })
    expect(answer.status).toBe(400)
    await aRequest(fresh)
  })
})

test('a room that was just opened is first in the list, with or without a message', async () => {
  const { customer, room } = await aConversation(app)
  const old = await app.anAdministrator()
  await app.call(openRoom, { as: old, query: { user1Id: old.id, user2Id: customer.id } })
  await sendChat(app, old, customer, 'from before')
  const shop = await theShop(app, customer)
  const query = { user1Id: customer.id, user2Id: shop.id }
  const fresh = await app.call(openRoom, { as: customer, query })
  const params = { userId: customer.id }
  const order = [fresh.roomId, roomId(old.id, customer.id), room]
  expect(await app.call(listRooms, { as: customer, params })).toEqual(order)
  const summaries = await app.call(listRoomSummaries, { as: customer, params })
  expect(summaries.map((summary) => summary.roomId)).toEqual(order)
  await sendChat(app, old, customer, 'and now')
  expect((await app.call(listRooms, { as: customer, params }))[0]).toBe(order[1])
})
