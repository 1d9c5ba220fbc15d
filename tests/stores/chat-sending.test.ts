import { beforeEach, describe, expect, test, vi } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/rules/durations.ts'
import { CHAT_RECONNECT_MS } from '../../src/rules/room.ts'
import {
  closers,
  flushPending,
  openChat,
  openOfflineChat,
  ROOM,
  server,
  startChatForEachTest,
} from './chat-entry.ts'
import { shown } from './fake-chat.ts'

startChatForEachTest()

describe('sending', () => {
  beforeEach(() => void server.write(ROOM, 2, 'hello'))

  test('shows the message at once, stores it, publishes the stored one', async () => {
    const page = await openChat()
    page.outbox.keepDraft(ROOM, ' hi ')
    expect(page.chat.sendMessage(' hi ')).toBe(true)
    expect(shown(page)).toEqual(['hello', '[hi]'])
    expect(page.outbox.$drafts.get()).toEqual({})
    await flushPending()
    expect(shown(page)).toEqual(['hello', 'hi'])
    expect(server.published.map(({ id, content }) => [id, content])).toEqual([[2, 'hi']])
    expect(page.rooms.roomById(ROOM)?.lastMessage?.content).toBe('hi')
    expect(
      JSON.parse(server.requestsTo(`POST /messages/room/${ROOM}/send`)[0]?.body ?? ''),
    ).toEqual({
      senderId: 7,
      receiverId: 2,
      roomId: ROOM,
      content: 'hi',
      clientId: expect.stringMatching(/^[\da-f]{32}$/),
    })
  })

  test('blank, too long, without a room, or to an unlisted room: nothing is sent', async () => {
    const page = await openChat()
    expect(page.chat.sendMessage(' \n ')).toBe(false)
    expect(page.chat.sendMessage('x'.repeat(4001))).toBe(false)
    page.chat.selectRoom('room_5_9')
    expect(page.chat.sendMessage('hi')).toBe(false)
    page.chat.selectRoom('nonsense')
    expect(page.chat.sendMessage('hi')).toBe(false)
    await flushPending()
    expect(server.requestsTo('POST /messages/room')).toEqual([])
  })

  test('messages written offline wait, survive the page, and are sent once and in order', async () => {
    const page = await openChat()
    server.cut()
    server.fault = () => 'network'
    for (const text of ['a', 'b', 'c']) page.chat.sendMessage(text)
    await flushPending()
    expect(shown(page)).toEqual(['hello', '[a]', '[b]', '[c]'])
    for (const close of closers.splice(0)) close()

    const next = await openOfflineChat()
    server.fault = () => undefined
    await vi.advanceTimersByTimeAsync(CHAT_RECONNECT_MS)
    expect(shown(next)).toEqual(['hello', 'a', 'b', 'c'])
    expect(server.rooms.get(ROOM)?.map(({ content }) => content)).toEqual(['hello', 'a', 'b', 'c'])
    expect(next.outbox.$outbox.get()).toEqual([])
  })

  test('a lost response leaves one message', async () => {
    const page = await openChat()
    let isLost = true
    server.fault = ({ path }) => (path.endsWith('/send') && isLost ? 'lost' : undefined)
    page.chat.sendMessage('once')
    await flushPending()
    isLost = false
    await vi.advanceTimersByTimeAsync(CHAT_RECONNECT_MS)
    expect(shown(page)).toEqual(['hello', 'once'])
    expect(server.rooms.get(ROOM)).toHaveLength(2)
  })

  test('a refused message stays, the next ones are sent; it is retried or dropped', async () => {
    const page = await openChat()
    server.fault = ({ body }) => (body?.includes('"bad"') ? 'forbidden' : undefined)
    page.chat.sendMessage('bad')
    page.chat.sendMessage('good')
    await flushPending()
    expect(shown(page)).toEqual(['hello', 'good', '!bad'])
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    expect(server.requestsTo(`POST /messages/room/${ROOM}/send`)).toHaveLength(2)

    const [refused] = page.chat.$activeWaiting.get()
    server.fault = () => undefined
    page.chat.retryMessage(refused?.clientId ?? '')
    await flushPending()
    expect(shown(page)).toEqual(['hello', 'good', 'bad'])

    server.fault = () => 'forbidden'
    page.chat.sendMessage('worse')
    await flushPending()
    page.outbox.dropWaiting(page.chat.$activeWaiting.get()[0]?.clientId ?? '')
    expect(shown(page)).toEqual(['hello', 'good', 'bad'])
  })

  test('after too many requests it pauses, then continues in order', async () => {
    const page = await openChat()
    let isBusy = true
    server.fault = ({ path }) =>
      path.endsWith('/send') && isBusy ? 'too_many_requests' : undefined
    page.chat.sendMessage('a')
    page.chat.sendMessage('b')
    await flushPending()
    expect(shown(page)).toEqual(['hello', '[a]', '[b]'])
    isBusy = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(shown(page)).toEqual(['hello', 'a', 'b'])
  })

  test('a room that the server does not know is opened first', async () => {
    const page = await openChat()
    server.rooms.delete(ROOM)
    page.chat.sendMessage('hi')
    await flushPending()
    expect(server.requestsTo('POST /messages/room?')).toHaveLength(1)
    expect(server.rooms.get(ROOM)?.map(({ content }) => content)).toEqual(['hi'])
  })
})

describe('the live connection', () => {
  beforeEach(() => void server.write(ROOM, 2, 'hello'))

  test('messages missed while disconnected are loaded afterwards: each once, in order', async () => {
    const page = await openChat()
    server.cut()
    await flushPending()
    expect(page.line.$line.get()).toBe('lost')
    server.fault = () => 'network'
    for (let n = 0; n < 230; n += 1) server.write(ROOM, 2, `missed ${n}`)
    server.fault = () => undefined
    // The first message after the gap arrives before the gap is filled.
    const socket = server.sockets[0]
    if (!socket) throw new Error('no socket')
    socket.isOpen = true
    server.write(ROOM, 2, 'live')
    socket.isOpen = false
    server.mend()
    await flushPending()
    expect(page.line.$line.get()).toBe('open')
    const all = page.chat.$activeHistory.get()?.messages ?? []
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 232 }, (_, at) => at + 1))
    expect(all.at(-1)?.content).toBe('live')
  })

  test('a message that arrives by sending, by the connection and by loading appears once', async () => {
    const page = await openChat()
    page.chat.sendMessage('mine')
    await flushPending()
    server.sockets[0]?.listener.onMessage(server.rooms.get(ROOM)?.[1] as never)
    await page.history.readHistory(ROOM)
    expect(shown(page)).toEqual(['hello', 'mine'])
  })

  test('where no socket can be opened, the chat falls back to polling', async () => {
    const page = await openOfflineChat()
    server.write(ROOM, 2, 'unheard')
    server.sockets[0]?.listener.onLost()
    await flushPending()
    expect(shown(page)).toEqual(['hello', 'unheard'])
  })

  test('makes no call after a sleep in which the session ended', async () => {
    server.write(ROOM, 2, 'hello')
    const page = await openChat()
    const before = server.requests.length
    vi.setSystemTime(Date.now() + 13 * HOUR_MS)
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    expect(page.session.$session.get()).toBeNull()
    expect(server.requests).toHaveLength(before)
  })

  test('closes with the page', async () => {
    await openChat()
    closers.splice(0)[0]?.()
    expect(server.sockets).toEqual([])
    const before = server.requests.length
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
    expect(server.requests).toHaveLength(before)
  })
})
