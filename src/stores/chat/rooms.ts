import type { Message, RoomSummary } from '../../contract/chat.ts'
import { otherMember } from '../../rules/room.ts'
import { createLoader } from '../account/loader.ts'
import { $session } from '../account/session.ts'
import { ask } from '../shared/backend.ts'
import { logOnly, problemOf } from '../shared/problem.ts'

/** A conversation in the list. */
export interface ChatRoom {
  id: string
  /** What the other one is called; null where only the id is known. */
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

/** How far the user has read here, by room: the server may not know it yet. */
const readUpTo = new Map<string, number>()

/** Brings the list up to date; a failure is only logged where there is a list already. */
export function loadRooms(): Promise<void> {
  return list.refresh(async (userId) => {
    const read = (await readRooms(userId)).map(asKnownHere)
    // A room that was opened here stays on top until somebody writes in it; it may be missing in an
    // answer that was under way.
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
  // Another backend, which gives only the ids.
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

// An answer that was under way while something was read or arrived must not take it back.
function asKnownHere(room: ChatRoom): ChatRoom {
  const known = roomById(room.id)
  const isOlder = (known?.lastMessage?.id ?? 0) > (room.lastMessage?.id ?? 0)
  const newer = isOlder && known ? { ...room, lastMessage: known.lastMessage } : room
  const isRead = (newer.lastMessage?.id ?? 0) <= (readUpTo.get(room.id) ?? 0)
  return isRead ? { ...newer, unreadCount: 0 } : newer
}

const opened = new Set<string>()

/** Puts a room that was just opened at the top of the list, unless it is in it. */
export function addRoom(id: string, otherName: string | null): void {
  opened.add(id)
  if (roomById(id)) return
  const room = { id, otherName, lastMessage: null, unreadCount: 0 }
  list.show([room, ...roomsNow()])
}

/** A message as the list shows it: its room's last, which moves up; unread where another wrote it. */
export function showAsLast(message: Message): void {
  const { id, roomId, content, timestamp, senderId } = message
  const room = roomById(roomId)
  if (!room || id <= (room.lastMessage?.id ?? 0)) return
  const isUnread = senderId !== $session.get()?.userId && id > (readUpTo.get(roomId) ?? 0)
  const unreadCount = room.unreadCount + (isUnread ? 1 : 0)
  const changed = { ...room, lastMessage: { id, content, timestamp }, unreadCount }
  list.show([changed, ...roomsNow().filter((one) => one !== room)])
}

/** Notes that the user has seen a room up to this message, here at once and then at the server. */
export async function markSeen({ roomId, id: upTo, senderId }: Message): Promise<void> {
  const room = roomById(roomId)
  if (!room || upTo <= (readUpTo.get(roomId) ?? 0)) return
  readUpTo.set(roomId, upTo)
  if (room.unreadCount === 0 && senderId === $session.get()?.userId) return
  if (room.unreadCount > 0) {
    list.show(roomsNow().map((one) => (one === room ? { ...room, unreadCount: 0 } : one)))
  }
  // Many may come at once: one call at a time reports all of them.
  if (reporting.has(roomId)) return
  reporting.add(roomId)
  try {
    for (let reported = 0; reported < (readUpTo.get(roomId) ?? 0); ) {
      reported = readUpTo.get(roomId) ?? 0
      await ask(({ chat }) => chat.markRead, { params: { roomId }, body: { upTo: reported } })
    }
  } catch (error) {
    logOnly('read up to')(error)
    readUpTo.delete(roomId) // reported again with the next look
  } finally {
    reporting.delete(roomId)
  }
}

/** Rooms whose reading is being reported to the server. */
const reporting = new Set<string>()

/** Forgets the list; for the next user of this page. */
export function forgetRooms(): void {
  readUpTo.clear()
  opened.clear()
  list.forget()
}
