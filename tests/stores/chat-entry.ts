import { afterEach, beforeEach, vi } from 'vitest'
import { aToken, emptyBrowser, storage } from './browser.ts'
import { type ChatPage, type FakeChat, fakeChat, openChatPage } from './fake-chat.ts'

export const ROOM = 'room_2_7'
export const OTHER_ROOM = 'room_3_7'

/** The chat server of the running test. */
export let server: FakeChat
/** Each closes an open page. */
export const closers: (() => void)[] = []

/** Gives each test of a file a chat server, a logged-in customer and a clock of its own. */
export function startChatForEachTest(): void {
  beforeEach(() => {
    vi.useFakeTimers()
    emptyBrowser()
    storage.token = aToken()
    server = fakeChat()
  })
  afterEach(() => {
    for (const close of closers.splice(0)) close()
    vi.useRealTimers()
  })
}

/** Flushes all pending work without advancing time. */
export const flushPending = () => vi.advanceTimersByTimeAsync(0)

/** Opens the chat on a page of its own, whose connection is not there yet. */
export async function openOfflineChat(
  wish: Partial<Parameters<ChatPage['chat']['openChat']>[0]> = {},
) {
  const page = await openChatPage(server)
  closers.push(page.chat.openChat({ roomId: null, isAsking: false, ...wish }))
  await flushPending()
  return page
}

export async function openChat(wish?: Parameters<typeof openOfflineChat>[0]) {
  const page = await openOfflineChat(wish)
  server.mend()
  await flushPending()
  return page
}

export const ids = ({ rooms }: ChatPage) => rooms.roomsNow().map(({ id }) => id)
