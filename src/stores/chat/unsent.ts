import { messageContent, roomMembers } from '../../rules/room.ts'
import { CHAT_DRAFT_PREFIX, CHAT_WAITING_PREFIX } from '../../rules/storage-keys.ts'
import { persistedMap } from '../shared/persistence.ts'

// What was written and is not at the server yet. It outlives a token that expires, and is shown to
// nobody but its writer; who logs out leaves nothing behind.

/** A message on its way: kept until the server has it. */
export interface WaitingMessage {
  /** What the server knows it by, so that it is stored once however often it is sent. */
  clientId: string
  userId: number
  roomId: string
  content: string
  /** When it was written, in ms since 1970; ascends with the order of writing. */
  at: number
  /** The server does not take it as it is; its writer decides. */
  isRefused: boolean
}

/** By `clientId`; of every user of this browser. */
export const $waitingOfAll = persistedMap(CHAT_WAITING_PREFIX, readWaiting)

/** Texts not sent yet, by `<user id>:<room id or purpose>`; of every user of this browser. */
export const $draftsOfAll = persistedMap(CHAT_DRAFT_PREFIX, (value) =>
  typeof value === 'string' ? value : undefined,
)

export const draftKey = (userId: number, name: string) => `${userId}:${name}`

/** Forgets what everybody, or everybody else, wrote and did not send. */
export function forgetChat(exceptUserId?: number): void {
  for (const [clientId, message] of Object.entries($waitingOfAll.get())) {
    if (message?.userId !== exceptUserId) $waitingOfAll.setKey(clientId, undefined)
  }
  for (const key of Object.keys($draftsOfAll.get())) {
    if (!key.startsWith(`${exceptUserId}:`)) $draftsOfAll.setKey(key, undefined)
  }
}

function readWaiting(value: unknown): WaitingMessage | undefined {
  if (typeof value !== 'object' || value === null) return
  const { clientId, userId, roomId, content, at, isRefused } = value as Record<string, unknown>
  if (typeof clientId !== 'string' || !/^[\da-f]{32}$/.test(clientId)) return
  if (typeof userId !== 'number' || typeof at !== 'number') return
  if (typeof roomId !== 'string' || roomMembers(roomId) === null) return
  if (typeof content !== 'string' || messageContent(content) === null) return
  return { clientId, userId, roomId, content, at, isRefused: isRefused === true }
}
