import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CHAT_RECONNECT_MS } from '../../src/rules/room.ts'
import { aToken, storage } from './browser.ts'
import {
  flushPending,
  ids,
  OTHER_ROOM,
  openChat,
  ROOM,
  server,
  startChatForEachTest,
} from './chat-entry.ts'
import { type ChatPage, openChatPage } from './fake-chat.ts'

startChatForEachTest()

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

  test('is prepared in the shop’s conversation, and is sent manually', async () => {
    server.write(ROOM, 2, 'another conversation')
    await compose()
    const page = await openChat()
    expect(page.chat.$activeRoomId.get()).toBe(SHOP_ROOM)
    expect(ids(page)).toEqual([SHOP_ROOM, ROOM])
    expect(drafts(page)[SHOP_ROOM]).toBe(text)
    expect(ready(page)).toBe(SHOP_ROOM)
    expect(server.rooms.get(SHOP_ROOM)).toEqual([])
    expect(page.chat.sendMessage(text)).toBe(true)
    await flushPending()
    expect(server.rooms.get(SHOP_ROOM)?.map(({ content }) => content)).toEqual([text])
    expect(ready(page)).toBeNull()
    expect(drafts(page)).toEqual({})
  })

  test('is still prepared after a reload, and no longer once its author clears it', async () => {
    await compose()
    await openChat()
    const page = await openChat({ roomId: SHOP_ROOM })
    expect(ready(page)).toBe(SHOP_ROOM)
    page.outbox.keepDraft(SHOP_ROOM, `${text}!`)
    expect(ready(page)).toBe(SHOP_ROOM)
    page.outbox.keepDraft(SHOP_ROOM, ' ')
    expect(ready(page)).toBeNull()
  })

  test('is appended to an existing draft', async () => {
    const shopPage = await openChatPage(server)
    shopPage.outbox.keepDraft(SHOP_ROOM, 'begun')
    await compose()
    expect(drafts(await openChat())[SHOP_ROOM]).toBe(`begun\n\n${text}`)
  })

  test('is prepared once the connection is open', async () => {
    await compose()
    server.fault = ({ path }) => (path.endsWith('/admins') ? 'network' : undefined)
    const page = await openChat()
    expect(page.chat.$activeRoomId.get()).toBeNull()
    expect(page.start.$picker.get()).toEqual({ phase: 'closed' })
    server.fault = () => undefined
    await vi.advanceTimersByTimeAsync(CHAT_RECONNECT_MS)
    expect(page.chat.$activeRoomId.get()).toBe(SHOP_ROOM)
    expect(drafts(page)[SHOP_ROOM]).toBe(text)
  })

  test('goes to the only administrator of a backend without a common inbox, otherwise to the picked one', async () => {
    server.administrators.shift()
    await compose()
    expect(ready(await openChat())).toBe(ROOM)
    server.administrators.push({ id: 3, username: 'Karim' })
    await compose('another')
    const page = await openChat()
    expect(page.start.$picker.get()).toMatchObject({ phase: 'open' })
    expect(page.chat.$activeRoomId.get()).toBeNull()
    await page.chat.startConversation({ id: 3, username: 'Karim' })
    expect(drafts(page)[OTHER_ROOM]).toBe('another')
    expect(ready(page)).toBe(OTHER_ROOM)
  })
})

describe('unsent messages', () => {
  test('drafts are kept for each room and user, across pages', async () => {
    server.write(ROOM, 2, 'hello')
    const page = await openChat()
    page.outbox.keepDraft(ROOM, 'half a sen')
    page.outbox.keepDraft(OTHER_ROOM, 'other')
    const next = await openChatPage(server)
    expect(next.outbox.$drafts.get()).toEqual({ [ROOM]: 'half a sen', [OTHER_ROOM]: 'other' })
    storage.token = aToken({ userId: 8 })
    expect((await openChatPage(server)).outbox.$drafts.get()).toEqual({})
  })

  test('are deleted at log-out, and before another user logs in; an expired token keeps them', async () => {
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
    'corrupt storage is ignored: %s',
    async (text) => {
      storage['chat_waiting:x'] = text
      storage[`chat_draft:7:${ROOM}`] = text
      const page = await openChatPage(server)
      expect(page.outbox.$outbox.get()).toEqual([])
      expect(page.outbox.$drafts.get()).toEqual({})
    },
  )
})
