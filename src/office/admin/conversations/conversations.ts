import { atom, computed, readonlyType } from 'nanostores'
import * as inbox from '../../../contract/office-conversations.ts'
import {
  answerConversation,
  CONVERSATION_FILTERS,
  type Conversation,
  listConversations,
} from '../../../contract/office-conversations.ts'
import { SECOND_MS } from '../../../rules/durations.ts'
import { CHAT_RECONNECT_MS, messageContent, roomMembers } from '../../../rules/room.ts'
import { createHistories } from '../../../stores/chat/histories.ts'
import { closeLine, followRooms, openLine } from '../../../stores/chat/line.ts'
import { randomId } from '../../../stores/shared/browser.ts'
import { isDecided, logOnly, problemOf } from '../../../stores/shared/problem.ts'
import type { WaitingMessage } from '../../../stores/user-data/unsent-texts.ts'
import { ask } from '../../kit/backend.ts'
import { forgetKept, keep, kept } from '../../kit/kept.ts'
import { createChoiceLoader } from '../../kit/loader.ts'
import { $officeSession, officeToken } from '../../kit/session.ts'
import { tableOf } from '../../kit/tables/table.ts'

/** The page size; the live connection can follow this many conversations and the open one. */
const PAGE_SIZE = 15

export const conversationTable = tableOf(listConversations, {
  choices: { show: CONVERSATION_FILTERS },
  filters: {
    customer: (value) =>
      Number.isSafeInteger(Number(value)) && Number(value) > 0 ? { customer: Number(value) } : {},
  },
  input: () => ({ query: { size: PAGE_SIZE } }),
})

const $room = atom<string | null>(null)
export const $openRoom = readonlyType($room)

const loader = createChoiceLoader<Conversation>('conversation')
export const $conversation = loader.$state

export const { $histories, readHistory, readOlder, showMessage } = createHistories({
  currentUser: () => $officeSession.get()?.userId,
  readPage: (roomId, query) => ask(inbox.listConversationMessages, { params: { roomId }, query }),
})

export const $openHistory = computed([$room, $histories], (id, all) =>
  id === null ? null : (all[id] ?? null),
)

const readConversation = (roomId: string) => ask(inbox.getConversation, { params: { roomId } })

/** Shows a conversation; the server logs that it was opened. */
export function openConversation(roomId: string): void {
  const before = $room.get()
  if (before === roomId) return
  $room.set(roomId)
  // The previous conversation has been read, which the list does not show yet.
  if (before !== null) conversationTable.renew()
  void loadConversation()
}

export async function loadConversation(): Promise<void> {
  const roomId = $room.get()
  if (roomId === null) return
  await Promise.all([loader.load(() => readConversation(roomId)), readHistory(roomId)])
}

async function renewConversation(): Promise<void> {
  const roomId = $room.get()
  if (roomId === null) return
  void readHistory(roomId)
  await renewFacts(roomId)
}

async function renewFacts(roomId: string): Promise<void> {
  try {
    showConversation(await readConversation(roomId))
  } catch (error) {
    logOnly('conversation')(error)
  }
}

function showConversation(conversation: Conversation): void {
  if (conversation.roomId === $room.get()) loader.show(conversation)
}

/** Changes a conversation and shows its new state, even after an edit conflict. */
async function act(roomId: string, work: () => Promise<Conversation>): Promise<void> {
  try {
    showConversation(await work())
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

/** The pause after the server has refused a message because of its rate limit (ms). */
const RATE_LIMIT_PAUSE_MS = 10 * SECOND_MS

/** The keys under which this browser keeps unsent answers and drafts. */
const ANSWERS = 'answers'
const draftOf = (roomId: string) => `answer:${roomId}`

const $texts = atom<Readonly<Record<string, string>>>({})
const $outbox = atom<readonly WaitingMessage[]>([])

/** The draft of each room. */
export const $answerDrafts = computed([$openRoom, $texts], (roomId, texts) => {
  if (roomId === null || roomId in texts) return texts
  const draft = kept(draftOf(roomId))
  return typeof draft === 'string' ? { ...texts, [roomId]: draft } : texts
})

/** Answers in the open conversation that the server has not received yet, oldest first. */
export const $answersWaiting = computed([$openRoom, $outbox, $histories], (id, outbox, all) => {
  const stored = new Set(id === null ? [] : all[id]?.messages.map(({ clientId }) => clientId))
  return outbox.filter(({ roomId, clientId }) => roomId === id && !stored.has(clientId))
})

/** Keeps the draft of a room; '' removes it. */
export function keepAnswer(roomId: string, text: string): void {
  $texts.set({ ...$texts.get(), [roomId]: text })
  if (text) keep(draftOf(roomId), text)
  else forgetKept(draftOf(roomId))
}

function setOutbox(answers: readonly WaitingMessage[]): void {
  $outbox.set(answers)
  if (answers.length > 0) keep(ANSWERS, answers)
  else forgetKept(ANSWERS)
}

/** Sends a text to the open conversation; returns false if there is nothing to send. */
export function sendAnswer(text: string): boolean {
  const roomId = $openRoom.get()
  const userId = $officeSession.get()?.userId
  const content = messageContent(text)
  if (roomId === null || userId === undefined || content === null) return false
  const answer = { clientId: randomId(), userId, roomId, content, at: Date.now(), isRefused: false }
  setOutbox([...$outbox.get(), answer])
  keepAnswer(roomId, '')
  void sendAnswers()
  return true
}

export function retryAnswer(clientId: string): void {
  setRefused(clientId, false)
  void sendAnswers()
}

export function dropAnswer(clientId: string): void {
  setOutbox($outbox.get().filter((one) => one.clientId !== clientId))
}

function setRefused(clientId: string, isRefused: boolean): void {
  setOutbox($outbox.get().map((one) => (one.clientId === clientId ? { ...one, isRefused } : one)))
}

let timer: ReturnType<typeof setTimeout> | undefined
let isSending = false

/** Sends the waiting answers one by one; retries later if the connection fails. */
async function sendAnswers(): Promise<void> {
  clearTimeout(timer)
  if (isSending) return
  isSending = true
  try {
    for (let next = nextAnswer(); next; next = nextAnswer()) {
      const pause = await sendOne(next)
      if (pause === null) continue
      timer = setTimeout(sendAnswers, pause)
      return
    }
  } finally {
    isSending = false
  }
}

const nextAnswer = () => $outbox.get().find(({ isRefused }) => !isRefused)

/** Returns how long to wait before a retry (ms), or null to continue with the next answer. */
async function sendOne({ clientId, roomId, content }: WaitingMessage): Promise<number | null> {
  try {
    const input = { params: { roomId }, body: { content, clientId } }
    showMessage(await ask(answerConversation, input))
    dropAnswer(clientId)
  } catch (error) {
    logOnly('answer')(error)
    const problem = problemOf(error)
    if (!isDecided(problem)) return problem.status === 429 ? RATE_LIMIT_PAUSE_MS : CHAT_RECONNECT_MS
    setRefused(clientId, true)
  }
  void renewConversation()
  conversationTable.renew()
  return null
}

/** Sends the answers that an earlier visit left unsent; returns a function that stops sending. */
function openAnswers(): () => void {
  const found = kept(ANSWERS)
  const userId = $officeSession.get()?.userId
  $texts.set({})
  $outbox.set(Array.isArray(found) ? found.filter((one) => isAnswerOf(one, userId)) : [])
  void sendAnswers()
  return () => clearTimeout(timer)
}

function isAnswerOf(value: unknown, userId: number | undefined): value is WaitingMessage {
  const { clientId, userId: author, roomId, content } = (value ?? {}) as Record<string, unknown>
  if (typeof clientId !== 'string' || typeof roomId !== 'string' || author !== userId) return false
  return roomMembers(roomId) !== null && typeof content === 'string'
}

/** The interval of reloads (ms): the server does not announce new conversations. */
const RELOAD_MS = 30 * SECOND_MS

/** The delay between the start of the page and the live connection (ms). */
const OPEN_AFTER_MS = 2 * SECOND_MS

/** The rooms of the open conversation and of the listed ones. */
const $followed = computed([$openRoom, conversationTable.$state], (open, { page }) => {
  const listed = page?.content.map(({ roomId }) => roomId) ?? []
  return [...new Set(open === null ? listed : [open, ...listed])]
})

/** Keeps the list and the open conversation up to date; returns a stop function. */
export function watchInbox(): () => void {
  const refresh = () => {
    if (document.hidden || !navigator.onLine) return
    conversationTable.renew()
    void renewConversation()
    void sendAnswers()
  }
  const stopSending = openAnswers()
  const stopFollowing = $followed.subscribe(followRooms)
  // The first data comes first: the connection and its code are loaded later.
  const opening = setTimeout(
    () =>
      void openLine({
        token: officeToken,
        onOpen: () => {},
        onLost: () => {},
        onFollowing: refresh,
        onMessage: (message) => {
          showMessage(message)
          conversationTable.renew()
          if (message.roomId === $openRoom.get()) void renewConversation()
        },
      }),
    OPEN_AFTER_MS,
  )
  const timer = setInterval(refresh, RELOAD_MS)
  document.addEventListener('visibilitychange', refresh)
  addEventListener('online', refresh)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', refresh)
    removeEventListener('online', refresh)
    clearTimeout(opening)
    stopFollowing()
    stopSending()
    closeLine()
  }
}
