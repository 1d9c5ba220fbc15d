import { computed, readonlyType } from 'nanostores'
import { messageContent, otherMember } from '../rules/room.ts'
import { $draftsOfAll, $waitingOfAll, draftKey, type WaitingMessage } from './chat-saved.ts'
import { randomId } from './random-id.ts'
import { $session } from './session.ts'

export type { WaitingMessage } from './chat-saved.ts'

/** The user's messages that the server does not have yet, in the order in which they were written. */
export const $outbox = readonlyType(
  computed([$session, $waitingOfAll], (session, all) =>
    Object.values(all)
      .filter((message) => message !== undefined)
      .filter(({ userId }) => userId === session?.userId)
      .sort((a, b) => a.at - b.at),
  ),
)

let lastAt = 0

/**
 * Puts a message into the outbox, trimmed; `roomId` null is for whichever administrator the chat
 * page finds. False where nobody is logged in, the text is blank or too long, or the room's id does
 * not tell who receives it (section 5).
 */
export function enqueue(roomId: string | null, text: string): boolean {
  const userId = $session.get()?.userId
  const content = messageContent(text)
  if (userId === undefined || content === null) return false
  if (roomId !== null && otherMember(roomId, userId) === null) return false
  const clientId = randomId()
  // Ascending also for two messages within a millisecond.
  lastAt = Math.max(Date.now(), lastAt + 1)
  $waitingOfAll.setKey(clientId, {
    clientId,
    userId,
    roomId,
    content,
    at: lastAt,
    isRefused: false,
  })
  return true
}

/** Says to whom the messages go that were written before that was known. */
export function assignRoom(roomId: string): void {
  for (const message of $outbox.get()) if (message.roomId === null) change(message, { roomId })
}

/** Takes a message out: the server has it, or its writer wants it no more. */
export function dropWaiting(clientId: string): void {
  if ($waitingOfAll.get()[clientId]) $waitingOfAll.setKey(clientId, undefined)
}

/** Notes that the server does not take a message as it is. */
export function markRefused(message: WaitingMessage): void {
  change(message, { isRefused: true })
}

/** Lets a refused message go again, after what was written since. */
export function retryWaiting(clientId: string): void {
  const message = $waitingOfAll.get()[clientId]
  if (message) change(message, { isRefused: false })
}

// Another tab may have taken it out meanwhile.
function change(message: WaitingMessage, to: Partial<WaitingMessage>): void {
  const saved = $waitingOfAll.get()[message.clientId]
  if (saved) $waitingOfAll.setKey(message.clientId, { ...saved, ...to })
}

/** The user's drafts, by room. */
export const $drafts = readonlyType(
  computed([$session, $draftsOfAll], (session, all) => {
    const own: Record<string, string> = {}
    const prefix = draftKey(session?.userId ?? 0, '')
    for (const [key, text] of Object.entries(all)) {
      if (text && key.startsWith(prefix)) own[key.slice(prefix.length)] = text
    }
    return own
  }),
)

/** Keeps what is written in a room and not sent; '' is kept as nothing. */
export function keepDraft(roomId: string, text: string): void {
  const userId = $session.get()?.userId
  if (userId !== undefined) $draftsOfAll.setKey(draftKey(userId, roomId), text || undefined)
}
