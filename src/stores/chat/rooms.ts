import type { Message, RoomSummary } from '../../contract/chat.ts'
import { otherMember } from '../../rules/room.ts'
import { createLoader } from '../session/loader.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { lacks } from '../shared/features.ts'
import { logOnly, problemOf } from '../shared/problem.ts'

export interface ChatRoom {
  id: string
  /** The other member's name; null if only the id is known. */
  otherName: string | null
  lastMessage: Pick<Message, 'id' | 'content' | 'timestamp'> | null
  unreadCount: number
}

const list = createLoader<readonly ChatRoom[]>('rooms')

/** The user's conversations, the one with the newest message first. */
export const $rooms = list.$state

export function roomsNow(): readonly ChatRoom[] {
  const state = $rooms.get()
  return state.phase === 'ready' ? state.value : []
}

export const roomById = (id: string): ChatRoom | undefined =>
  roomsNow().find((room) => room.id === id)

/**
 * The last message that the user has read in this browser, by room; the server may not know it yet.
 */
const readUpTo = new Map<string, number>()

/** Reloads the list; if there is one already, a failure is only logged. */
export function loadRooms(): Promise<void> {
  return list.refresh(async (userId) => {
    const read = (await readRooms(userId)).map(withLocalState)
    // A room that was opened here stays on top until it has a message; an answer to an earlier call
    // may not include it yet.
    const isFresh = ({ id, lastMessage }: ChatRoom) => lastMessage === null && opened.has(id)
    const fresh = roomsNow()
      .filter(isFresh)
      .filter(({ id }) => read.every((room) => room.id !== id || isFresh(room)))
    const others = read.filter(({ id }) => fresh.every((room) => room.id !== id))
    return [...fresh, ...others]
  })
}

async function readRooms(userId: number): Promise<ChatRoom[]> {
  const input = { params: { userId } }
  try {
    return (await ask(({ chat }) => chat.listRoomSummaries, input)).map(roomOf)
  } catch (error) {
    if (problemOf(error).status !== 404) throw error
  }
  // Another backend, which returns only ids.
  const [ids, administrators] = await Promise.all([
    ask(({ chat }) => chat.listRooms, input),
    ask(({ chat }) => chat.listAdministrators, {}).catch(() => []),
  ])
  return ids.map((id) => {
    const known = roomById(id)
    const other = otherMember(id, userId)
    const otherName = administrators.find((one) => one.id === other)?.username || null
    return { id, otherName, lastMessage: known?.lastMessage ?? null, unreadCount: 0 }
  })
}

function roomOf({ roomId, other, lastMessage, unreadCount }: RoomSummary): ChatRoom {
  return { id: roomId, otherName: other.name.trim() || null, lastMessage, unreadCount }
}

// A pending answer must not undo that a message was read or arrived in the meantime.
function withLocalState(room: ChatRoom): ChatRoom {
  const known = roomById(room.id)
  const isOlder = (known?.lastMessage?.id ?? 0) > (room.lastMessage?.id ?? 0)
  const newer = isOlder && known ? { ...room, lastMessage: known.lastMessage } : room
  const isRead = (newer.lastMessage?.id ?? 0) <= (readUpTo.get(room.id) ?? 0)
  return isRead ? { ...newer, unreadCount: 0 } : newer
}

const opened = new Set<string>()

/** Puts a newly opened room at the top of the list, unless the list has it. */
export function addRoom(id: string, otherName: string | null): void {
  opened.add(id)
  if (roomById(id)) return
  const room = { id, otherName, lastMessage: null, unreadCount: 0 }
  list.show([room, ...roomsNow()])
}

/**
 * Shows a message in the list: as the last of its room, which moves up; unread if another user
 * wrote it.
 */
export function showAsLast(message: Message): void {
  const { id, roomId, content, timestamp, senderId } = message
  const room = roomById(roomId)
  if (!room || id <= (room.lastMessage?.id ?? 0)) return
  const isUnread = senderId !== $session.get()?.userId && id > (readUpTo.get(roomId) ?? 0)
  const unreadCount = room.unreadCount + (isUnread ? 1 : 0)
  const changed = { ...room, lastMessage: { id, content, timestamp }, unreadCount }
  list.show([changed, ...roomsNow().filter((one) => one !== room)])
}

/** Marks a room as read up to this message, here at once and then on the server. */
export async function markSeen({ roomId, id: upTo, senderId }: Message): Promise<void> {
  const room = roomById(roomId)
  if (!room || upTo <= (readUpTo.get(roomId) ?? 0)) return
  readUpTo.set(roomId, upTo)
  if (room.unreadCount === 0 && senderId === $session.get()?.userId) return
  if (room.unreadCount > 0) {
    list.show(roomsNow().map((one) => (one === room ? { ...room, unreadCount: 0 } : one)))
  }
  // One call at a time, which reports all messages that were read meanwhile.
  if (lacks('chat') || reporting.has(roomId)) return
  reporting.add(roomId)
  try {
    for (let reported = 0; reported < (readUpTo.get(roomId) ?? 0); ) {
      reported = readUpTo.get(roomId) ?? 0
      await ask(({ chat }) => chat.markRead, { params: { roomId }, body: { upTo: reported } })
    }
  } catch (error) {
    logOnly('read up to')(error)
    readUpTo.delete(roomId) // reported again when the messages are next seen
  } finally {
    reporting.delete(roomId)
  }
}

/** The rooms for which such a call is pending. */
const reporting = new Set<string>()

/** Deletes the list, for the next user of this page. */
export function forgetRooms(): void {
  readUpTo.clear()
  opened.clear()
  list.forget()
}
