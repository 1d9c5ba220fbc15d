import { chownSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '../database/cluster.ts'
import { prepareDataDirectory, RESTORING } from '../database/data-directory.ts'
import { startEmbedded } from '../database/embedded.ts'
import { settleLeftovers } from '../database/leftovers.ts'
import { takeOwnership } from '../database/ownership.ts'
import { StartError } from '../database/start-error.ts'
import { type RestoredShop, type RestoreOptions, restoreBackup } from './restore-backup.ts'

/**
 * Restores into an empty `dataDir`. The database is created in another folder and renamed at the
 * end, so that an interrupted restore is never taken for a shop. Throws a `StartError` if `dataDir`
 * holds a shop, or one runs there.
 */
export async function restoreEmbedded(
  options: Omit<RestoreOptions, 'connection'>,
): Promise<RestoredShop> {
  const home = prepareDataDirectory(options.dataDir)
  const ownership = takeOwnership(home)
  try {
    const aside = join(home, RESTORING)
    refuseShop(home, aside)
    await removeAside(aside)
    const restored = await restoreAside(options, home, aside)
    if (restored.isKept) {
      await rename(join(aside, 'postgres'), join(home, 'postgres'))
      syncDirectory(home)
    }
    await rm(aside, { recursive: true, force: true })
    return restored
  } finally {
    ownership.release()
  }
}

/**
 * Leaves the database in `aside` and the files in `home`; leaves nothing if the restore fails or
 * the ledger is wrong.
 */
async function restoreAside(
  options: Omit<RestoreOptions, 'connection'>,
  home: string,
  aside: string,
): Promise<RestoredShop> {
  mkdirSync(aside, { mode: 0o711 })
  const files = join(home, 'files')
  try {
    // The owner of the directory also becomes the owner of its database.
    const { uid, gid } = statSync(home)
    if (process.getuid?.() === 0) chownSync(aside, uid, gid)
    const server = await startEmbedded({ dataDir: aside })
    const { connection } = server
    const restored = await restoreBackup({ ...options, dataDir: home, connection }).finally(() =>
      server.stop(),
    )
    if (restored.isKept) syncFiles(files)
    else await rm(files, { recursive: true, force: true })
    return restored
  } catch (error) {
    // An error here must not hide the earlier one.
    for (const path of [files, aside]) {
      await rm(path, { recursive: true, force: true }).catch(() => {})
    }
    throw error
  }
}

function refuseShop(home: string, aside: string): void {
  const files = join(home, 'files')
  // Files without a database are left by an interrupted restore, or belong to a shop with another
  // database.
  const holds = existsSync(join(home, 'postgres'))
    ? 'database'
    : !existsSync(aside) && existsSync(files) && readdirSync(files).length > 0
      ? 'files'
      : undefined
  if (holds) {
    throw new StartError(
      `DATA_DIR: ${home} holds a shop's ${holds} already; restore into an empty directory.`,
    )
  }
}

/** Removes the remains of an interrupted restore, once its database server has ended. */
async function removeAside(aside: string): Promise<void> {
  if (!existsSync(aside)) return
  await settleLeftovers(join(aside, 'postgres'), join(aside, 'socket'), () => {})
  await rm(aside, { recursive: true, force: true })
}

function syncFiles(files: string): void {
  if (!existsSync(files)) return
  for (const folder of readdirSync(files)) syncDirectory(join(files, folder))
  syncDirectory(files)
}
