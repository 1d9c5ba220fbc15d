import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { type Config, realBecause } from '../config/config.ts'
import type { Database } from '../database/pool.ts'
import type { AccountRole, Schema } from '../database/schema.ts'
import { StartError } from '../database/start-error.ts'
import { lock, longTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { readAccounts, readDemoShop } from './demo-data.ts'
import { storePortraits, storePrinted, writeDemoShop } from './write-demo-shop.ts'

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
  // The second of two instances waits until the shop is full, however long.
  return longTransaction(database, 0, async (tx) => {
    await lock(tx, 'demo shop')
    if (!(await isEmptyShop(tx))) return false
    await writeDemoShop(tx, shop, { files: printed, portraits, hashes, siteUrl })
    return true
  })
}

/** Whether this shop was never opened: a real one has the school lists from its first start. */
export async function isEmptyShop(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    SELECT EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM teachers)
      OR EXISTS (SELECT FROM documents) OR EXISTS (SELECT FROM categories) AS taken`.execute(db)
  return rows[0]?.taken === false
}

export const DEMO_PASSWORD = 'karras-demo'

export interface DemoAccount {
  readonly email: string
  readonly role: AccountRole
  readonly password: string
}

export async function demoAccounts({ kysely }: Database): Promise<DemoAccount[]> {
  const known = (await readAccounts()).map(({ email }) => email)
  const rows = await kysely
    .selectFrom('users')
    .select(['email', 'role'])
    .where('isDemo', '=', true)
    .where('email', 'in', known)
    .orderBy('id')
    .execute()
  return rows.map(({ email, role }) => ({ email: email ?? '', role, password: DEMO_PASSWORD }))
}

const PRIVATELY = 'HOST=127.0.0.1 without SITE_URL and NODE_ENV to have it for this machine alone'

/**
 * Throws a `StartError` if a real shop has, or would get, the demo accounts, whose password is
 * public. A loopback address alone proves nothing, since a proxy may forward requests to it.
 */
export async function refuseOpenDemo(config: Config, database: Database): Promise<void> {
  const reality = realBecause(config)
  if (reality === null) return
  // Checked before the database is filled, so that it stays empty for the real shop.
  if (config.demo && (await isEmptyShop(database.kysely))) {
    throw new StartError(
      `${reality}, and this empty shop would get the demo accounts, whose password everybody knows: use DEMO=0, or ${PRIVATELY}.`,
    )
  }
  if ((await demoAccounts(database)).length === 0) return
  throw new StartError(
    `${reality}, and this shop has the demo accounts, whose password everybody knows: use another DATA_DIR or DATABASE_URL with DEMO=0, or ${PRIVATELY}.`,
  )
}
