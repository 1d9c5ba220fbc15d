import { atom, computed } from 'nanostores'
import { answerConversation } from '../../../contract/office-conversations.ts'
import { SECOND_MS } from '../../../rules/durations.ts'
import { CHAT_RECONNECT_MS, messageContent, roomMembers } from '../../../rules/room.ts'
import { isDecided, logOnly, problemOf } from '../../shared/problem.ts'
import { randomId } from '../../shared/random-id.ts'
import type { WaitingMessage } from '../../user-data/unsent-texts.ts'
import { ask } from '../backend.ts'
import { forgetKept, keep, kept } from '../kept.ts'
import { $officeSession } from '../session.ts'
import { conversationTable } from './list.ts'
import { $histories, $openRoom, renewConversation, showMessage } from './open.ts'

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

/** Resends a refused answer. */
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
export async function sendAnswers(): Promise<void> {
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
export function openAnswers(): () => void {
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
