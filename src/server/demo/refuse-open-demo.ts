import { type Config, realBecause } from '../config/config.ts'
import type { Database } from '../database/pool.ts'
import { StartError } from '../database/start-error.ts'
import { demoAccounts } from './demo-accounts.ts'
import { isEmptyShop } from './is-empty-shop.ts'

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
