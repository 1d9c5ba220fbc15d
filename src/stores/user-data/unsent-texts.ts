import { CHAT_DRAFT_PREFIX, CHAT_WAITING_PREFIX } from '../../rules/storage-keys.ts'
import { persistedMap } from '../shared/persistence.ts'

// Texts that the server does not have yet. They survive the expiry of a token, are shown only to
// their author, and are deleted at log-out (`forget-chat.ts`).

export interface WaitingMessage {
  /** The id by which the server stores the message only once, however often it is sent. */
  clientId: string
  userId: number
  roomId: string
  content: string
  /** When it was written, in ms since 1970; increases in the order of writing. */
  at: number
  /** Whether the server refused it; the author then decides what to do. */
  isRefused: boolean
}

/** By `clientId`; of every user of this browser. */
export const $waitingOfAll = persistedMap(CHAT_WAITING_PREFIX, readWaiting)

/** Unsent texts, by `<user id>:<room id or purpose>`; of every user of this browser. */
export const $draftsOfAll = persistedMap(CHAT_DRAFT_PREFIX, (value) =>
  typeof value === 'string' ? value : undefined,
)

export const draftKey = (userId: number, name: string) => `${userId}:${name}`

function readWaiting(value: unknown): WaitingMessage | undefined {
  if (typeof value !== 'object' || value === null) return
  const { clientId, userId, roomId, content, at, isRefused } = value as Record<string, unknown>
  if (typeof clientId !== 'string' || !/^[\da-f]{32}$/.test(clientId)) return
  if (typeof userId !== 'number' || typeof at !== 'number') return
  if (typeof roomId !== 'string' || typeof content !== 'string') return
  return { clientId, userId, roomId, content, at, isRefused: isRefused === true }
}
