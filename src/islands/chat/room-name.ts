import { fillText } from '../../i18n/format.ts'
import { displayParts } from '../../rules/room.ts'
import type { ChatRoom } from '../../stores/chat/rooms.ts'

/** The name of a room: the other member's name, or one made from the room's id. */
export function roomName({ id, otherName }: ChatRoom, me: number, nameless: string): string {
  if (otherName) return otherName
  const parts = displayParts(id, me)
  return parts.kind === 'raw' ? parts.id : fillText(nameless, { id: parts.userId })
}
