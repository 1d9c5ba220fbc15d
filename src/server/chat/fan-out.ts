import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { SECOND_MS } from '../../rules/durations.ts'
import type { Schema } from '../database/schema.ts'
import { AUTHOR, type MessageRow } from './messages.ts'

/** How many messages of a room are pushed at a time. */
const CHAT_PUSH_PAGE = 200

export interface Subscriber {
  readonly roomId: string
  /** The id of the newest message that it has received; only later ones are pushed. */
  last: number
  /** False while it cannot take more; once it can, it wakes its room again. */
  isReady(): boolean
  push(message: MessageRow): void
}

export type FanOut = ReturnType<typeof createFanOut>

// How many rooms one query reads.
const ROOMS_AT_ONCE = 200

/**
 * Pushes stored messages to this instance's subscribers: for each woken room it reads the messages
 * that its subscribers lack. Within a room, ids increase in the order of commits, so that no
 * message with a lower id can appear later, and a missed or repeated wake does no harm.
 */
export function createFanOut(db: Kysely<Schema>, report: (error: unknown) => void) {
  const rooms = new Map<string, Set<Subscriber>>()
  const woken = new Set<string>()
  const closing = new AbortController()
  const { signal } = closing
  let isRunning = false

  /** Call when a message may have been stored in this room. */
  function wake(roomId: string): void {
    if (!rooms.has(roomId) || signal.aborted) return
    woken.add(roomId)
    if (isRunning) return
    isRunning = true
    // Announcements come in bursts: one query serves all of a turn of the event loop.
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
    // Subscribers added while the rows are read may want earlier ones; they wake the room again.
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
        // A subscriber that could not take an earlier message of this room must not get a later
        // one.
        if (row.id <= subscriber.last || !subscriber.isReady()) continue
        subscriber.last = row.id
        subscriber.push(row)
      }
    }
    for (const [id, count] of counts) if (count === CHAT_PUSH_PAGE) wake(id)
  }

  return {
    /**
     * Adds a subscriber: it gets every message after its `last` once and in order, those already
     * stored and later ones.
     */
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
    /** Call when announcements of any room may have been missed. */
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
