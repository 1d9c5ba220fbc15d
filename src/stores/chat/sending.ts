import type { Message } from '../../contract/chat.ts'
import { CHAT_RECONNECT_MS } from '../../rules/live-connection.ts'
import { otherMember } from '../../rules/room.ts'
import { $session } from '../account/session.ts'
import { ask } from '../shared/backend.ts'
import { isDecided, logOnly, problemOf } from '../shared/problem.ts'
import { showMessage } from './history.ts'
import { publish } from './line.ts'
import { $outbox, dropWaiting, markRefused, type WaitingMessage } from './outbox.ts'
import { showAsLast } from './rooms.ts'
import { createRoom } from './start.ts'

/** When a server that asked for patience is asked again (ms); it takes 30 messages a minute. */
const PATIENCE_MS = 10_000

let timer: ReturnType<typeof setTimeout> | undefined
let isSending = false

/** Shows a stored message wherever messages are shown; its copy in the outbox is done with. */
export function takeMessage(message: Message): void {
  showMessage(message)
  showAsLast(message)
  const isOwn = message.senderId === $session.get()?.userId
  if (isOwn && message.clientId) dropWaiting(message.clientId)
}

/** Sends what waits, one after the other, until all is sent or the line fails; then tries later. */
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

/** Sends nothing more from this page. */
export function stopSending(): void {
  clearTimeout(timer)
}

const nextWaiting = (): WaitingMessage | undefined =>
  $outbox.get().find(({ isRefused }) => !isRefused)

// Sent by two tabs a message would still be stored once, but the order could suffer.
async function inOneTab(work: () => Promise<void>): Promise<void> {
  const { locks } = globalThis.navigator ?? {}
  await (locks ? locks.request('chat-outbox', work) : work())
}

/** Sends one message; gives how long to wait before the next try (ms), null to go on at once. */
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
    // Stored, although the answer has no known form: the history shows it.
    else if (problem.code === 'bad_answer') dropWaiting(waiting.clientId)
    else return problem.status === 429 ? PATIENCE_MS : CHAT_RECONNECT_MS
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
