import { atom, readonlyType } from 'nanostores'
import type { Infer } from 'superstruct'
import type { Message, MessageSpan } from '../../contract/chat.ts'
import { CHAT_PAGE_SIZE, CHAT_PAGE_SIZE_MAX } from '../../contract/chat.ts'
import { logOnly } from '../shared/problem.ts'

/** The loaded messages of a room. */
export interface History {
  /** `loading` only the first time, `failed` if nothing could be loaded so far. */
  phase: 'loading' | 'failed' | 'ready'
  /** Each once, in ascending order of ids. */
  messages: readonly Message[]
  /**
   * No message up to this id is missing. Only HTTP answers advance it: there may be gaps before
   * messages of the live connection.
   */
  completeTo: number
  hasOlder: boolean
  isLoadingOlder: boolean
}

const empty: History = {
  phase: 'loading',
  messages: [],
  completeTo: 0,
  hasOlder: false,
  isLoadingOlder: false,
}

const lastId = (messages: readonly Message[]) => messages.at(-1)?.id ?? 0

function merged(known: readonly Message[], more: readonly Message[]): readonly Message[] {
  const byId = new Map([...known, ...more].map((message) => [message.id, message]))
  return byId.size === known.length ? known : [...byId.values()].sort((a, b) => a.id - b.id)
}

interface Source {
  /** The id of the user who is logged in. */
  currentUser: () => number | undefined
  /** Reads messages of a room through the chat's API calls. */
  readPage: (roomId: string, span: Infer<typeof MessageSpan>) => Promise<readonly Message[]>
}

/** Creates the store of the messages of all rooms that are opened on a page. */
export function createHistories({ currentUser, readPage }: Source) {
  const $all = atom<Readonly<Record<string, History>>>({})

  const historyOf = (roomId: string): History => $all.get()[roomId] ?? empty

  function change(roomId: string, to: Partial<History>): void {
    $all.set({ ...$all.get(), [roomId]: { ...historyOf(roomId), ...to } })
  }

  /** Prevents parallel reads of a room; a call during a read causes one more read after it. */
  const reading = new Map<string, Promise<void>>()
  const again = new Set<string>()

  /** Loads the newest messages of a room, or those that it lacks. A failure is only logged. */
  function readHistory(roomId: string): Promise<void> {
    const current = reading.get(roomId)
    if (current) {
      again.add(roomId)
      return current
    }
    const work = readAll(roomId).finally(() => reading.delete(roomId))
    reading.set(roomId, work)
    return work
  }

  async function readAll(roomId: string): Promise<void> {
    const userId = currentUser()
    if (!$all.get()[roomId] || historyOf(roomId).phase === 'failed') {
      change(roomId, { phase: 'loading' })
    }
    try {
      do {
        again.delete(roomId)
        const isFirst = historyOf(roomId).completeTo === 0
        await (isFirst ? readNewest(roomId, userId) : readMissed(roomId, userId))
      } while (again.has(roomId))
    } catch (error) {
      logOnly('messages')(error)
      if (historyOf(roomId).phase === 'loading') change(roomId, { phase: 'failed' })
    }
  }

  async function readNewest(roomId: string, userId: number | undefined): Promise<void> {
    const page = await readPage(roomId, {})
    if (currentUser() !== userId) return
    change(roomId, {
      phase: 'ready',
      messages: merged(historyOf(roomId).messages, page),
      completeTo: lastId(merged([], page)),
      hasOlder: page.length >= CHAT_PAGE_SIZE,
    })
  }

  async function readMissed(roomId: string, userId: number | undefined): Promise<void> {
    for (;;) {
      const after = historyOf(roomId).completeTo
      const query = { after, limit: CHAT_PAGE_SIZE_MAX }
      const page = await readPage(roomId, query)
      if (currentUser() !== userId) return
      const completeTo = Math.max(after, lastId(merged([], page)))
      change(roomId, {
        phase: 'ready',
        messages: merged(historyOf(roomId).messages, page),
        completeTo,
      })
      if (page.length < CHAT_PAGE_SIZE_MAX || completeTo === after) return
    }
  }

  /** Loads the page of messages before the oldest known one. */
  async function readOlder(roomId: string): Promise<void> {
    const { messages, hasOlder, isLoadingOlder } = historyOf(roomId)
    const before = messages[0]?.id
    if (!hasOlder || isLoadingOlder || before === undefined) return
    change(roomId, { isLoadingOlder: true })
    try {
      const page = await readPage(roomId, { before })
      const known = historyOf(roomId).messages
      const all = merged(known, page)
      // A backend that ignores `before` returns messages that are already known.
      const hasMore = page.length >= CHAT_PAGE_SIZE && all.length > known.length
      change(roomId, { messages: all, hasOlder: hasMore, isLoadingOlder: false })
    } catch (error) {
      logOnly('older messages')(error)
      change(roomId, { isLoadingOlder: false })
    }
  }

  /** Adds a message from the live connection, or from the answer to a sent one. */
  function showMessage(message: Message): void {
    const history = $all.get()[message.roomId]
    if (!history) return
    const messages = merged(history.messages, [message])
    if (messages !== history.messages) change(message.roomId, { messages })
  }

  /** Deletes all messages, for the next user of this page. */
  function forgetHistories(): void {
    $all.set({})
  }

  return {
    /** By room id, of the rooms that were opened. */
    $histories: readonlyType($all),
    readHistory,
    readOlder,
    showMessage,
    forgetHistories,
  }
}
