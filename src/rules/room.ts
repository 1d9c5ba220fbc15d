import { SECOND_MS } from './durations.ts'
import { isBlank } from './pasted-text.ts'

/** The longest chat message after trimming, in characters (code points). */
export const CHAT_MESSAGE_MAX_LENGTH = 4000

/** The id of the room of two users: `room_{smaller}_{larger}`. */
export function roomId(a: number, b: number): string {
  return `room_${Math.min(a, b)}_${Math.max(a, b)}`
}

/**
 * The two user ids of a room, smaller first; null unless `roomId` would produce exactly this id.
 */
export function roomMembers(id: string): [number, number] | null {
  const [, first, second] = /^room_([1-9]\d*)_([1-9]\d*)$/.exec(id) ?? []
  const smaller = Number(first)
  const larger = Number(second)
  return smaller < larger && Number.isSafeInteger(larger) ? [smaller, larger] : null
}

/** The member of the room who is not `me`; null for an invalid id or if `me` is not a member. */
export function otherMember(id: string, me: number): number | null {
  const members = roomMembers(id)
  if (!members?.includes(me)) return null
  return members[0] === me ? members[1] : members[0]
}

/** What a room's name is made of: the other user, or the raw id if it is not valid. */
type RoomName = { kind: 'user'; userId: number } | { kind: 'raw'; id: string }

export function displayParts(id: string, me: number): RoomName {
  const userId = otherMember(id, me)
  return userId === null ? { kind: 'raw', id } : { kind: 'user', userId }
}

/** A trimmed message; null if it is blank or longer than `CHAT_MESSAGE_MAX_LENGTH`. */
export function messageContent(text: string): string | null {
  const content = text.trim()
  return !isBlank(content) && [...content].length <= CHAT_MESSAGE_MAX_LENGTH ? content : null
}

/** How many rooms one live connection may subscribe to. */
export const CHAT_SUBSCRIPTIONS_MAX = 20

/** How often each side of a live connection sends a heartbeat. */
export const CHAT_HEARTBEAT_MS = 10 * SECOND_MS

/** How long the browser may take to send CONNECT, and to read what is sent to it. */
export const CHAT_CONNECT_MS = 10 * SECOND_MS

/** How long the browser waits before it connects again. */
export const CHAT_RECONNECT_MS = 5 * SECOND_MS
