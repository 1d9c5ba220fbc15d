import { beforeAll, describe, expect, test } from 'vitest'
import {
  listAdministrators,
  listMessages,
  listRoomSummaries,
  listRooms,
  markRead,
  openRoom,
  sendMessage,
} from '../../../src/contract/chat.ts'
import { MINUTE_MS } from '../../../src/rules/durations.ts'
import { roomId } from '../../../src/rules/room.ts'
import { ALLOWANCES, CHAT_MESSAGES_PER_MINUTE } from '../../../src/server/http/rate-limits.ts'
import { type RefusedCall, type TestApp, testApp } from '../../support/app.ts'
import type { Person } from '../../support/people.ts'
import { expectCode } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

// The calls of the chat.

async function open(app: TestApp, as: Person, other: Person, at = app): Promise<string> {
  const query = { user1Id: as.id, user2Id: other.id }
  return (await at.call(openRoom, { as, query })).roomId
}

function send(app: TestApp, as: Person, to: Person, content: string, more: object = {}, at = app) {
  const body = { senderId: as.id, receiverId: to.id, content, ...more }
  return at.call(sendMessage, { as, params: { roomId: roomId(as.id, to.id) }, body })
}

const readMessages = (app: TestApp, as: Person, roomId: string, query = {}) =>
  app.call(listMessages, { as, params: { roomId }, query })
const summariesOf = (app: TestApp, as: Person) =>
  app.call(listRoomSummaries, { as, params: { userId: as.id } })

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: RefusedCall) => error.code,
  )

const chatMessagesOfUser = { max: 1000, windowMs: MINUTE_MS }
const app = await sharedApp({ allowances: { ...ALLOWANCES, chatMessagesOfUser } })
const customer = await app.aCustomer()
const admin = await app.anAdministrator()
let room: string
beforeAll(async () => {
  room = await open(app, customer, admin)
})
const roomsOf = (as: Person) => app.call(listRooms, { as, params: { userId: as.id } })

describe('a room', () => {
  test('is opened once by either of the two, and named after both', async () => {
    expect(room).toBe(roomId(customer.id, admin.id))
    expect(await open(app, admin, customer)).toBe(room)
    expect(await roomsOf(customer)).toEqual([room])
    const at = { user1Id: admin.id, user2Id: customer.id }
    expect(await app.call(openRoom, { as: customer, query: at })).toEqual({ roomId: room })
  })

  test('is for a customer and an administrator only, one of them the caller', async () => {
    const teacher = await app.aTeacherAccount()
    const other = await app.aCustomer()
    const admin2 = await app.anAdministrator()
    const ask = (as: Person, a: Person, b: { id: number }) =>
      refusal(app.call(openRoom, { as, query: { user1Id: a.id, user2Id: b.id } }))
    for (const [as, a, b] of [
      [customer, customer, other],
      [customer, customer, customer],
      [customer, customer, teacher],
      [teacher, teacher, admin],
      [admin, admin, admin2],
      [admin, admin, teacher],
      [admin2, admin, customer],
      [customer, other, admin],
    ] as const) {
      expect(await ask(as, a, b)).toBe('forbidden')
    }
    expect(await ask(customer, customer, { id: 2_000_000_000 })).toBe('user_not_found')
  })

  test('that nobody opened does not exist', async () => {
    const other = await app.aCustomer()
    const params = { roomId: roomId(other.id, admin.id) }
    await expectCode(send(app, other, admin, 'hello'), 'room_not_found')
    await expectCode(readMessages(app, other, params.roomId), 'room_not_found')
    const marked = app.call(markRead, { as: other, params, body: { upTo: 1 } })
    await expectCode(marked, 'room_not_found')
    await expectCode(readMessages(app, customer, 'room_9_8'), 'invalid_input')
  })

  test('is nobody else’s, administrators included', async () => {
    const params = { roomId: room }
    for (const as of [
      await app.aCustomer(),
      await app.anAdministrator(),
      await app.aTeacherAccount(),
    ]) {
      const body = { senderId: as.id, receiverId: customer.id, content: 'x' }
      const outcomes = [
        readMessages(app, as, room),
        app.call(markRead, { as, params, body: { upTo: 1 } }),
        app.call(sendMessage, { as, params, body }),
        app.call(sendMessage, { as, params, body: { ...body, senderId: admin.id } }),
      ].map((call) => expectCode(call, 'forbidden'))
      await Promise.all(outcomes)
      expect(await roomsOf(as)).toEqual([])
    }
  })
})

describe('the list of rooms', () => {
  test('shows the newest first, the other’s name, and unread counts', async () => {
    const me = await app.aCustomer({ firstName: 'Leïla', lastName: 'Haddad' })
    const quiet = await app.anAdministrator()
    const busy = await app.anAdministrator()
    await open(app, me, quiet)
    const id = await open(app, busy, me)
    const first = await send(app, busy, me, 'one')
    const last = await send(app, busy, me, 'two')
    expect(await roomsOf(me)).toEqual([id, roomId(me.id, quiet.id)])

    const [summary, other] = await summariesOf(app, me)
    expect(summary).toMatchObject({ roomId: id, lastMessage: last, unreadCount: 2 })
    expect(summary?.other).toEqual({ id: busy.id, name: expect.stringMatching(/^person\d+$/) })
    expect(other).toMatchObject({ lastMessage: null, unreadCount: 0, other: { id: quiet.id } })
    expect(await summariesOf(app, busy)).toMatchObject([
      { roomId: id, unreadCount: 0, other: { id: me.id, name: 'Leïla Haddad' } },
    ])

    const markUpTo = (upTo: number) =>
      app.call(markRead, { as: me, params: { roomId: id }, body: { upTo } })
    await markUpTo(first.id)
    expect((await summariesOf(app, me))[0]?.unreadCount).toBe(1)
    // Beyond the last message: what comes next is unread all the same.
    await markUpTo(2_000_000_000)
    await markUpTo(first.id)
    expect((await summariesOf(app, me))[0]?.unreadCount).toBe(0)
    await send(app, busy, me, 'three')
    expect((await summariesOf(app, me))[0]?.unreadCount).toBe(1)
    await send(app, me, busy, 'an answer')
    expect((await summariesOf(app, me))[0]?.unreadCount).toBe(0)
    expect((await summariesOf(app, busy))[0]?.unreadCount).toBe(1)
  })

  test('of administrators contains only administrators', async () => {
    const list = await app.call(listAdministrators, { as: customer })
    expect(list).toContainEqual({ id: admin.id, username: expect.any(String) })
    expect(list.map(({ id }) => id)).not.toContain(customer.id)
  })
})

describe('a message', () => {
  test('is stored trimmed and read by both, oldest first, in pages', async () => {
    const other = await app.aCustomer()
    const id = await open(app, other, admin)
    const sent = [
      await send(app, other, admin, '  مرحبا \n'),
      await send(app, admin, other, 'أهلا'),
    ]
    for (const n of [3, 4, 5]) sent.push(await send(app, other, admin, `message ${n}`))
    expect(sent[0]).toMatchObject({ senderId: other.id, receiverId: admin.id, roomId: id })
    expect(sent[0]?.content).toBe('مرحبا')
    expect(Math.abs(Date.parse(sent[0]?.timestamp ?? '') - Date.now())).toBeLessThan(60_000)
    for (const reader of [other, admin]) expect(await readMessages(app, reader, id)).toEqual(sent)

    const [, second, , fourth] = sent
    expect(await readMessages(app, other, id, { limit: 2 })).toEqual(sent.slice(3))
    expect(await readMessages(app, other, id, { before: fourth?.id, limit: 2 })).toEqual(
      sent.slice(1, 3),
    )
    expect(await readMessages(app, other, id, { after: second?.id, limit: 2 })).toEqual(
      sent.slice(2, 4),
    )
    expect(await readMessages(app, other, id, { after: sent[4]?.id })).toEqual([])
    expect(await refusal(readMessages(app, other, id, { limit: 101 }))).toBe('invalid_input')
  })

  test('has a length from 1 to the limit, in characters as people count them', async () => {
    const longest = '😀'.repeat(4000)
    expect((await send(app, customer, admin, longest)).content).toBe(longest)
    for (const wrong of [`${longest}x`, ' \n\t\u00a0 ', 'nul\0']) {
      await expectCode(send(app, customer, admin, wrong), 'invalid_input')
    }
  })

  test('goes from the caller to the other member, in the room of the path', async () => {
    const other = await app.aCustomer()
    const theirs = await open(app, other, admin)
    for (const wrong of [
      { senderId: admin.id },
      { receiverId: other.id },
      { receiverId: customer.id },
      { roomId: theirs },
    ]) {
      await expectCode(send(app, customer, admin, 'x', wrong), 'forbidden')
    }
    expect((await send(app, customer, admin, 'x', { roomId: room })).roomId).toBe(room)
    expect((await send(app, customer, admin, 'x', { roomId: null })).roomId).toBe(room)
  })

  test('sent again with the same client id is stored once', async () => {
    const name = { clientId: 'a-name-of-mine' }
    const before = await readMessages(app, customer, room)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(app, customer, admin, 'once', name)),
    )
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(await send(app, customer, admin, ' once ', name)).toEqual(answers[0])
    expect(await readMessages(app, customer, room)).toHaveLength(before.length + 1)
    expect(await refusal(send(app, customer, admin, 'twice', name))).toBe('idempotency_conflict')
    // Another sender may use the same client id.
    expect((await send(app, admin, customer, 'once', name)).id).not.toBe(answers[0]?.id)
  })
})

describe('thirty messages a minute', () => {
  test('are accepted, then 429 with the time to wait, over two instances and any burst', async () => {
    const strict = await testApp()
    const second = await testApp({
      deps: { database: strict.deps.database, listener: strict.deps.listener },
    })
    const me = await strict.aCustomer()
    const to = await strict.anAdministrator()
    await open(app, me, to, strict)
    const outcomes = await Promise.all(
      Array.from({ length: CHAT_MESSAGES_PER_MINUTE + 10 }, (_, n) =>
        refusal(send(app, me, to, `${n}`, {}, n % 2 === 0 ? strict : second)),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(CHAT_MESSAGES_PER_MINUTE)
    expect(outcomes.filter((outcome) => outcome === 'too_many_requests')).toHaveLength(10)
    const body = { senderId: me.id, receiverId: to.id, content: 'x' }
    const path = `/api/messages/room/${roomId(me.id, to.id)}/send`
    const answer = await second.request('POST', path, { as: me, body })
    expect(answer.status).toBe(429)
    const wait = Number(answer.headers.get('retry-after'))
    expect(wait > 0 && wait <= 60).toBe(true)
    // The other user has a separate count.
    expect(await refusal(send(app, to, me, 'still', {}, strict))).toBe('done')
    strict.travel(MINUTE_MS + 1000)
    expect(await refusal(send(app, me, to, 'later', {}, strict))).toBe('done')
  })
})
