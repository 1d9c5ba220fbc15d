import { roomDestination, roomTopic } from '../../contract/chat.ts'
import { roomMembers } from '../../rules/room.ts'

/** The room whose messages arrive at this destination, or null: there are no others. */
export function roomOfTopic(destination: string | undefined): string | null {
  return roomIn(destination, roomTopic)
}

/** The room that this destination publishes to, or null. */
export function roomOfDestination(destination: string | undefined): string | null {
  return roomIn(destination, roomDestination)
}

// Parsed and written again: any other spelling is no destination.
function roomIn(destination: string | undefined, spell: (room: string) => string): string | null {
  const room = /\/(room_\d{1,10}_\d{1,10})(?:\/|$)/.exec(destination ?? '')?.[1]
  return room && roomMembers(room) && spell(room) === destination ? room : null
}
