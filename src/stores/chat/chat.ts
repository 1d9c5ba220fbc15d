import { atom, computed, readonlyType } from 'nanostores'
import type { Message } from '../../contract/chat.ts'
import { SECOND_MS } from '../../rules/durations.ts'
import { UNKNOWN_ID } from '../../rules/features.ts'
import { CHAT_RECONNECT_MS, CHAT_SUBSCRIPTIONS_MAX, otherMember } from '../../rules/room.ts'
import { $session, onLogOut } from '../session/session.ts'
import { ask } from '../shared/backend.ts'
import { isDecided, logOnly, problemOf } from '../shared/problem.ts'
import { $token, tokenToSend } from '../shared/token.ts'
import { $histories, forgetHistories, readHistory, showMessage } from './history.ts'
import { closeLine, followRooms, openLine, publish } from './line.ts'
import {
  $outbox,
  dropWaiting,
  enqueue,
  hasRequest,
  keepDraft,
  markRefused,
  placeRequest,
  retryWaiting,
  type WaitingMessage,
} from './outbox.ts'
import {
  $rooms,
  forgetRooms,
  loadRooms,
  markSeen,
  roomById,
  roomsNow,
  showAsLast,
} from './rooms.ts'
import {
  type Administrator,
  createRoom,
  openRoomWith,
  readAdministrators,
  showPicker,
} from './start.ts'

/**
 * How often the list is reloaded (ms), since the server does not announce conversations that others
 * open.
 */
const RELOAD_EVERY_MS = 30 * SECOND_MS

const $selected = atom<string | null>(null)

/** The room that is shown, or null. */
export const $activeRoomId = readonlyType($selected)

export const $activeRoom = computed([$selected, $rooms], (id, list) =>
  list.phase === 'ready' ? (list.value.find((room) => room.id === id) ?? null) : null,
)

/**
 * The rooms that the live connection follows: the one that is shown, and the newest. The others are
 * updated when the list is reloaded.
 */
const $followed = computed([$selected, $rooms], (selected, list) => {
  const ids = list.phase === 'ready' ? list.value.map(({ id }) => id) : []
  const isKnown = selected !== null && ids.includes(selected)
  return [...new Set(isKnown ? [selected, ...ids] : ids)].slice(0, CHAT_SUBSCRIPTIONS_MAX)
})

/** The messages of the room that is shown; null before they are loaded. */
export const $activeHistory = computed([$selected, $histories], (id, all) =>
  id === null ? null : (all[id] ?? null),
)

/** Messages of the shown room that the server does not have yet, oldest first. */
export const $activeWaiting = computed([$selected, $outbox, $histories], (id, waiting, all) => {
  const stored = new Set(id === null ? [] : all[id]?.messages.map(({ clientId }) => clientId))
  return waiting.filter(({ roomId, clientId }) => roomId === id && !stored.has(clientId))
})

/** What the page's URL requests. */
interface ChatWish {
  /** The room that the URL names. */
  roomId: string | null
  /** The visitor has a question: if there is no conversation, start one. */
  isAsking: boolean
}

/**
 * Opens the chat: loads the rooms, selects one and stays connected. Returns the function that
 * closes it when the visitor leaves the page or the session ends.
 */
export function openChat(wish: ChatWish): () => void {
  let isOpen = true
  let isSettled = false
  let retry: ReturnType<typeof setTimeout> | undefined
  const selectOnce = async () => {
    if (isSettled || $rooms.get().phase !== 'ready') return
    isSettled = true
    isSettled = await selectInitial(wish, () => isOpen)
  }
  const catchUp = async () => {
    const selected = $selected.get()
    await Promise.all([loadRooms(), selected !== null && readHistory(selected), sendWaiting()])
    if (!isOpen) return
    await selectOnce()
    clearTimeout(retry)
    const isRead = $rooms.get().phase !== 'failed' && $activeHistory.get()?.phase !== 'failed'
    if (!isRead || !isSettled) retry = setTimeout(refresh, CHAT_RECONNECT_MS)
  }
  const refresh = () => {
    const isWanted = !globalThis.document?.hidden && globalThis.navigator?.onLine !== false
    // A device that slept wakes with this timer before the one that ends the session.
    if (isWanted && tokenToSend()) void catchUp()
  }

  const stopFollowing = $followed.subscribe(followRooms)
  void catchUp()
  void openLine({
    token: () => $token.get(),
    onOpen: refresh,
    onLost: refresh, // without a socket, the chat continues over REST
    onFollowing: refresh,
    onMessage: async (message) => {
      await takeMessage(message)
      if (!roomById(message.roomId)) void loadRooms()
    },
  })
  const timer = setInterval(refresh, RELOAD_EVERY_MS)
  const page = globalThis.document
  page?.addEventListener('visibilitychange', refresh)
  globalThis.addEventListener?.('online', refresh)

  return () => {
    isOpen = false
    clearInterval(timer)
    clearTimeout(retry)
    page?.removeEventListener('visibilitychange', refresh)
    globalThis.removeEventListener?.('online', refresh)
    stopFollowing()
    stopSending()
    closeLine()
  }
}

/**
 * Selects the room that the URL names, or the first. A request, and a question without a room, go
 * to the shop's common inbox or, if the backend has none, to the only administrator or the one that
 * the user picks. Returns false if no recipient could be found for now.
 */
async function selectInitial(
  { roomId, isAsking }: ChatWish,
  isOpen: () => boolean,
): Promise<boolean> {
  const room = (roomId !== null && roomById(roomId)) || roomsNow()[0]
  if (!hasRequest() && (room || !isAsking)) {
    if (room) selectRoom(room.id)
    return true
  }
  const administrators = await readAdministrators()
  if (!isOpen() || $selected.get() !== null) return true
  if (administrators === null) return false
  const [first, ...others] = administrators
  if (!first || (others.length > 0 && !first.isShop)) showPicker(administrators)
  else return (await startConversation(first)) !== null
  return true
}

/** Shows a room, and puts a waiting request into its composer. */
export function selectRoom(roomId: string): void {
  $selected.set(roomId)
  void readHistory(roomId)
  placeRequest(roomId)
  void sendWaiting()
}

export async function startConversation(administrator: Administrator): Promise<string | null> {
  const roomId = await openRoomWith(administrator)
  if (roomId !== null) selectRoom(roomId)
  return roomId
}

/** Sends a text to the room that is shown; false if there is nothing to send. */
export function sendMessage(text: string): boolean {
  const roomId = $selected.get()
  if (roomId === null || !roomById(roomId) || !enqueue(roomId, text)) return false
  keepDraft(roomId, '')
  void sendWaiting()
  return true
}

export function retryMessage(clientId: string): void {
  retryWaiting(clientId)
  void sendWaiting()
}

/** The newest message of the room is in sight. */
export function markNewestSeen(): void {
  const newest = $activeHistory.get()?.messages.at(-1)
  if (newest) void markSeen(newest)
}

onLogOut(() => {
  $selected.set(null)
  forgetRooms()
  forgetHistories()
})

/** The pause after the server's rate limit refused a message (ms); it accepts 30 per minute. */
const RATE_LIMIT_PAUSE_MS = 10_000

let timer: ReturnType<typeof setTimeout> | undefined
let isSending = false

/**
 * Shows a stored message in the history and the list, and removes it from the outbox. One without an
 * id is read with its room's history, which says its place.
 */
async function takeMessage(message: Message): Promise<void> {
  if (message.id === UNKNOWN_ID) {
    await readHistory(message.roomId)
    const newest = $histories.get()[message.roomId]?.messages.at(-1)
    if (newest) showAsLast(newest)
    return
  }
  showMessage(message)
  showAsLast(message)
  const isOwn = message.senderId === $session.get()?.userId
  if (isOwn && message.clientId) dropWaiting(message.clientId)
}

/** Sends the waiting messages one by one; if the connection fails, tries again later. */
async function sendWaiting(): Promise<void> {
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
    await takeMessage(saved)
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
