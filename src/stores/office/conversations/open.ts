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
/** The id of the conversation that is open, or null. */
export const $openRoom = readonlyType($room)

const reading = createChoiceLoader<Conversation>('conversation')
/** The conversation that is open. */
export const $conversation = reading.$state

/** The messages of the conversations that were opened. */
export const { $histories, readHistory, readOlder, showMessage } = createHistories({
  currentUser: () => $officeSession.get()?.userId,
  readPage: (roomId, query) => ask(inbox.listConversationMessages, { params: { roomId }, query }),
})

export const $openHistory = computed([$room, $histories], (id, all) =>
  id === null ? null : (all[id] ?? null),
)

const read = (roomId: string) => ask(inbox.getConversation, { params: { roomId } })

/** Shows a conversation; the log says that it was opened. */
export function openConversation(roomId: string): void {
  const before = $room.get()
  if (before === roomId) return
  $room.set(roomId)
  // The list has yet to learn that the one before was read.
  if (before !== null) conversationTable.renew()
  void loadConversation()
}

/** Reads the open conversation and its messages; also after a failure. */
export async function loadConversation(): Promise<void> {
  const roomId = $room.get()
  if (roomId === null) return
  await Promise.all([reading.load(() => read(roomId)), readHistory(roomId)])
}

/** Reads it again behind what is shown. */
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
  if (conversation.roomId === $room.get()) reading.show(conversation)
}

/** Does something to a conversation, and shows how it stands then, also where it is refused. */
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

/** Takes it, also from who has it as it is shown. Throws an `ApiError`. */
export function take({ roomId, takenBy }: Conversation): Promise<void> {
  const input = { params: { roomId }, body: { from: takenBy?.id ?? null } }
  return act(roomId, () => ask(inbox.takeConversation, input))
}

/** Returns it to the inbox. Throws an `ApiError`. */
export function handBack({ roomId }: Conversation): Promise<void> {
  return act(roomId, () => ask(inbox.handBackConversation, { params: { roomId } }))
}

/** It needs no answer, up to the newest message that is shown. Throws an `ApiError`. */
export function close({ roomId, last }: Conversation): Promise<void> {
  const upTo = $histories.get()[roomId]?.messages.at(-1)?.id ?? last.id
  return act(roomId, () => ask(inbox.closeConversation, { params: { roomId }, body: { upTo } }))
}

/** Up to which message the server knows each conversation as read. */
const reported = new Map<string, number>()

/** The newest message of the open conversation is in sight. */
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
