import { statfs } from 'node:fs/promises'
import { isMigrated } from '../database/migrate.ts'
import { StartError } from '../database/start-error.ts'
import type { Deps } from '../deps.ts'
import { sharedWork } from '../shared-work.ts'
import { type Checks, NotReady } from './health.ts'

/** With less than this left, neither the database nor an uploaded file can be written for long. */
const DISK_ROOM_BYTES = 200 * 1024 ** 2

/** What a shop with its own backend needs: the database, its migrations, room in `DATA_DIR`. */
export function shopChecks({ database, config }: Pick<Deps, 'database' | 'config'>): Checks {
  // One look at the database answers two questions, and is made once for both.
  const look = sharedWork<boolean>()
  const askDatabase = () => look('database', () => isMigrated(database))
  return {
    database: async () => {
      await askDatabase().catch((error) => {
        // It has answered: a newer Karras has migrated it.
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

/** Throws `NotReady` when less than `needed` bytes can be written in a directory. */
export async function checkDisk(directory: string, needed = DISK_ROOM_BYTES): Promise<void> {
  const { bavail, bsize } = await statfs(directory).catch(() => {
    throw new NotReady('DATA_DIR cannot be read')
  })
  if (bavail * bsize < needed) throw new NotReady('DATA_DIR is nearly full')
}
