import { atom, computed, readonlyType } from 'nanostores'
import type { Conversation } from '../../../contract/office-conversations.ts'
import * as inbox from '../../../contract/office-conversations.ts'
import { createHistories } from '../../chat/histories.ts'
import { logOnly, problemOf } from '../../shared/problem.ts'
import { ask } from '../backend.ts'
import { createChoiceLoader } from '../loader.ts'
import { $officeSession } from '../session.ts'
import { conversationTable } from './list.ts'

const $room = atom<string | null>(null)
/** The id of the open conversation, or null. */
export const $openRoom = readonlyType($room)

const loader = createChoiceLoader<Conversation>('conversation')
/** The open conversation. */
export const $conversation = loader.$state

/** The messages of all conversations opened so far. */
export const { $histories, readHistory, readOlder, showMessage } = createHistories({
  currentUser: () => $officeSession.get()?.userId,
  readPage: (roomId, query) => ask(inbox.listConversationMessages, { params: { roomId }, query }),
})

export const $openHistory = computed([$room, $histories], (id, all) =>
  id === null ? null : (all[id] ?? null),
)

const read = (roomId: string) => ask(inbox.getConversation, { params: { roomId } })

/** Shows a conversation; the server logs that it was opened. */
export function openConversation(roomId: string): void {
  const before = $room.get()
  if (before === roomId) return
  $room.set(roomId)
  // The previous conversation has been read, which the list does not show yet.
  if (before !== null) conversationTable.renew()
  void loadConversation()
}

/** Loads the open conversation and its messages. */
export async function loadConversation(): Promise<void> {
  const roomId = $room.get()
  if (roomId === null) return
  await Promise.all([loader.load(() => read(roomId)), readHistory(roomId)])
}

/** Reloads the open conversation in the background. */
export async function renewConversation(): Promise<void> {
  const roomId = $room.get()
  if (roomId === null) return
  void readHistory(roomId)
  await renewFacts(roomId)
}

async function renewFacts(roomId: string): Promise<void> {
  try {
    show(await read(roomId))
  } catch (error) {
    logOnly('conversation')(error)
  }
}

function show(conversation: Conversation): void {
  if (conversation.roomId === $room.get()) loader.show(conversation)
}

/** Changes a conversation and shows its new state, even after an edit conflict. */
async function act(roomId: string, work: () => Promise<Conversation>): Promise<void> {
  try {
    show(await work())
  } catch (error) {
    if (problemOf(error).status === 409) await renewFacts(roomId)
    throw error
  } finally {
    conversationTable.renew()
  }
}

/**
 * Takes a conversation, also over from the administrator shown to hold it. Throws an `ApiError`.
 */
export function take({ roomId, takenBy }: Conversation): Promise<void> {
  const input = { params: { roomId }, body: { from: takenBy?.id ?? null } }
  return act(roomId, () => ask(inbox.takeConversation, input))
}

/** Returns a conversation to the inbox. Throws an `ApiError`. */
export function handBack({ roomId }: Conversation): Promise<void> {
  return act(roomId, () => ask(inbox.handBackConversation, { params: { roomId } }))
}

/** Marks the messages up to the newest shown one as needing no answer. Throws an `ApiError`. */
export function close({ roomId, last }: Conversation): Promise<void> {
  const upTo = $histories.get()[roomId]?.messages.at(-1)?.id ?? last.id
  return act(roomId, () => ask(inbox.closeConversation, { params: { roomId }, body: { upTo } }))
}

/** The last message in each conversation that was reported to the server as read. */
const reported = new Map<string, number>()

/** Reports that the user has seen the newest message of the open conversation. */
export async function markSeen(): Promise<void> {
  const newest = $openHistory.get()?.messages.at(-1)
  if (!newest || newest.id <= (reported.get(newest.roomId) ?? 0)) return
  const { roomId, id: upTo } = newest
  const before = reported.get(roomId) ?? 0
  reported.set(roomId, upTo)
  try {
    await ask(inbox.markConversationRead, { params: { roomId }, body: { upTo } })
  } catch (error) {
    logOnly('read up to')(error)
    reported.set(roomId, before)
  }
}
