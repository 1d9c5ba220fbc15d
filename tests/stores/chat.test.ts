import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CHAT_PAGE_SIZE } from '../../src/contract/chat.ts'
import { MINUTE_MS } from '../../src/rules/durations.ts'
import { CHAT_RECONNECT_MS } from '../../src/rules/live-connection.ts'
import { aToken, emptyStorage, storage } from './browser.ts'
import { type ChatPage, type FakeChat, fakeChat, openChatPage, shown } from './fake-chat.ts'

const ROOM = 'room_2_7'
const OTHER_ROOM = 'room_3_7'

let server: FakeChat
let closers: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  emptyStorage()
  storage.token = aToken()
  server = fakeChat()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  for (const close of closers) close()
  closers = []
  vi.useRealTimers()
})

/** Lets everything that is under way end; no time passes. */
const settle = () => vi.advanceTimersByTimeAsync(0)

async function enter(wish: Partial<Parameters<ChatPage['chat']['openChat']>[0]> = {}) {
  const page = await openChatPage(server)
  closers.push(page.chat.openChat({ roomId: null, isAsking: false, ...wish }))
  await settle()
  server.mend()
  await settle()
  return page
}

const unread = ({ rooms }: ChatPage, id = ROOM) => rooms.roomById(id)?.unreadCount
const ids = ({ rooms }: ChatPage) => rooms.roomsNow().map(({ id }) => id)

describe('the rooms', () => {
  test('the first is selected, and its history shown in order', async () => {
    server.write(OTHER_ROOM, 3, 'old')
    server.write(ROOM, 2, 'one')
    server.write(ROOM, 7, 'two')
    const page = await enter()
    expect(ids(page)).toEqual([ROOM, OTHER_ROOM])
    expect(page.chat.$activeRoomId.get()).toBe(ROOM)
    expect(shown(page)).toEqual(['one', 'two'])
    expect(page.rooms.roomById(ROOM)).toMatchObject({ otherName: 'Sonia', unreadCount: 1 })
  })

  test('the one that the address names is selected instead', async () => {
    server.write(OTHER_ROOM, 3, 'old')
    server.write(ROOM, 2, 'one')
    const page = await enter({ roomId: OTHER_ROOM })
    expect(shown(page)).toEqual(['old'])
  })

  test('a backend without summaries tells the ids, and the administrators’ list the names', async () => {
    server.write(ROOM, 2, 'one')
    server.fault = ({ path }) => (path.endsWith('/summaries') ? 'missing' : undefined)
    const page = await enter()
    expect(page.rooms.roomsNow()).toEqual([
      { id: ROOM, otherName: 'Sonia', lastMessage: null, unreadCount: 0 },
    ])
    expect(shown(page)).toEqual(['one'])
  })

  test('rooms that cannot be read are only logged, and asked for again', async () => {
    server.write(ROOM, 2, 'one')
    server.fault = () => 'unavailable'
    const page = await openChatPage(server)
    closers.push(page.chat.openChat({ roomId: null, isAsking: false }))
    await settle()
    expect(page.rooms.$rooms.get()).toMatchObject({ phase: 'failed' })
    server.fault = () => undefined
    await vi.advanceTimersByTimeAsync(CHAT_RECONNECT_MS)
    expect(shown(page)).toEqual(['one'])
  })

  test('a message moves its room up and counts as unread until it is seen', async () => {
    server.write(OTHER_ROOM, 3, 'old')
    server.write(ROOM, 2, 'one')
    const page = await enter()
    server.write(OTHER_ROOM, 3, 'new')
    server.write(OTHER_ROOM, 3, 'newer')
    expect(ids(page)).toEqual([OTHER_ROOM, ROOM])
    expect(unread(page, OTHER_ROOM)).toBe(3)
    expect(page.rooms.roomById(OTHER_ROOM)?.lastMessage?.content).toBe('newer')

    page.chat.selectRoom(OTHER_ROOM)
    await settle()
    page.chat.markNewestSeen()
    expect(unread(page, OTHER_ROOM)).toBe(0)
    await settle()
    expect(server.readUpTo.get(OTHER_ROOM)).toBe(4)
    // An answer that was on its way when it was read does not bring the count back.
    server.readUpTo.clear()
    await page.rooms.loadRooms()
    expect(unread(page, OTHER_ROOM)).toBe(0)
  })

  test('a position that the server did not receive is sent again', async () => {
    server.write(ROOM, 2, 'one')
    const page = await enter()
    server.fault = () => 'network'
    page.chat.markNewestSeen()
    await settle()
    expect(unread(page)).toBe(0)
    server.fault = () => undefined
    page.chat.markNewestSeen()
    await settle()
    expect(server.readUpTo.get(ROOM)).toBe(1)
  })
})

test('many messages seen as they arrive are reported together', async () => {
  server.write(ROOM, 2, 'hello')
  const page = await enter()
  for (let n = 0; n < 50; n += 1) {
    server.write(ROOM, 2, `${n}`)
    page.chat.markNewestSeen()
  }
  await settle()
  expect(server.readUpTo.get(ROOM)).toBe(51)
  expect(unread(page)).toBe(0)
  expect(server.asked(`POST /messages/room/${ROOM}/read`).length).toBeLessThanOrEqual(2)
})

describe('sending', () => {
  beforeEach(() => void server.write(ROOM, 2, 'hello'))

  test('shows the message at once, stores it, publishes what was stored', async () => {
    const page = await enter()
    page.outbox.keepDraft(ROOM, ' hi ')
    expect(page.chat.sendMessage(' hi ')).toBe(true)
    expect(shown(page)).toEqual(['hello', '[hi]'])
    expect(page.outbox.$drafts.get()).toEqual({})
    await settle()
    expect(shown(page)).toEqual(['hello', 'hi'])
    expect(server.published.map(({ id, content }) => [id, content])).toEqual([[2, 'hi']])
    expect(page.rooms.roomById(ROOM)?.lastMessage?.content).toBe('hi')
    expect(JSON.parse(server.asked(`POST /messages/room/${ROOM}/send`)[0]?.body ?? '')).toEqual({
      senderId: 7,
      receiverId: 2,
      roomId: ROOM,
      content: 'hi',
      clientId: expect.stringMatching(/^[\da-f]{32}$/),
    })
  })

  test('blank, too long, without a room, or into one that is not in the list: nothing is sent', async () => {
    const page = await enter()
    expect(page.chat.sendMessage(' \n ')).toBe(false)
    expect(page.chat.sendMessage('x'.repeat(4001))).toBe(false)
    page.chat.selectRoom('room_5_9')
    expect(page.chat.sendMessage('hi')).toBe(false)
    page.chat.selectRoom('nonsense')
    expect(page.chat.sendMessage('hi')).toBe(false)
    await settle()
    expect(server.asked('POST /messages/room')).toEqual([])
  })

  test('what is written without a line waits, survives the page, and goes once and in order', async () => {
    const page = await enter()
    server.cut()
    server.fault = () => 'network'
    for (const text of ['a', 'b', 'c']) page.chat.sendMessage(text)
    await settle()
    expect(shown(page)).toEqual(['hello', '[a]', '[b]', '[c]'])
    for (const close of closers.splice(0)) close()

    const next = await openChatPage(server)
    closers.push(next.chat.openChat({ roomId: null, isAsking: false }))
    await settle()
    server.fault = () => undefined
    await vi.advanceTimersByTimeAsync(CHAT_RECONNECT_MS)
    expect(shown(next)).toEqual(['hello', 'a', 'b', 'c'])
    expect(server.rooms.get(ROOM)?.map(({ content }) => content)).toEqual(['hello', 'a', 'b', 'c'])
    expect(next.outbox.$outbox.get()).toEqual([])
  })

  test('an answer that was lost leaves one message', async () => {
    const page = await enter()
    let isLost = true
    server.fault = ({ path }) => (path.endsWith('/send') && isLost ? 'lost' : undefined)
    page.chat.sendMessage('once')
    await settle()
    isLost = false
    await vi.advanceTimersByTimeAsync(CHAT_RECONNECT_MS)
    expect(shown(page)).toEqual(['hello', 'once'])
    expect(server.rooms.get(ROOM)).toHaveLength(2)
  })

  test('a refused message stays, the next ones go on; it is sent again or dropped', async () => {
    const page = await enter()
    server.fault = ({ body }) => (body?.includes('"bad"') ? 'forbidden' : undefined)
    page.chat.sendMessage('bad')
    page.chat.sendMessage('good')
    await settle()
    expect(shown(page)).toEqual(['hello', 'good', '!bad'])
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    expect(server.asked(`POST /messages/room/${ROOM}/send`)).toHaveLength(2)

    const [refused] = page.chat.$activeWaiting.get()
    server.fault = () => undefined
    page.chat.retryMessage(refused?.clientId ?? '')
    await settle()
    expect(shown(page)).toEqual(['hello', 'good', 'bad'])

    server.fault = () => 'forbidden'
    page.chat.sendMessage('worse')
    await settle()
    page.outbox.dropWaiting(page.chat.$activeWaiting.get()[0]?.clientId ?? '')
    expect(shown(page)).toEqual(['hello', 'good', 'bad'])
  })

  test('after too many requests it pauses, then goes on in order', async () => {
    const page = await enter()
    let isBusy = true
    server.fault = ({ path }) =>
      path.endsWith('/send') && isBusy ? 'too_many_requests' : undefined
    page.chat.sendMessage('a')
    page.chat.sendMessage('b')
    await settle()
    expect(shown(page)).toEqual(['hello', '[a]', '[b]'])
    isBusy = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(shown(page)).toEqual(['hello', 'a', 'b'])
  })

  test('a room that the server does not know is opened first', async () => {
    const page = await enter()
    server.rooms.delete(ROOM)
    page.chat.sendMessage('hi')
    await settle()
    expect(server.asked('POST /messages/room?')).toHaveLength(1)
    expect(server.rooms.get(ROOM)?.map(({ content }) => content)).toEqual(['hi'])
  })
})

describe('the live connection', () => {
  beforeEach(() => void server.write(ROOM, 2, 'hello'))

  test('what was missed while it was cut is read afterwards: each once, in order', async () => {
    const page = await enter()
    server.cut()
    await settle()
    expect(page.line.$line.get()).toBe('lost')
    server.fault = () => 'network'
    for (let n = 0; n < 230; n += 1) server.write(ROOM, 2, `missed ${n}`)
    server.fault = () => undefined
    // The first message after the gap comes before the gap is filled.
    const socket = server.sockets[0]
    if (!socket) throw new Error('no socket')
    socket.isOpen = true
    server.write(ROOM, 2, 'live')
    socket.isOpen = false
    server.mend()
    await settle()
    expect(page.line.$line.get()).toBe('open')
    const all = page.chat.$activeHistory.get()?.messages ?? []
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 232 }, (_, at) => at + 1))
    expect(all.at(-1)?.content).toBe('live')
  })

  test('the same message by sending, by the connection and by reading is there once', async () => {
    const page = await enter()
    page.chat.sendMessage('mine')
    await settle()
    server.sockets[0]?.listener.onMessage(server.rooms.get(ROOM)?.[1] as never)
    await page.history.readHistory(ROOM)
    expect(shown(page)).toEqual(['hello', 'mine'])
  })

  test('where no socket can be opened, the chat goes on by reading again', async () => {
    const page = await openChatPage(server)
    closers.push(page.chat.openChat({ roomId: null, isAsking: false }))
    await settle()
    server.write(ROOM, 2, 'unheard')
    server.sockets[0]?.listener.onLost()
    await settle()
    expect(shown(page)).toEqual(['hello', 'unheard'])
  })

  test('closes with the page', async () => {
    await enter()
    closers.splice(0)[0]?.()
    expect(server.sockets).toEqual([])
    const before = server.requests.length
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
    expect(server.requests).toHaveLength(before)
  })
})

describe('older messages', () => {
  test('come a page at a time, until there are no more', async () => {
    const total = 2 * CHAT_PAGE_SIZE + 5
    for (let n = 1; n <= total; n += 1) server.write(ROOM, 2, `${n}`)
    const page = await enter()
    expect(shown(page)).toHaveLength(CHAT_PAGE_SIZE)
    await page.history.readOlder(ROOM)
    await page.history.readOlder(ROOM)
    expect(shown(page)).toEqual(Array.from({ length: total }, (_, at) => `${at + 1}`))
    const asked = server.requests.length
    await page.history.readOlder(ROOM)
    expect(server.requests).toHaveLength(asked)
  })
})

describe('beginning a conversation', () => {
  test('the picker lists the administrators; the picked one’s room comes first and is shown', async () => {
    server.write(OTHER_ROOM, 3, 'old')
    const page = await enter()
    await page.start.openPicker()
    expect(page.start.$picker.get()).toEqual({
      phase: 'open',
      administrators: server.administrators,
    })
    await page.chat.startConversation({ id: 2, username: 'Sonia' })
    expect(page.start.$picker.get()).toEqual({ phase: 'closed' })
    expect(ids(page)).toEqual([ROOM, OTHER_ROOM])
    expect(page.chat.$activeRoomId.get()).toBe(ROOM)
    await page.chat.startConversation({ id: 3, username: 'Karim' })
    expect(ids(page)).toEqual([ROOM, OTHER_ROOM])
    expect(page.chat.$activeRoomId.get()).toBe(OTHER_ROOM)
  })

  test('nobody to pick, also where that could not be read', async () => {
    server.fault = ({ path }) => (path.endsWith('/admins') ? 'server_error' : undefined)
    const page = await enter()
    await page.start.openPicker()
    expect(page.start.$picker.get()).toEqual({ phase: 'open', administrators: [] })
  })

  test('a question without a room goes to the only administrator', async () => {
    const page = await enter({ isAsking: true })
    expect(page.chat.$activeRoomId.get()).toBe(ROOM)
  })

  test('whatever the backend answers to the opening of a room', async () => {
    server.fault = ({ method, path }) =>
      method === 'POST' && path.startsWith('/messages/room?') ? 'odd' : undefined
    const page = await enter({ isAsking: true })
    expect(page.chat.$activeRoomId.get()).toBe(ROOM)
    expect(ids(page)).toEqual([ROOM])
  })

  test('with several administrators the picker asks', async () => {
    server.administrators.push({ id: 3, username: 'Karim' })
    const page = await enter({ isAsking: true })
    expect(page.chat.$activeRoomId.get()).toBeNull()
    expect(page.start.$picker.get()).toMatchObject({ phase: 'open' })
  })

  test('a question without a room goes to the shop where there is one, whoever else is there', async () => {
    server.administrators.unshift({ id: 4, username: 'Karras', isShop: true })
    const page = await enter({ isAsking: true })
    expect(page.chat.$activeRoomId.get()).toBe('room_4_7')
    expect(page.start.$picker.get()).toEqual({ phase: 'closed' })
  })
})

describe('a custom order', () => {
  const SHOP_ROOM = 'room_4_7'
  const text = 'custom order: exams — algebra'

  beforeEach(() => {
    server.administrators.unshift({ id: 4, username: 'Karras', isShop: true })
  })

  async function compose(request = text) {
    const shopPage = await openChatPage(server)
    expect(shopPage.outbox.composeRequest(request)).toBe(true)
  }
  const drafts = ({ outbox }: ChatPage) => outbox.$drafts.get()
  const ready = ({ outbox }: ChatPage) => outbox.$requestRoom.get()

  test('stands in the shop’s conversation, ready, and is sent by hand', async () => {
    server.write(ROOM, 2, 'another conversation')
    await compose()
    const page = await enter()
    expect(page.chat.$activeRoomId.get()).toBe(SHOP_ROOM)
    expect(ids(page)).toEqual([SHOP_ROOM, ROOM])
    expect(drafts(page)[SHOP_ROOM]).toBe(text)
    expect(ready(page)).toBe(SHOP_ROOM)
    expect(server.rooms.get(SHOP_ROOM)).toEqual([])
    expect(page.chat.sendMessage(text)).toBe(true)
    await settle()
    expect(server.rooms.get(SHOP_ROOM)?.map(({ content }) => content)).toEqual([text])
    expect(ready(page)).toBeNull()
    expect(drafts(page)).toEqual({})
  })

  test('is still ready after a reload, and no more when its writer clears it', async () => {
    await compose()
    await enter()
    const page = await enter({ roomId: SHOP_ROOM })
    expect(ready(page)).toBe(SHOP_ROOM)
    page.outbox.keepDraft(SHOP_ROOM, `${text}!`)
    expect(ready(page)).toBe(SHOP_ROOM)
    page.outbox.keepDraft(SHOP_ROOM, ' ')
    expect(ready(page)).toBeNull()
  })

  test('goes behind what is written there already', async () => {
    const shopPage = await openChatPage(server)
    shopPage.outbox.keepDraft(SHOP_ROOM, 'begun')
    await compose()
    expect(drafts(await enter())[SHOP_ROOM]).toBe(`begun\n\n${text}`)
  })

  test('waits for a line, then it is ready', async () => {
    await compose()
    server.fault = ({ path }) => (path.endsWith('/admins') ? 'network' : undefined)
    const page = await enter()
    expect(page.chat.$activeRoomId.get()).toBeNull()
    expect(page.start.$picker.get()).toEqual({ phase: 'closed' })
    server.fault = () => undefined
    await vi.advanceTimersByTimeAsync(CHAT_RECONNECT_MS)
    expect(page.chat.$activeRoomId.get()).toBe(SHOP_ROOM)
    expect(drafts(page)[SHOP_ROOM]).toBe(text)
  })

  test('goes to the only administrator of a backend without a common inbox, else to the picked one', async () => {
    server.administrators.shift()
    await compose()
    expect(ready(await enter())).toBe(ROOM)
    server.administrators.push({ id: 3, username: 'Karim' })
    await compose('another')
    const page = await enter()
    expect(page.start.$picker.get()).toMatchObject({ phase: 'open' })
    expect(page.chat.$activeRoomId.get()).toBeNull()
    await page.chat.startConversation({ id: 3, username: 'Karim' })
    expect(drafts(page)[OTHER_ROOM]).toBe('another')
    expect(ready(page)).toBe(OTHER_ROOM)
  })
})

describe('what is not sent yet', () => {
  test('drafts are kept for each room and user, also for the next page', async () => {
    server.write(ROOM, 2, 'hello')
    const page = await enter()
    page.outbox.keepDraft(ROOM, 'half a sen')
    page.outbox.keepDraft(OTHER_ROOM, 'other')
    const next = await openChatPage(server)
    expect(next.outbox.$drafts.get()).toEqual({ [ROOM]: 'half a sen', [OTHER_ROOM]: 'other' })
    storage.token = aToken({ userId: 8 })
    expect((await openChatPage(server)).outbox.$drafts.get()).toEqual({})
  })

  test('is forgotten at log-out, and before somebody else logs in; a token that expires keeps it', async () => {
    server.write(ROOM, 2, 'hello')
    const saved = () => Object.keys(storage).filter((key) => key.startsWith('chat_'))
    const write = async () => {
      storage.token = aToken()
      const page = await openChatPage(server)
      page.outbox.enqueue(ROOM, 'waiting')
      page.outbox.keepDraft(ROOM, 'draft')
      return page
    }
    let page = await write()
    expect(saved()).toHaveLength(2)
    await page.session.logOut()
    expect(saved()).toEqual([])

    page = await write()
    page.session.startSession(aToken({ userId: 8 }))
    expect(saved()).toEqual([])

    page = await write()
    await vi.advanceTimersByTimeAsync(3600_000)
    expect(page.session.$session.get()).toBeNull()
    page.session.startSession(aToken())
    expect(page.outbox.$outbox.get()).toHaveLength(1)
    expect(page.outbox.$drafts.get()).toEqual({ [ROOM]: 'draft' })
  })

  test.each(['no json', '[]', '{"clientId":7}', 'null'])(
    'corrupt storage is nothing: %s',
    async (text) => {
      storage['chat_waiting:x'] = text
      storage[`chat_draft:7:${ROOM}`] = text
      const page = await openChatPage(server)
      expect(page.outbox.$outbox.get()).toEqual([])
      expect(page.outbox.$drafts.get()).toEqual({})
    },
  )
})
