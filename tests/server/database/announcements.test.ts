import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openListener } from '../../../src/server/database/listen.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import {
  changePages,
  loadPosition,
  noteChanges,
  openAnnouncements,
} from '../../../src/server/publishing/changes/changes.ts'
import { aDatabase, runStatement } from '../../support/database.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { PATIENCE } from '../../support/patience.ts'

const directory = temporaryDirectory()
let url: string
beforeEach(async () => {
  url = (await aDatabase()).url
})

/** A process on this database, and the tags that its pages received. */
async function aProcess(
  name: string,
  { on = url, every = 3_600_000, isServing = true, log = vi.fn() } = {},
) {
  const database = openDatabase(on)
  const listener = openListener(on)
  const file = join(directory, `${new URL(url).pathname.slice(1)}-${name}.json`)
  const announcements = openAnnouncements({ database, listener, file, log, every })
  const received: string[] = []
  const pages = {
    changed: (tags: readonly string[]) => void received.push(...tags),
    changedSoon: (tags: readonly string[]) =>
      void received.push(...tags.map((tag) => `soon ${tag}`)),
    everythingChanged: async () => void received.push('everything'),
  }
  const end = async () => {
    await announcements.close()
    await listener.close()
    await database.close()
  }
  onTestFinished(end)
  const serve = () => announcements.publishTo(pages)
  if (isServing) await serve()
  return { announcements, database, listener, file, received, log, serve, end }
}

describe('what one process announces', () => {
  test('every process on the database receives once, including itself', async () => {
    const first = await aProcess('first')
    const second = await aProcess('second')
    first.received.length = second.received.length = 0

    first.announcements.changed(['document:1', 'teacher:2'])
    await vi.waitFor(() => expect(second.received).toEqual(['document:1', 'teacher:2']), PATIENCE)
    second.announcements.changed(['document:3'])
    await vi.waitFor(() => expect(first.received).toContain('document:3'), PATIENCE)
    first.announcements.changed(['document:4'])
    await vi.waitFor(() => expect(second.received).toContain('document:4'), PATIENCE)
    expect(first.received).toEqual(['document:1', 'teacher:2', 'document:3', 'document:4'])
    expect(second.received).toEqual(first.received)
  })

  test('in the transaction that changes it: each process receives it once, and nothing of a failed one', async () => {
    const first = await aProcess('first')
    const second = await aProcess('second')
    first.received.length = second.received.length = 0
    const shop = { database: first.database, publisher: first.announcements }
    const result = await changePages(shop, async (_, markStale) => {
      expect(first.received).toEqual([])
      markStale(['document:1'])
      markStale(['teacher:2', 'document:1'])
      return 'done'
    })
    expect(result).toBe('done')
    const failed = changePages(shop, async (_, markStale) => {
      markStale(['document:9'])
      throw new Error('refused')
    })
    await expect(failed).rejects.toThrow('refused')
    await changePages(shop, async () => {})
    await vi.waitFor(() => expect(second.received).toEqual(['document:1', 'teacher:2']), PATIENCE)
    // Now the first one reads its own note as well.
    second.announcements.changed(['document:3'])
    await vi.waitFor(() => expect(first.received).toContain('document:3'), PATIENCE)
    expect(first.received).toEqual(['document:1', 'teacher:2', 'document:3'])
    expect(second.received).toEqual(first.received)
  })

  test('is received by its own pages even if these are connected later', async () => {
    await (await aProcess('shop')).end()
    const shop = await aProcess('shop', { isServing: false })
    const { database, announcements } = shop
    await changePages({ database, publisher: announcements }, async (_, markStale) => {
      markStale(['document:1'])
    })
    announcements.changed(['document:2'])
    await shop.serve()
    expect(shop.received.toSorted()).toEqual(['document:1', 'document:2'])
  })

  test('is received from a process without pages, however many tags it has', async () => {
    const shop = await aProcess('shop')
    const office = await aProcess('office', { isServing: false })
    const tags = Array.from({ length: 5000 }, (_, at) => `document:${at}`)
    office.announcements.changed(tags)
    await vi.waitFor(() => expect(shop.received.slice(1)).toEqual(tags), PATIENCE)
  })

  test('that may take a minute is received at the next poll, and before closing', async () => {
    const first = await aProcess('first')
    first.announcements.changedSoon(['catalogue'])
    first.announcements.changedSoon(['catalogue', 'document:1'])
    expect(first.received.slice(1)).toEqual(['soon catalogue', 'soon catalogue', 'soon document:1'])
    const second = await aProcess('second', { every: 5 })
    await first.end()
    // It is received again as long as a transaction on this server is older.
    const received = () => [...new Set(second.received.slice(1))].toSorted()
    await vi.waitFor(
      () => expect(received()).toEqual(['soon catalogue', 'soon document:1']),
      PATIENCE,
    )
  })
})

describe('announcements that could not be sent or received', () => {
  test('were noted before a kill: the next poll finds them', async () => {
    const killed = await aProcess('killed')
    const other = await aProcess('other', { every: 5 })
    await transaction(killed.database, (tx) => noteChanges(tx, ['document:7']))
    await vi.waitFor(() => expect(other.received).toContain('document:7'), PATIENCE)
    // The killed process starts again.
    await killed.end()
    const again = await aProcess('killed')
    expect(again.received).toEqual(['document:7'])
    await again.end()
    // Another test's transaction on this server may be older for a while, so that the change comes
    // again.
    await vi.waitFor(async () => {
      const last = await aProcess('killed')
      await last.end()
      expect(last.received).toEqual([])
    }, PATIENCE)
  })

  test('during a gap of the listening connection are read after it', async () => {
    const first = await aProcess('first')
    const second = await aProcess('second')
    const gap = Promise.withResolvers<void>()
    second.listener.onReconnect(() => gap.resolve())
    await runStatement(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query ~ '^LISTEN'`,
    )
    first.announcements.changed(['document:1'])
    await gap.promise
    await vi.waitFor(() => expect(second.received).toContain('document:1'), PATIENCE)
  })

  test('commit later than a transaction that began after them, and are received all the same', async () => {
    const shop = await aProcess('shop', { every: 5 })
    const writer = await aProcess('writer', { isServing: false })
    const held = Promise.withResolvers<void>()
    const noted = Promise.withResolvers<void>()
    const slow = transaction(writer.database, async (tx) => {
      await noteChanges(tx, ['document:slow'])
      noted.resolve()
      await held.promise
    })
    await noted.promise
    writer.announcements.changed(['document:fast'])
    await vi.waitFor(() => expect(shop.received).toContain('document:fast'), PATIENCE)
    expect(shop.received).not.toContain('document:slow')
    held.resolve()
    await slow
    await vi.waitFor(() => expect(shop.received).toContain('document:slow'), PATIENCE)
    expect(shop.received.filter((tag) => tag === 'document:fast')).toHaveLength(1)
  })

  test('reuse the number of a transaction from before a crash, and are received all the same', async () => {
    const shop = await aProcess('shop')
    shop.announcements.changed(['document:before'])
    await shop.end()
    // Other transactions on this server may hold its position back for a moment: it receives that
    // again.
    await vi.waitFor(async () => {
      const again = await aProcess('shop')
      await again.end()
      expect(again.received).toEqual([])
    }, PATIENCE)
    // The server recovered and continues counting from slightly before the pages' position. (Other
    // tests on this server use up transaction ids, so that the first note may be far behind by
    // now.)
    const saved = await loadPosition(shop.file)
    await runStatement(
      url,
      `INSERT INTO page_changes (tags, soon, transaction_id)
       VALUES ('{document:after}', false, '${BigInt(saved?.position.transaction ?? 0) - 10n}')`,
    )
    expect((await aProcess('shop')).received).toContain('document:after')
  })

  test('are sent when the database is back', async () => {
    const shop = await aProcess('shop', { every: 5 })
    const other = await aProcess('other', { every: 5 })
    await runStatement(url, 'ALTER TABLE page_changes RENAME TO elsewhere')
    shop.announcements.changed(['document:1'])
    const failed = expect.stringContaining('could not be announced')
    await vi.waitFor(() => expect(shop.log).toHaveBeenCalledWith(failed), PATIENCE)
    await runStatement(url, 'ALTER TABLE elsewhere RENAME TO page_changes')
    await vi.waitFor(() => expect(other.received).toContain('document:1'), PATIENCE)
  })
})

describe('pages that do not know their position', () => {
  test('are all stale, once', async () => {
    const first = await aProcess('first')
    expect(first.received).toEqual(['everything'])
    await first.end()
    expect((await aProcess('first')).received).toEqual([])
    expect((await readdir(directory)).filter((name) => !name.endsWith('.json'))).toEqual([])
  })
})
