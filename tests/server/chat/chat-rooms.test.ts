import { beforeAll, describe, expect, test } from 'vitest'
import {
  listAdministrators,
  listRoomSummaries,
  listRooms,
  markRead,
  openRoom,
  sendMessage,
} from '../../../src/contract/chat.ts'
import { MINUTE_MS } from '../../../src/rules/durations.ts'
import { roomId } from '../../../src/rules/room.ts'
import { ALLOWANCES } from '../../../src/server/http/rate-limits.ts'
import { type TestApp, testApp } from '../../support/app.ts'
import { open, read, refusal, send, summariesOf } from '../../support/chat-rooms.ts'
import type { Person } from '../../support/people.ts'

let app: TestApp
let customer: Person
let admin: Person
let room: string

beforeAll(async () => {
  const chatMessagesOfUser = { max: 1000, windowMs: MINUTE_MS }
  app = await testApp({ allowances: { ...ALLOWANCES, chatMessagesOfUser } })
  customer = await app.aCustomer()
  admin = await app.anAdministrator()
  room = await open(app, customer, admin)
  return app.stop
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
    expect(await refusal(send(app, other, admin, 'hello'))).toBe('room_not_found')
    expect(await refusal(read(app, other, params.roomId))).toBe('room_not_found')
    expect(await refusal(app.call(markRead, { as: other, params, body: { upTo: 1 } }))).toBe(
      'room_not_found',
    )
    expect(await refusal(read(app, customer, 'room_9_8'))).toBe('invalid_input')
  })

  test('is nobody else’s, administrators included', async () => {
    const strangers = [
      await app.aCustomer(),
      await app.anAdministrator(),
      await app.aTeacherAccount(),
    ]
    for (const stranger of strangers) {
      const params = { roomId: room }
      const body = { senderId: stranger.id, receiverId: customer.id, content: 'x' }
      const outcomes = [
        read(app, stranger, room),
        app.call(markRead, { as: stranger, params, body: { upTo: 1 } }),
        app.call(sendMessage, { as: stranger, params, body }),
        app.call(sendMessage, { as: stranger, params, body: { ...body, senderId: admin.id } }),
        app.call(listRooms, { as: stranger, params: { userId: customer.id } }),
        app.call(listRoomSummaries, { as: stranger, params: { userId: customer.id } }),
      ].map(refusal)
      expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['forbidden']))
      expect(await roomsOf(stranger)).toEqual([])
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
