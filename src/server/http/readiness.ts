import { statfs } from 'node:fs/promises'
import { DISK_TOO_FULL_BYTES } from '../../rules/upkeep.ts'
import { sharedWork } from '../concurrency/shared-work.ts'
import { isMigrated } from '../database/migrate.ts'
import { StartError } from '../database/start-error.ts'
import type { Deps } from '../deps.ts'
import { type Checks, NotReady } from './health.ts'

/**
 * The requirements of a shop with its own backend: the database, its migrations, space in
 * `DATA_DIR`.
 */
export function shopChecks({ database, config }: Pick<Deps, 'database' | 'config'>): Checks {
  // One query answers both questions about the database.
  const look = sharedWork<boolean>()
  const askDatabase = () => look('database', () => isMigrated(database))
  return {
    database: async () => {
      await askDatabase().catch((error) => {
        // The database does answer, but was migrated by a newer Karras.
        if (!(error instanceof StartError)) throw new NotReady('cannot be reached')
      })
    },
    migrations: async () => {
      const isCurrent = await askDatabase().catch((error) => {
        throw new NotReady(error instanceof StartError ? 'of a newer version' : 'unknown')
      })
      if (!isCurrent) throw new NotReady('not those of this version')
    },
    disk: () => checkDisk(config.dataDir),
  }
}

/** Throws `NotReady` if less than `needed` bytes are free in a directory. */
export async function checkDisk(directory: string, needed = DISK_TOO_FULL_BYTES): Promise<void> {
  const { bavail, bsize } = await statfs(directory).catch(() => {
    throw new NotReady('DATA_DIR cannot be read')
  })
  if (bavail * bsize < needed) throw new NotReady('DATA_DIR is nearly full')
}
