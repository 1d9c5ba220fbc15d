import { roomDestination, roomTopic } from '../../contract/chat.ts'
import { roomMembers } from '../../rules/room.ts'

/** The room whose messages arrive at this destination; null if it is not such a destination. */
export function roomOfTopic(destination: string | undefined): string | null {
  return roomIn(destination, roomTopic)
}

/** The room that this destination publishes to; null if it is not such a destination. */
export function roomOfDestination(destination: string | undefined): string | null {
  return roomIn(destination, roomDestination)
}

// Compared with its normal spelling, so that no other spelling is accepted.
function roomIn(destination: string | undefined, spell: (room: string) => string): string | null {
  const room = /\/(room_\d{1,10}_\d{1,10})(?:\/|$)/.exec(destination ?? '')?.[1]
  return room && roomMembers(room) && spell(room) === destination ? room : null
}
