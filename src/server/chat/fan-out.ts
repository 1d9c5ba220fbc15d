import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { SECOND_MS } from '../../rules/durations.ts'
import type { Schema } from '../database/schema.ts'
import { AUTHOR, type MessageRow } from './messages.ts'

/** Messages of a room that are pushed at a time. */
export const CHAT_PUSH_PAGE = 200

/** One subscription to a room, somewhere on this instance. */
export interface Subscriber {
  readonly roomId: string
  /** The newest message it has; only what is above it is pushed. */
  last: number
  /** False while it cannot take more; it wakes its room when it can again. */
  isReady(): boolean
  push(message: MessageRow): void
}

export type FanOut = ReturnType<typeof createFanOut>

// Rooms that one query reads.
const ROOMS_AT_ONCE = 200

/**
 * Brings stored messages to this instance's subscribers: reads each woken room above what its
 * subscribers have. A room's ids ascend in the order of the commits, so nothing appears below what was
 * read: a missed or repeated wake harms nothing.
 */
export function createFanOut(db: Kysely<Schema>, report: (error: unknown) => void) {
  const rooms = new Map<string, Set<Subscriber>>()
  const woken = new Set<string>()
  const closing = new AbortController()
  const { signal } = closing
  let isRunning = false

  /** Something may have been stored in this room. */
  function wake(roomId: string): void {
    if (!rooms.has(roomId) || signal.aborted) return
    woken.add(roomId)
    if (isRunning) return
    isRunning = true
    // Announcements come in bursts: those of one turn are read with one query.
    setImmediate(() => void run())
  }

  async function run(): Promise<void> {
    while (woken.size > 0 && !signal.aborted) {
      const taken = [...woken].slice(0, ROOMS_AT_ONCE)
      for (const id of taken) woken.delete(id)
      try {
        await pushAll(taken)
      } catch (error) {
        for (const id of taken) woken.add(id)
        if (!signal.aborted) report(error)
        await wait(SECOND_MS / 2, undefined, { signal }).catch(() => {})
      }
    }
    isRunning = false
  }

  async function pushAll(ids: readonly string[]): Promise<void> {
    // Subscribers that are added while the rows are read may want earlier ones; they wake the room anew.
    const ready = new Map<string, Subscriber[]>()
    for (const id of ids) {
      const able = [...(rooms.get(id) ?? [])].filter((one) => one.isReady())
      if (able.length > 0) ready.set(id, able)
    }
    if (ready.size === 0) return
    const rows = await readAbove(db, ready)
    const counts = new Map<string, number>()
    for (const row of rows) {
      counts.set(row.roomId, (counts.get(row.roomId) ?? 0) + 1)
      for (const subscriber of ready.get(row.roomId) ?? []) {
        // One that could not take an earlier message of this room gets none of the later ones.
        if (row.id <= subscriber.last || !subscriber.isReady()) continue
        subscriber.last = row.id
        subscriber.push(row)
      }
    }
    for (const [id, count] of counts) if (count === CHAT_PUSH_PAGE) wake(id)
  }

  return {
    /** From now on it gets what is above its `last`, stored already or later, in order and once. */
    add(subscriber: Subscriber): void {
      const others = rooms.get(subscriber.roomId) ?? new Set()
      rooms.set(subscriber.roomId, others.add(subscriber))
      wake(subscriber.roomId)
    },
    remove(subscriber: Subscriber): void {
      const others = rooms.get(subscriber.roomId)
      others?.delete(subscriber)
      if (others?.size === 0) rooms.delete(subscriber.roomId)
    },
    wake,
    /** Something may have been missed in any room. */
    wakeAll(): void {
      for (const id of rooms.keys()) wake(id)
    },
    close: () => closing.abort(),
  }
}

async function readAbove(
  db: Kysely<Schema>,
  ready: ReadonlyMap<string, readonly Subscriber[]>,
): Promise<MessageRow[]> {
  const ids = [...ready.keys()]
  const after = [...ready.values()].map((all) => Math.min(...all.map(({ last }) => last)))
  const { rows } = await sql<MessageRow>`
    SELECT message.*, ${AUTHOR} AS author FROM unnest(${ids}::text[], ${after}::bigint[]) AS wanted (id, after)
    CROSS JOIN LATERAL (
      SELECT * FROM chat_messages
      WHERE room_id = wanted.id AND chat_messages.id > wanted.after
      ORDER BY chat_messages.id LIMIT ${CHAT_PUSH_PAGE}
    ) message
    ORDER BY message.id`.execute(db)
  return rows
}
