import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openListener } from '../../../src/server/database/listen.ts'
import { openDatabase } from '../../../src/server/database/pool.ts'
import { transaction } from '../../../src/server/database/transaction.ts'
import { noteChanges, openAnnouncements } from '../../../src/server/publishing/changes/changes.ts'
import { publishPages } from '../../../src/server/publishing/serving/published-pages.ts'
import { aDatabase, insert } from '../../support/database.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { PATIENCE } from '../../support/patience.ts'
import { clientFor, openStore, renderInto } from './support.ts'

const PAGE = '/shop-details/1'

test('two shops on one database: a changed page is new in both, also after a kill', async () => {
  const fresh = await aDatabase()
  const { kysely } = fresh.database
  const { id } = await insert(kysely, 'categories', { name: 'first', code: 'c' })
  /** Renames the category, which the page shows, and notes it in the same transaction. */
  const rename = (name: string) =>
    transaction(fresh.database, async (tx) => {
      await tx.updateTable('categories').set({ name }).where('id', '=', id).execute()
      await noteChanges(tx, ['document:1'])
    })

  async function aShop(directory: string) {
    const database = openDatabase(fresh.url)
    const listener = openListener(fresh.url)
    const renders: string[] = []
    const store = openStore(join(directory, 'pages'))
    const publisher = publishPages({
      store,
      files: () => false,
      report: vi.fn(),
      render: renderInto(store, async () => {
        const { name } = await database.kysely
          .selectFrom('categories')
          .select('name')
          .executeTakeFirstOrThrow()
        renders.push(name)
        const headers = { 'content-type': 'text/html; charset=utf-8' }
        return { status: 200, body: Buffer.from(name), headers, tags: ['document:1'] }
      }),
    })
    const announcements = openAnnouncements({
      database,
      listener,
      file: join(directory, 'heard.json'),
      log: vi.fn(),
      every: 3_600_000,
    })
    const end = async () => {
      await announcements.close()
      await publisher.stop()
      await listener.close()
      await database.close()
    }
    onTestFinished(end)
    await announcements.publishTo(publisher)
    const get = await clientFor((req, res) => publisher.handle(req, res))
    const read = async () => (await get(PAGE)).body.toString()
    return { announcements, renders, read, end }
  }

  const directories = [temporaryDirectory(), temporaryDirectory()] as const
  const first = await aShop(directories[0])
  const second = await aShop(directories[1])
  expect([await first.read(), await second.read()]).toEqual(['first', 'first'])

  await rename('second')
  first.announcements.changed(['document:1'])
  // It was rendered ahead there, before any request.
  await vi.waitFor(() => expect(second.renders).toEqual(['first', 'second']), PATIENCE)
  expect([await first.read(), await second.read()]).toEqual(['second', 'second'])

  await first.end()
  await second.end()
  // Both are down, and the process that renamed it was killed before it could announce it.
  await rename('third')
  for (const directory of directories) {
    const again = await aShop(directory)
    expect(await again.read()).toBe('third')
    await again.end()
  }
})
