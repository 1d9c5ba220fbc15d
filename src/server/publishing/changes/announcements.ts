import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../rules/durations.ts'
import { coalesce } from '../../concurrency/coalesce.ts'
import type { Listener } from '../../database/listen.ts'
import type { Database } from '../../database/pool.ts'
import type { Publisher } from '../../deps.ts'
import { writeWhole } from '../../files/files.ts'
import * as changes from './page-changes.ts'

/** The pages that this process stores. */
export interface CachedPages extends Publisher {
  everythingChanged(): Promise<void>
}

interface AnnouncementsOptions {
  readonly database: Database
  readonly listener: Listener
  /**
   * The file that stores the last change up to which this process's pages are known to be current.
   */
  readonly file: string
  readonly log: (line: string) => void
  /** Milliseconds between two readings without a notification. */
  readonly every?: number
}

const CHANNEL = 'pages'
const KEPT_FOR = 2 * DAY_MS

/**
 * Passes on the changes that one process announces to all processes on the same database. Changes
 * are noted in a table, and a notification only signals that there is something to read: changes
 * announced while the connection was lost, or noted by a process that was killed before it
 * announced them, are read all the same.
 */
export function openAnnouncements(options: AnnouncementsOptions) {
  const { listener, file, log, every = 4 * SECOND_MS } = options
  const db = options.database.kysely
  const sender = randomUUID()
  const waiting = { changed: new Set<string>(), soon: new Set<string>(), isNoted: false }
  const unsubscribers: (() => void)[] = []
  let pages: CachedPages | undefined
  /**
   * Changes that the pages have already received: those of the last reading, and those announced
   * here since.
   */
  let known = new Set<number>()
  const ownChanges = new Set<number>()
  let position: changes.Position | undefined
  let savedAt = 0
  let forgotAt = 0
  let isClosed = false

  const announce = coalesce(async () => {
    const changed = [...waiting.changed]
    const soon = [...waiting.soon]
    const { isNoted } = waiting
    waiting.changed.clear()
    waiting.soon.clear()
    waiting.isNoted = false
    try {
      const ids = await changes.noteCommitted(db, { changed, soon })
      if (pages) for (const id of ids) ownChanges.add(id)
      // Changes that may take a minute need no notification: each process polls more often than
      // that.
      if (isNoted || ids.length > 0) await changes.notifyOthers(db, CHANNEL, sender)
    } catch (error) {
      for (const tag of changed) waiting.changed.add(tag)
      for (const tag of soon) waiting.soon.add(tag)
      waiting.isNoted ||= isNoted
      log(`changed pages could not be announced: ${(error as Error).message}`)
    }
  })

  const receive = coalesce(async () => {
    if (!pages || isClosed) return
    try {
      await receiveChanges(pages)
      if (Date.now() - forgotAt > HOUR_MS) {
        forgotAt = Date.now()
        await changes.forgetChanges(db, new Date(forgotAt - KEPT_FOR))
      }
    } catch (error) {
      log(`changed pages could not be read: ${(error as Error).message}`)
    }
  })

  async function receiveChanges(receiver: CachedPages): Promise<void> {
    const from = position ?? (await startPosition(receiver))
    const committed = [...ownChanges]
    const read = await changes.readChanges(db, from, known.union(ownChanges))
    if (read.changed.length > 0) receiver.changed(read.changed)
    if (read.soon.length > 0) receiver.changedSoon(read.soon)
    known = new Set(read.ids)
    // They were committed before this reading, so no later reading finds them either.
    for (const id of committed) ownChanges.delete(id)
    position = read.position
    const hasChanges = read.ids.length + read.soon.length > 0
    // By now the pages have stored the changes.
    if (hasChanges || Date.now() - savedAt > 10 * MINUTE_MS) {
      savedAt = Date.now()
      await savePosition(file, { position, at: savedAt })
    }
  }

  async function startPosition(receiver: CachedPages): Promise<changes.Position> {
    const present = await changes.presentPosition(db)
    const saved = await loadPosition(file)
    const isRecent = saved && Date.now() - saved.at < KEPT_FOR - DAY_MS
    if (isRecent && changes.isBehind(saved.position, present)) return saved.position
    await receiver.everythingChanged()
    return present
  }

  const beat = setInterval(() => {
    void announce()
    void receive()
  }, every)
  beat.unref()

  return {
    changed(tags: readonly string[], note?: number): void {
      pages?.changed(tags)
      if (note === undefined) for (const tag of tags) waiting.changed.add(tag)
      else {
        if (pages) ownChanges.add(note)
        waiting.isNoted = true
      }
      void announce()
    },
    changedSoon(tags: readonly string[]): void {
      pages?.changedSoon(tags)
      // With many purchases, one note suffices for all of them.
      for (const tag of tags) waiting.soon.add(tag)
    },
    /**
     * Connects this process's pages; resolves when they know of all changes, by any process, since
     * `file` was last written.
     */
    async publishTo(named: CachedPages): Promise<void> {
      // Earlier changes by this process, such as filling an empty shop, are read like those of any
      // other.
      await announce()
      pages = named
      unsubscribers.push(
        listener.onReconnect(() => void receive()),
        await listener.onNotify(CHANNEL, (payload) => {
          if (payload !== sender) void receive()
        }),
      )
      await receive()
    },
    /** Announces what is still waiting, and ends. */
    async close(): Promise<void> {
      clearInterval(beat)
      for (const unsubscribe of unsubscribers) unsubscribe()
      isClosed = true
      await announce()
      await receive()
    },
  }
}

/**
 * The position up to which the pages of a data directory know of changes; `at` in ms since 1970.
 */
interface SavedPosition {
  readonly position: changes.Position
  readonly at: number
}

/** Reads the file; undefined if it is missing or damaged, so that all pages are rendered again. */
export async function loadPosition(file: string): Promise<SavedPosition | undefined> {
  try {
    const { position, at } = JSON.parse(await readFile(file, 'utf8'))
    const { transaction, note } = position
    const isWhole = /^\d{1,20}$/.test(transaction) && Number.isInteger(note) && Number.isFinite(at)
    return isWhole ? { position: { transaction, note }, at } : undefined
  } catch {
    return undefined
  }
}

/** Writes the file, whole or not at all. */
function savePosition(file: string, saved: SavedPosition): Promise<void> {
  return writeWhole(file, JSON.stringify(saved), { flush: false })
}
