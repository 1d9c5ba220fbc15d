// @at-landing: it starts a shop twice.

import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { createApi } from '../../src/client/api.ts'
import { httpTransport } from '../../src/client/http.ts'
import { askForDeletion, keepAccount } from '../../src/contract/own-account.ts'
import { DELETION_DAYS } from '../../src/rules/own-data.ts'
import { openJobs } from '../../src/server/jobs/jobs.ts'
import { openDatabaseOf } from '../support/embedded-database.ts'
import { fillDataDir } from '../support/filled-shop.ts'
import { PATIENCE } from '../support/patience.ts'
import { spawnShop } from '../support/shop-process.ts'
import { aDataDir, deleteDataDirs, logIn } from '../support/started-shop.ts'

afterAll(deleteDataDirs)

/** The database of a running shop, and the turn in which it deletes accounts. */
async function opened(dataDir: string) {
  const database = openDatabaseOf(dataDir)
  const jobs = await openJobs({ database, supervise: false, report: () => {} })
  return {
    ...database,
    turn: () => jobs.enqueue(database.kysely, 'clock', { name: 'deletions' }),
    async state(userId: number) {
      const { rows } = await sql<{ isDeleted: boolean; held: number }>`
        SELECT deleted_at IS NOT NULL AS is_deleted,
          (SELECT count(*)::integer FROM purchases WHERE user_id = users.id)
            + (email IS NOT NULL)::integer AS held
        FROM users WHERE id = ${userId}`.execute(database.kysely)
      return rows[0]
    },
    async close() {
      await jobs.stop()
      await database.close()
    },
  }
}

test('a deletion is done after its days by the job, even if it was killed within; a person who changed their mind stays', async () => {
  const dataDir = await aDataDir()
  await fillDataDir(dataDir)
  let shop = await spawnShop({ DATA_DIR: dataDir })
  try {
    const parent = await logIn(shop, 'parent@karras.test')
    const other = await logIn(shop, 'parent2@karras.test')
    const call = createApi(httpTransport(shop.url))
    const body = { password: 'karras-demo', account: null, givesUpMoney: true }
    for (const { token } of [parent, other]) await call(askForDeletion, { body }, { token })
    const before = await opened(dataDir)
    const held = await before.state(parent.userId)
    expect(held).toMatchObject({ isDeleted: false })

    // An hour before the end, one of them keeps the account.
    const move = (time: string) =>
      sql`UPDATE account_deletions SET due_at = due_at - ${time}::interval`.execute(before.kysely)
    await move(`${DELETION_DAYS} days -1 hours`)
    await call(keepAccount, {}, { token: other.token })
    await move('2 hours')

    // The job is held up in the middle of its transaction, and the shop is killed there.
    const client = await before.pool.connect()
    await client.query('BEGIN; LOCK TABLE staff_log IN SHARE MODE')
    await before.turn()
    await vi.waitFor(async () => {
      const waits = await client.query(
        "SELECT FROM pg_locks WHERE NOT granted AND relation = 'staff_log'::regclass",
      )
      expect(waits.rowCount).toBe(1)
    }, PATIENCE)
    client.on('error', () => {})
    await shop.kill()
    client.release(true)
    await before.close().catch(() => {})

    shop = await spawnShop({ DATA_DIR: dataDir })
    const after = await opened(dataDir)
    expect(await after.state(parent.userId)).toEqual(held)
    await after.turn()
    await vi.waitFor(async () => {
      expect(await after.state(parent.userId)).toEqual({ isDeleted: true, held: 0 })
    }, PATIENCE)
    expect(await after.state(other.userId)).toMatchObject({ isDeleted: false })
    await after.close()
    await logIn(shop, 'parent2@karras.test')
  } finally {
    await shop.kill()
  }
}, 120_000)
