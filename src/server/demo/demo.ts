import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { lock, transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { DEMO_PASSWORD } from './demo-accounts.ts'
import { readDemoShop } from './demo-data.ts'
import { isEmptyShop } from './is-empty-shop.ts'
import { storePortraits, storePrinted } from './printed-files.ts'
import { writeDemoShop } from './write-demo-shop.ts'

export { DEMO_PASSWORD, type DemoAccount, demoAccounts } from './demo-accounts.ts'
export { refuseOpenDemo } from './refuse-open-demo.ts'

/**
 * Fills an empty database with the demo shop, beginning with its files: completely or not at all.
 * Returns false if the database is not empty.
 */
export async function fillDemoShop({
  config: { siteUrl },
  database,
  files,
  passwords,
}: Pick<Deps, 'config' | 'database' | 'files' | 'passwords'>): Promise<boolean> {
  if (!(await isEmptyShop(database.kysely))) return false
  const shop = await readDemoShop()
  const printed = await storePrinted(shop, files)
  const portraits = await storePortraits(files)
  const hashes = {
    known: await passwords.hash(DEMO_PASSWORD, null),
    unknown: await passwords.hash(randomUUID(), null),
  }
  return transaction(database, async (tx) => {
    // Of two instances that start together, the second waits until the shop is full, however long
    // that takes.
    await sql`SELECT set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`.execute(
      tx,
    )
    await lock(tx, 'demo shop')
    if (!(await isEmptyShop(tx))) return false
    await writeDemoShop(tx, shop, { files: printed, portraits, hashes, siteUrl })
    return true
  })
}
