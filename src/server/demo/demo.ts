import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hashPassword } from '../accounts/passwords.ts'
import type { Database } from '../database/pool.ts'
import type { Role } from '../database/schema.ts'
import { transaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { storageIn } from '../library/storage.ts'
import { readAccounts, readDemoShop } from './demo-data.ts'
import { storePrinted } from './printed-files.ts'
import { writeDemoShop } from './write-demo-shop.ts'
import { isEmptyShop } from './write-shop.ts'

export { isEmptyShop }

/** The password of every demo account. */
export const DEMO_PASSWORD = 'karras-demo'

/** Any number that nothing else of ours locks. */
const FILLING = 7_201_956

/** An account whose password everybody can read. */
export interface DemoAccount {
  readonly email: string
  readonly role: Role
  readonly password: string
}

/**
 * Fills an empty database with the demo shop, its files first: all of it, or nothing. Returns false
 * when the database is not empty.
 */
export async function fillDemoShop({
  database,
  config,
}: Pick<Deps, 'database' | 'config'>): Promise<boolean> {
  if (!(await isEmptyShop(database.kysely))) return false
  const shop = await readDemoShop()
  const files = await storePrinted(shop, storageIn(config.dataDir))
  const hashes = {
    known: await hashPassword(DEMO_PASSWORD),
    unknown: await hashPassword(randomUUID()),
  }
  return transaction(database, async (tx) => {
    // Two instances that start together: the second one finds the shop full.
    await sql`SELECT pg_advisory_xact_lock(${FILLING})`.execute(tx)
    if (!(await isEmptyShop(tx))) return false
    await writeDemoShop(tx, shop, { files, hashes })
    return true
  })
}

/** The demo accounts that are in this database. */
export async function demoAccounts({ kysely }: Database): Promise<DemoAccount[]> {
  const known = (await readAccounts()).map(({ email }) => email)
  const rows = await kysely
    .selectFrom('users')
    .select(['email', 'role'])
    .where('is_demo', '=', true)
    .where('email', 'in', known)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, password: DEMO_PASSWORD }))
}
