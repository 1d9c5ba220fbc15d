import { onTestFinished, vi } from 'vitest'
import { type ApiRequest, type ApiResponse, createApi } from '../../src/client/api.ts'
import type { Live, LiveListener, OpenLive } from '../../src/client/live.ts'
import { ALL_ERRORS } from '../../src/contract/all-errors.ts'
import type { Administrator, Message } from '../../src/contract/chat.ts'
import { CHAT_PAGE_SIZE } from '../../src/contract/chat.ts'
import type { ErrorCode } from '../../src/contract/errors.ts'
import { otherMember } from '../../src/rules/room.ts'

/**
 * What a request is answered with instead; `lost`: carried out, never answered; `odd`: carried out,
 * and answered with a body outside the contract.
 */
export type ChatFault = ErrorCode | 'network' | 'lost' | 'missing' | 'odd'

/** A socket of one page, as the fake server sees it. */
interface Socket {
  listener: LiveListener
  rooms: readonly string[]
  isOpen: boolean
}

const refusal = (code: ErrorCode): ApiResponse => ({
  status: ALL_ERRORS[code].status,
  body: { ...ALL_ERRORS[code], error: code },
})

/** An in-memory chat server behind the real client; tests cut and restore its connection. */
export function fakeChat(me = 7) {
  const rooms = new Map<string, Message[]>()
  const readUpTo = new Map<string, number>()
  const requests: ApiRequest[] = []
  const sockets: Socket[] = []
  let lastId = 0
  const chat = {
    rooms,
    readUpTo,
    requests,
    sockets,
    published: [] as Message[],
    administrators: [{ id: 2, username: 'Sonia' }] as Administrator[],
    fault: (_request: ApiRequest): ChatFault | undefined => undefined,
    requestsTo: (start: string) =>
      requests.filter(({ method, path }) => `${method} ${path}`.startsWith(start)),
    /** Somebody sends a message; every connected page that follows the room receives it. */
    write(roomId: string, senderId: number, content: string, clientId?: string): Message {
      const known = rooms.get(roomId) ?? []
      const before = clientId && known.find((message) => message.clientId === clientId)
      if (before) return before
      lastId += 1
      const message = {
        id: lastId,
        senderId,
        receiverId: otherMember(roomId, senderId) ?? 0,
        roomId,
        content,
        timestamp: new Date().toISOString(),
        clientId: clientId ?? null,
      }
      rooms.set(roomId, [...known, message])
      for (const socket of sockets) {
        if (socket.isOpen && socket.rooms.includes(roomId)) socket.listener.onMessage(message)
      }
      return message
    },
    /** Cuts every socket. */
    cut() {
      for (const socket of sockets.filter(({ isOpen }) => isOpen)) {
        socket.isOpen = false
        socket.listener.onLost()
      }
    },
    /** Lets every socket of an open page connect. */
    mend() {
      for (const socket of sockets.filter(({ isOpen }) => !isOpen)) {
        socket.isOpen = true
        socket.listener.onOpen()
        socket.listener.onFollowing()
      }
    },
  }

  function summary(roomId: string) {
    const messages = rooms.get(roomId) ?? []
    const upTo = readUpTo.get(roomId) ?? 0
    const other = otherMember(roomId, me) ?? 0
    const unread = messages.filter(({ id, senderId }) => senderId !== me && id > upTo)
    const name = chat.administrators.find(({ id }) => id === other)?.username ?? ''
    const lastMessage = messages.at(-1) ?? null
    return { roomId, other: { id: other, name }, lastMessage, unreadCount: unread.length }
  }
  const newestFirst = () =>
    [...rooms.keys()].sort(
      (a, b) => (rooms.get(b)?.at(-1)?.id ?? 0) - (rooms.get(a)?.at(-1)?.id ?? 0),
    )

  function carryOut({ method, path, body }: ApiRequest): ApiResponse {
    const address = new URL(path, 'http://shop')
    const at = `${method} ${address.pathname}`
    const number = (name: string) => Number(address.searchParams.get(name) ?? 0)
    const roomId = /\/room\/(room_\d+_\d+)\//.exec(address.pathname)?.[1] ?? ''
    const given = JSON.parse(body ?? '{}')
    const ok = (answer: unknown): ApiResponse => ({ status: 200, body: answer })
    if (at === `GET /messages/rooms/${me}/summaries`) return ok(newestFirst().map(summary))
    if (at === `GET /messages/rooms/${me}`) return ok(newestFirst())
    if (at === 'GET /messages/users/admins') return ok(chat.administrators)
    if (at === 'POST /messages/room') {
      const [one, two] = [number('user1Id'), number('user2Id')].sort((a, b) => a - b)
      const id = `room_${one}_${two}`
      if (!rooms.has(id)) rooms.set(id, [])
      return ok({ roomId: id })
    }
    if (!rooms.has(roomId)) return refusal('room_not_found')
    if (at.endsWith('/read')) {
      readUpTo.set(roomId, given.upTo)
      return { status: 204, body: null }
    }
    if (at.endsWith('/send')) return ok(chat.write(roomId, me, given.content, given.clientId))
    const all = rooms.get(roomId) ?? []
    const limit = number('limit') || CHAT_PAGE_SIZE
    if (number('after')) return ok(all.filter(({ id }) => id > number('after')).slice(0, limit))
    const before = number('before') || Number.POSITIVE_INFINITY
    return ok(all.filter(({ id }) => id < before).slice(-limit))
  }

  const transport = async (request: ApiRequest): Promise<ApiResponse> => {
    requests.push(request)
    const fault = chat.fault(request)
    if (fault === 'network') return { status: 0, body: null }
    if (fault === 'missing') return { status: 404, body: null }
    if (fault && fault !== 'lost' && fault !== 'odd') return refusal(fault)
    const answer = carryOut(request)
    if (fault === 'odd') return { status: 200, body: '' }
    return fault === 'lost' ? { status: 0, body: null } : answer
  }

  const openLive: OpenLive = (listener): Live => {
    const socket: Socket = { listener, rooms: [], isOpen: false }
    sockets.push(socket)
    return {
      follow: (roomIds) => {
        socket.rooms = roomIds
      },
      publish: (message) => {
        if (socket.isOpen) chat.published.push(message)
      },
      close: () => {
        sockets.splice(sockets.indexOf(socket), 1)
      },
    }
  }
  return Object.assign(chat, { transport, openLive })
}

export type FakeChat = ReturnType<typeof fakeChat>

/**
 * Opens a page connected to this chat: every store starts afresh from what this browser has saved.
 */
export async function openChatPage(server: FakeChat) {
  vi.resetModules()
  const page = {
    backend: await import('../../src/stores/shared/backend.ts'),
    chat: await import('../../src/stores/chat/chat.ts'),
    documents: await import('../../src/stores/chat/documents.ts'),
    history: await import('../../src/stores/chat/history.ts'),
    line: await import('../../src/stores/chat/line.ts'),
    outbox: await import('../../src/stores/chat/outbox.ts'),
    rooms: await import('../../src/stores/chat/rooms.ts'),
    session: {
      ...(await import('../../src/stores/session/session.ts')),
      ...(await import('../../src/stores/session/log-in.ts')),
    },
    start: await import('../../src/stores/chat/start.ts'),
  }
  page.backend.connectTo(createApi(server.transport))
  page.line.connectBy(server.openLive)
  await page.backend.connect()
  // As on the page, where components subscribe to them.
  for (const $store of [page.session.$session, page.outbox.$outbox, page.outbox.$drafts]) {
    onTestFinished($store.listen(() => undefined))
  }
  return page
}

export type ChatPage = Awaited<ReturnType<typeof openChatPage>>

/**
 * What the open conversation shows, oldest first; messages that the server does not have yet in
 * brackets.
 */
export function shown({ chat }: ChatPage): string[] {
  const stored = chat.$activeHistory.get()?.messages.map(({ content }) => content) ?? []
  const waiting = chat.$activeWaiting
    .get()
    .map(({ content, isRefused }) => (isRefused ? `!${content}` : `[${content}]`))
  return [...stored, ...waiting]
}
