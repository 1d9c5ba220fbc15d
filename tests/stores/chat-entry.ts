import { vi } from 'vitest'
import { type ChatPage, type FakeChat, openChatPage } from './fake-chat.ts'

export const ROOM = 'room_2_7'
export const OTHER_ROOM = 'room_3_7'

/** Flushes all pending work without advancing time. */
export const flushPending = () => vi.advanceTimersByTimeAsync(0)

export async function openChat(
  server: FakeChat,
  closers: (() => void)[],
  wish: Partial<Parameters<ChatPage['chat']['openChat']>[0]> = {},
) {
  const page = await openChatPage(server)
  closers.push(page.chat.openChat({ roomId: null, isAsking: false, ...wish }))
  await flushPending()
  server.mend()
  await flushPending()
  return page
}
export const ids = ({ rooms }: ChatPage) => rooms.roomsNow().map(({ id }) => id)
