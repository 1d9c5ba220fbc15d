import { join } from 'node:path'
import { findSocketDirectory } from '../../src/server/database/data-directory.ts'
import { type Database, openDatabase } from '../../src/server/database/pool.ts'
import { serverUserFor } from '../../src/server/database/server-user.ts'

/** Opens the embedded database of the shop that runs on this `DATA_DIR`; throws if none does. */
export function openDatabaseOf(dataDir: string): Database {
  const host = findSocketDirectory(dataDir, serverUserFor(join(dataDir, 'postgres'), dataDir))
  if (!host) throw new Error('the shop has no socket')
  return openDatabase({ host, user: 'postgres', database: 'postgres' })
}
