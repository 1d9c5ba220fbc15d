import { computed, readonlyType } from 'nanostores'
import { messageContent, otherMember } from '../../rules/room.ts'
import { $session } from '../session/session.ts'
import { randomId } from '../shared/browser.ts'
import {
  $draftsOfAll,
  $waitingOfAll,
  draftKey,
  type WaitingMessage,
} from '../user-data/unsent-texts.ts'

export type { WaitingMessage } from '../user-data/unsent-texts.ts'

/**
 * The user's messages that the server does not have yet, in the order in which they were written.
 */
export const $outbox = readonlyType(
  computed([$session, $waitingOfAll], (session, all) =>
    Object.values(all)
      .filter((message) => message !== undefined)
      .filter(({ userId }) => userId === session?.userId)
      .filter(canBeSent)
      .sort((a, b) => a.at - b.at),
  ),
)

/** Saved data is not trusted. */
const canBeSent = ({ roomId, userId, content }: WaitingMessage): boolean =>
  otherMember(roomId, userId) !== null && messageContent(content) !== null

let lastAt = 0

/**
 * Puts a trimmed message into the outbox. Returns false if nobody is logged in, the text is blank
 * or too long, or the room's id does not name its recipient.
 */
export function enqueue(roomId: string, text: string): boolean {
  const userId = $session.get()?.userId
  const content = messageContent(text)
  if (userId === undefined || content === null) return false
  if (otherMember(roomId, userId) === null) return false
  const clientId = randomId()
  // Increasing even for two messages within a millisecond.
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

/** Removes a message because the server has it, or because its writer discards it. */
export function dropWaiting(clientId: string): void {
  if ($waitingOfAll.get()[clientId]) $waitingOfAll.setKey(clientId, undefined)
}

/** Notes that the server refused a message. */
export function markRefused(message: WaitingMessage): void {
  change(message, { isRefused: true })
}

/** Queues a refused message again, behind those written since. */
export function retryWaiting(clientId: string): void {
  const message = $waitingOfAll.get()[clientId]
  if (message) change(message, { isRefused: false })
}

// Ignores a message that another tab has removed in the meantime.
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

/** Keeps the unsent text of a room; '' removes it. */
export function keepDraft(roomId: string, text: string): void {
  keep(roomId, text)
  if (text.trim() === '' && $drafts.get()[READY_IN] === roomId) keep(READY_IN, '')
}

// Draft keys that are not rooms: the request before its conversation opens, then the room that got
// it.
const REQUEST = 'request'
const READY_IN = 'ready-in'

/**
 * Stores a request to the shop, which the user sends from the chat. False if it cannot be stored.
 */
export function composeRequest(text: string): boolean {
  keep(REQUEST, text)
  return hasRequest()
}

/** Whether a request waits for its conversation. */
export const hasRequest = (): boolean => $drafts.get()[REQUEST] !== undefined

/** Appends the waiting request, if any, to the draft of a room. */
export function placeRequest(roomId: string): void {
  const { [REQUEST]: request, [roomId]: draft } = $drafts.get()
  if (request === undefined) return
  keep(roomId, draft?.trim() ? `${draft}\n\n${request}` : request)
  keep(READY_IN, roomId)
  keep(REQUEST, '')
}

/** The room whose draft holds a request, ready to be sent, or null. */
export const $requestRoom = computed($drafts, (drafts) => drafts[READY_IN] ?? null)

function keep(name: string, text: string): void {
  const userId = $session.get()?.userId
  if (userId !== undefined) $draftsOfAll.setKey(draftKey(userId, name), text || undefined)
}
