import { randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../rules/durations.ts'
import type { Listener } from '../database/listen.ts'
import type { Database } from '../database/pool.ts'
import type { Publisher } from '../deps.ts'
import { coalesce } from '../jobs/coalesce.ts'
import { keepHeard, readHeard } from './heard.ts'
import * as changes from './page-changes.ts'

/** This process's pages. */
export interface Pages extends Publisher {
  everythingChanged(): Promise<void>
}

/** The publisher of every process on one database: what one says, all hear (house: publishing). */
export interface Announcements extends Publisher {
  /**
   * Names this process's pages; resolves when they have heard all that changed since `file` was
   * last written, by whichever process.
   */
  publishTo(pages: Pages): Promise<void>
  /** Announces what is still to be announced, and ends. */
  close(): Promise<void>
}

export interface AnnouncementsOptions {
  readonly database: Database
  readonly listener: Listener
  /** Remembers what this process's pages have heard. */
  readonly file: string
  readonly log: (line: string) => void
  /** Milliseconds between two looks at what nobody woke us for. */
  readonly every?: number
}

const CHANNEL = 'pages'
const KEPT_FOR = 2 * DAY_MS

/**
 * Opens the announcements. Changes are noted in a table; a notification only says that there is
 * something to read, so that what was announced during a gap, or noted by a process that was
 * killed before it could announce it, is read all the same.
 */
export function openAnnouncements(options: AnnouncementsOptions): Announcements {
  const { listener, file, log, every = 4 * SECOND_MS } = options
  const db = options.database.kysely
  const sender = randomUUID()
  const waiting = { changed: new Set<string>(), soon: new Set<string>() }
  const offs: (() => void)[] = []
  let pages: Pages | undefined
  /** Notes that the pages were told of: those of the last reading, and our own since. */
  let known = new Set<number>()
  const own = new Set<number>()
  let position: changes.Position | undefined
  let keptAt = 0
  let forgotAt = 0
  let isClosed = false

  const announce = coalesce(async () => {
    const changed = [...waiting.changed]
    const soon = [...waiting.soon]
    if (changed.length + soon.length === 0) return
    waiting.changed.clear()
    waiting.soon.clear()
    try {
      for (const id of await changes.announceChanges(db, CHANNEL, sender, { changed, soon })) {
        own.add(id)
      }
    } catch (error) {
      for (const tag of changed) waiting.changed.add(tag)
      for (const tag of soon) waiting.soon.add(tag)
      log(`changed pages could not be announced: ${(error as Error).message}`)
    }
  })

  const listen = coalesce(async () => {
    if (!pages || isClosed) return
    try {
      await hear(pages)
      if (Date.now() - forgotAt > HOUR_MS) {
        forgotAt = Date.now()
        await changes.forgetChanges(db, new Date(forgotAt - KEPT_FOR))
      }
    } catch (error) {
      log(`changed pages could not be heard of: ${(error as Error).message}`)
    }
  })

  async function hear(told: Pages): Promise<void> {
    const from = position ?? (await startPosition(told))
    const mine = [...own]
    const read = await changes.readChanges(db, from, known.union(own))
    if (read.changed.length > 0) told.changed(read.changed)
    if (read.soon.length > 0) told.changedSoon(read.soon)
    known = new Set(read.ids)
    // They were there to be read: if they were not, no later reading finds them either.
    for (const id of mine) own.delete(id)
    position = read.position
    const heardSome = read.ids.length + read.soon.length > 0
    // By now the pages have it on their disk.
    if (heardSome || Date.now() - keptAt > 10 * MINUTE_MS) {
      keptAt = Date.now()
      await keepHeard(file, { position, at: keptAt })
    }
  }

  async function startPosition(told: Pages): Promise<changes.Position> {
    const present = await changes.presentPosition(db)
    const heard = await readHeard(file)
    const isRecent = heard && Date.now() - heard.at < KEPT_FOR - DAY_MS
    if (isRecent && changes.isBehind(heard.position, present)) return heard.position
    await told.everythingChanged()
    return present
  }

  const beat = setInterval(() => {
    void announce()
    void listen()
  }, every)
  beat.unref()

  return {
    changed(tags) {
      pages?.changed(tags)
      for (const tag of tags) waiting.changed.add(tag)
      void announce()
    },
    changedSoon(tags) {
      pages?.changedSoon(tags)
      // Under many purchases one note says it for all of them.
      for (const tag of tags) waiting.soon.add(tag)
    },
    async publishTo(named) {
      pages = named
      offs.push(listener.onReconnect(() => void listen()))
      offs.push(
        await listener.onNotify(CHANNEL, (payload) => {
          if (payload !== sender) void listen()
        }),
      )
      await listen()
    },
    async close() {
      clearInterval(beat)
      for (const off of offs) off()
      isClosed = true
      await announce()
      await listen()
    },
  }
}
