import { describe, expect, test, vi } from 'vitest'
import { CHAT_PAGE_SIZE } from '../../src/contract/chat.ts'
import { CHAT_RECONNECT_MS } from '../../src/rules/room.ts'
import {
  flushPending,
  ids,
  OTHER_ROOM,
  openChat,
  openOfflineChat,
  ROOM,
  server,
  startChatForEachTest,
} from './chat-entry.ts'
import { type ChatPage, shown } from './fake-chat.ts'

startChatForEachTest()

const unread = ({ rooms }: ChatPage, id = ROOM) => rooms.roomById(id)?.unreadCount

describe('the rooms', () => {
  test('the first one is selected, and its history shown in order', async () => {
    server.write(OTHER_ROOM, 3, 'old')
    server.write(ROOM, 2, 'one')
    server.write(ROOM, 7, 'two')
    const page = await openChat()
    expect(ids(page)).toEqual([ROOM, OTHER_ROOM])
    expect(page.chat.$activeRoomId.get()).toBe(ROOM)
    expect(shown(page)).toEqual(['one', 'two'])
    expect(page.rooms.roomById(ROOM)).toMatchObject({ otherName: 'Sonia', unreadCount: 1 })
  })

  test('the room in the URL is selected instead', async () => {
    server.write(OTHER_ROOM, 3, 'old')
    server.write(ROOM, 2, 'one')
    const page = await openChat({ roomId: OTHER_ROOM })
    expect(shown(page)).toEqual(['old'])
  })

  test('without summaries the backend lists the ids, and the names come from the administrators’ list', async () => {
    server.write(ROOM, 2, 'one')
    server.fault = ({ path }) => (path.endsWith('/summaries') ? 'missing' : undefined)
    const page = await openChat()
    expect(page.rooms.roomsNow()).toEqual([
      { id: ROOM, otherName: 'Sonia', lastMessage: null, unreadCount: 0 },
    ])
    expect(shown(page)).toEqual(['one'])
  })

  test('a failure to load the rooms is only logged, and retried', async () => {
    server.write(ROOM, 2, 'one')
    server.fault = () => 'unavailable'
    const page = await openOfflineChat()
    expect(page.rooms.$rooms.get()).toMatchObject({ phase: 'failed' })
    server.fault = () => undefined
    await vi.advanceTimersByTimeAsync(CHAT_RECONNECT_MS)
    expect(shown(page)).toEqual(['one'])
  })

  test('a message moves its room to the top and counts as unread until it is seen', async () => {
    server.write(OTHER_ROOM, 3, 'old')
    server.write(ROOM, 2, 'one')
    const page = await openChat()
    server.write(OTHER_ROOM, 3, 'new')
    server.write(OTHER_ROOM, 3, 'newer')
    expect(ids(page)).toEqual([OTHER_ROOM, ROOM])
    expect(unread(page, OTHER_ROOM)).toBe(3)
    expect(page.rooms.roomById(OTHER_ROOM)?.lastMessage?.content).toBe('newer')

    page.chat.selectRoom(OTHER_ROOM)
    await flushPending()
    page.chat.markNewestSeen()
    expect(unread(page, OTHER_ROOM)).toBe(0)
    await flushPending()
    expect(server.readUpTo.get(OTHER_ROOM)).toBe(4)
    // A response that was under way while the room was read does not restore the count.
    server.readUpTo.clear()
    await page.rooms.loadRooms()
    expect(unread(page, OTHER_ROOM)).toBe(0)
  })

  test('a read position that the server did not receive is sent again', async () => {
    server.write(ROOM, 2, 'one')
    const page = await openChat()
    server.fault = () => 'network'
    page.chat.markNewestSeen()
    await flushPending()
    expect(unread(page)).toBe(0)
    server.fault = () => undefined
    page.chat.markNewestSeen()
    await flushPending()
    expect(server.readUpTo.get(ROOM)).toBe(1)
  })
})

test('many messages seen as they arrive are reported together', async () => {
  server.write(ROOM, 2, 'hello')
  const page = await openChat()
  for (let n = 0; n < 50; n += 1) {
    server.write(ROOM, 2, `${n}`)
    page.chat.markNewestSeen()
  }
  await flushPending()
  expect(server.readUpTo.get(ROOM)).toBe(51)
  expect(unread(page)).toBe(0)
  expect(server.requestsTo(`POST /messages/room/${ROOM}/read`).length).toBeLessThanOrEqual(2)
})

describe('older messages', () => {
  test('load a page at a time, until there are no more', async () => {
    const total = 2 * CHAT_PAGE_SIZE + 5
    for (let n = 1; n <= total; n += 1) server.write(ROOM, 2, `${n}`)
    const page = await openChat()
    expect(shown(page)).toHaveLength(CHAT_PAGE_SIZE)
    await page.history.readOlder(ROOM)
    await page.history.readOlder(ROOM)
    expect(shown(page)).toEqual(Array.from({ length: total }, (_, at) => `${at + 1}`))
    const requestsBefore = server.requests.length
    await page.history.readOlder(ROOM)
    expect(server.requests).toHaveLength(requestsBefore)
  })
})

describe('starting a conversation', () => {
  test('the picker lists the administrators; the room of the picked one comes first and is shown', async () => {
    server.write(OTHER_ROOM, 3, 'old')
    const page = await openChat()
    await page.start.openPicker()
    expect(page.start.$picker.get()).toEqual({
      phase: 'open',
      administrators: server.administrators,
      hasFailed: false,
    })
    await page.chat.startConversation({ id: 2, username: 'Sonia' })
    expect(page.start.$picker.get()).toEqual({ phase: 'closed' })
    expect(ids(page)).toEqual([ROOM, OTHER_ROOM])
    expect(page.chat.$activeRoomId.get()).toBe(ROOM)
    await page.chat.startConversation({ id: 3, username: 'Karim' })
    expect(ids(page)).toEqual([ROOM, OTHER_ROOM])
    expect(page.chat.$activeRoomId.get()).toBe(OTHER_ROOM)
  })

  test('the picker says that the list could not be loaded, or the room not opened', async () => {
    server.fault = ({ path }) => (path.endsWith('/admins') ? 'server_error' : undefined)
    const page = await openChat()
    await page.start.openPicker()
    expect(page.start.$picker.get()).toEqual({ phase: 'failed' })

    server.fault = ({ method }) => (method === 'POST' ? 'server_error' : undefined)
    await page.start.openPicker()
    expect(await page.chat.startConversation({ id: 2, username: 'Sonia' })).toBeNull()
    expect(page.start.$picker.get()).toMatchObject({ phase: 'open', hasFailed: true })

    server.fault = () => undefined
    await page.chat.startConversation({ id: 2, username: 'Sonia' })
    expect(page.start.$picker.get()).toEqual({ phase: 'closed' })
  })

  test('a question without a room goes to the only administrator', async () => {
    const page = await openChat({ isAsking: true })
    expect(page.chat.$activeRoomId.get()).toBe(ROOM)
  })

  test('opens the room, for any response to the request', async () => {
    server.fault = ({ method, path }) =>
      method === 'POST' && path.startsWith('/messages/room?') ? 'odd' : undefined
    const page = await openChat({ isAsking: true })
    expect(page.chat.$activeRoomId.get()).toBe(ROOM)
    expect(ids(page)).toEqual([ROOM])
  })

  test('with several administrators the picker opens', async () => {
    server.administrators.push({ id: 3, username: 'Karim' })
    const page = await openChat({ isAsking: true })
    expect(page.chat.$activeRoomId.get()).toBeNull()
    expect(page.start.$picker.get()).toMatchObject({ phase: 'open' })
  })

  test('a question without a room goes to the shop’s inbox where there is one', async () => {
    server.administrators.unshift({ id: 4, username: 'Karras', isShop: true })
    const page = await openChat({ isAsking: true })
    expect(page.chat.$activeRoomId.get()).toBe('room_4_7')
    expect(page.start.$picker.get()).toEqual({ phase: 'closed' })
  })
})
