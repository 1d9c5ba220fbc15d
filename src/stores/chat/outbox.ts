import { computed, readonlyType } from 'nanostores'
import { messageContent, otherMember } from '../../rules/room.ts'
import { $session } from '../account/session.ts'
import { randomId } from '../shared/random-id.ts'
import { $draftsOfAll, $waitingOfAll, draftKey, type WaitingMessage } from './unsent.ts'

export type { WaitingMessage } from './unsent.ts'

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
 * Puts a message into the outbox, trimmed. False where nobody is logged in, the text is blank or too
 * long, or the room's id does not tell who receives it.
 */
export function enqueue(roomId: string, text: string): boolean {
  const userId = $session.get()?.userId
  const content = messageContent(text)
  if (userId === undefined || content === null) return false
  if (otherMember(roomId, userId) === null) return false
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

/** The user's drafts, by room or purpose. */
export const $drafts = readonlyType(
  computed([$session, $draftsOfAll], (session, all) => {
    const drafts: Record<string, string> = {}
    const prefix = draftKey(session?.userId ?? 0, '')
    for (const [key, text] of Object.entries(all)) {
      if (text && key.startsWith(prefix)) drafts[key.slice(prefix.length)] = text
    }
    return drafts
  }),
)

/** Keeps what is written in a room and not sent; '' is kept as nothing. */
export function keepDraft(roomId: string, text: string): void {
  keep(roomId, text)
  if (text.trim() === '' && $drafts.get()[READY_IN] === roomId) keep(READY_IN, '')
}

// Drafts of no room: a request before its conversation is open, and then the room it stands in.
const REQUEST = 'request'
const READY_IN = 'ready-in'

/** Composes a request to the shop: it waits to be sent by hand. False where it cannot be kept. */
export function composeRequest(text: string): boolean {
  keep(REQUEST, text)
  return hasRequest()
}

/** Whether a request waits for its conversation to be opened. */
export const hasRequest = (): boolean => $drafts.get()[REQUEST] !== undefined

/** Puts the request, if there is one, into what is written in a room, behind what stands there. */
export function placeRequest(roomId: string): void {
  const { [REQUEST]: request, [roomId]: draft } = $drafts.get()
  if (request === undefined) return
  keep(roomId, draft?.trim() ? `${draft}\n\n${request}` : request)
  keep(READY_IN, roomId)
  keep(REQUEST, '')
}

/** The room in which a request stands ready to be sent, or null. */
export const $requestRoom = computed($drafts, (drafts) => drafts[READY_IN] ?? null)

function keep(name: string, text: string): void {
  const userId = $session.get()?.userId
  if (userId !== undefined) $draftsOfAll.setKey(draftKey(userId, name), text || undefined)
}
