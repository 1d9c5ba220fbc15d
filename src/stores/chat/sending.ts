import type { Message } from '../../contract/chat.ts'
import { CHAT_RECONNECT_MS, otherMember } from '../../rules/room.ts'
import { $session } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { isDecided, logOnly, problemOf } from '../shared/problem.ts'
import { showMessage } from './history.ts'
import { publish } from './line.ts'
import { $outbox, dropWaiting, markRefused, type WaitingMessage } from './outbox.ts'
import { showAsLast } from './rooms.ts'
import { createRoom } from './start.ts'

/** The pause after the server's rate limit refused a message (ms); it accepts 30 per minute. */
const RATE_LIMIT_PAUSE_MS = 10_000

let timer: ReturnType<typeof setTimeout> | undefined
let isSending = false

/** Shows a stored message in the history and the list, and removes it from the outbox. */
export function takeMessage(message: Message): void {
  showMessage(message)
  showAsLast(message)
  const isOwn = message.senderId === $session.get()?.userId
  if (isOwn && message.clientId) dropWaiting(message.clientId)
}

/** Sends the waiting messages one by one; if the connection fails, tries again later. */
export async function sendWaiting(): Promise<void> {
  clearTimeout(timer)
  if (isSending) return
  isSending = true
  try {
    await inOneTab(async () => {
      for (let next = nextWaiting(); next; next = nextWaiting()) {
        const pause = await sendOne(next)
        if (pause === null) continue
        timer = setTimeout(sendWaiting, pause)
        return
      }
    })
  } finally {
    isSending = false
  }
}

/** Stops sending from this page. */
export function stopSending(): void {
  clearTimeout(timer)
}

const nextWaiting = (): WaitingMessage | undefined =>
  $outbox.get().find(({ isRefused }) => !isRefused)

// If two tabs sent messages, each would still be stored only once, but perhaps out of order.
async function inOneTab(work: () => Promise<void>): Promise<void> {
  const { locks } = globalThis.navigator ?? {}
  await (locks ? locks.request('chat-outbox', work) : work())
}

/**
 * Sends one message; returns how long to wait before the next try (ms), or null to continue at
 * once.
 */
async function sendOne(waiting: WaitingMessage): Promise<number | null> {
  try {
    const saved = await store(waiting)
    takeMessage(saved)
    dropWaiting(waiting.clientId)
    publish(saved)
    return null
  } catch (error) {
    logOnly('send')(error)
    const problem = problemOf(error)
    if (isDecided(problem)) markRefused(waiting)
    // The message is stored although the answer is invalid; the history will show it.
    else if (problem.code === 'bad_answer') dropWaiting(waiting.clientId)
    else return problem.status === 429 ? RATE_LIMIT_PAUSE_MS : CHAT_RECONNECT_MS
    return null
  }
}

async function store({ clientId, userId, roomId, content }: WaitingMessage): Promise<Message> {
  const receiverId = otherMember(roomId, userId)
  if (receiverId === null) throw new Error('nobody to send to')
  const input = {
    params: { roomId },
    body: { senderId: userId, receiverId, roomId, content, clientId },
  }
  try {
    return await ask(({ chat }) => chat.sendMessage, input)
  } catch (error) {
    if (problemOf(error).code !== 'room_not_found') throw error
  }
  await createRoom(userId, receiverId)
  return ask(({ chat }) => chat.sendMessage, input)
}
