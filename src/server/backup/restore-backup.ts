import { chownSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Transaction } from 'kysely'
import { countStoppedFactors } from '../accounts/accounts.ts'
import { syncDirectory } from '../database/cluster.ts'
import { prepareDataDirectory, RESTORING } from '../database/data-directory.ts'
import { startEmbedded } from '../database/embedded.ts'
import { settleLeftovers } from '../database/leftovers.ts'
import { refuseWithoutArabic } from '../database/migrate.ts'
import { takeOwnership } from '../database/ownership.ts'
import type { Schema } from '../database/schema.ts'
import type { Connection } from '../database/servers.ts'
import { StartError } from '../database/start-error.ts'
import { KEY, type Storage } from '../files/files.ts'
import { restoreSecret, secretIfThere } from '../http/secret.ts'
import { checkLedger, isLedgerSound, type LedgerReport } from '../money/money.ts'
import { deleteAgain } from '../own-data/own-data.ts'
import { noteRestore } from '../waiting/waiting.ts'
import { BadBackup, checkBackup, withBackup } from './backup-file.ts'
import { prepareQueue, restoreMails } from './mails.ts'
import {
  beginLoading,
  connectOnce,
  refuseBusy,
  refuseFilled,
  refuseUnreadableBackup,
} from './tables.ts'
import type { Progress } from './take-backup.ts'

interface RestoreOptions {
  readonly path: string
  readonly connection: Connection
  readonly dataDir: string
  /** The shop's own secret, which then counts and not that of the backup; null: none is given. */
  readonly jwtSecret: string | null
  readonly storage: Storage
  /** Whether to keep the restored shop even if its ledger is wrong. */
  readonly evenUnsound: boolean
  readonly progress?: Progress
}

/** The result of a restore; `isKept` is false if the ledger is wrong and nothing was kept. */
export type RestoredShop = Awaited<ReturnType<typeof restoreBackup>>

/**
 * Caches of an earlier shop in this directory: pages, and the position up to which they include
 * changes, also under the name that the file had before.
 */
const REBUILT = ['pages', 'pages-position.json', 'pages-heard.json']

/**
 * Reads a backup to its end and checks it; throws a `BadBackup` whose message states the problem in
 * a line.
 */
export async function checkForRestore(path: string, progress: Progress): Promise<void> {
  const { header } = await checkBackup(path, (read, size) => progress('checking', read, size))
  refuseUnreadableBackup(header)
}

class LedgerIsWrong extends Error {
  readonly ledger: LedgerReport

  constructor(ledger: LedgerReport) {
    super('the ledger is wrong')
    this.ledger = ledger
  }
}

/**
 * Restores a backup that passed `checkForRestore`. One transaction fills the database, migrates it
 * to this version and checks its ledger; it commits after the last file is written. If it is
 * interrupted at any moment, the database is as empty as before, and the next attempt writes the
 * files again. Throws a `StartError` if the database is not empty.
 */
export async function restoreBackup(options: RestoreOptions) {
  const { path, dataDir, storage, progress = () => {} } = options
  const target = await connectOnce(options.connection)
  try {
    return await withBackup(path, async (header, parts, size) => {
      await refuseBusy(target.kysely)
      await target.kysely.transaction().execute((tx) => refuseFilled(tx, header))
      await prepareQueue(options.connection)

      let files = 0
      let secret: string | null = null
      const restore = async (tx: Transaction<Schema>) => {
        await refuseFilled(tx, header)
        const loading = await beginLoading(target, tx, header)
        let done = 0
        for await (const part of parts) {
          const pieces = counted(part.pieces, (bytes) => {
            done += bytes
            progress(part.kind === 'table' ? `table ${part.name}` : part.kind, done, size)
          })
          if (part.kind === 'table') await loading.table({ ...part, pieces })
          else if (part.kind === 'mails') await restoreMails(tx, { ...part, pieces })
          else if (part.kind === 'secret') secret = await text(pieces)
          else {
            await restoreFile(storage, part.name, pieces)
            files += 1
          }
        }
        progress('checking the ledger', size, size)
        await loading.finish()
        await refuseWithoutArabic(tx)
        const ledger = await checkLedger(tx)
        if (!isLedgerSound(ledger) && !options.evenUnsound) throw new LedgerIsWrong(ledger)
        await noteRestore(tx, new Date(header.madeAt))
        const deletedAgain = await deleteAgain(tx, [dataDir, dirname(path)])
        if (secret !== null && options.jwtSecret === null) await restoreSecret(dataDir, secret)
        const inPlace = await secretIfThere(options)
        const stopped = await countStoppedFactors(tx, inPlace)
        for (const name of REBUILT) await rm(join(dataDir, name), { recursive: true, force: true })
        return { ledger, hasSecret: inPlace !== null, stopped, deletedAgain }
      }
      try {
        const restored = await target.kysely.transaction().execute(restore)
        return { header, files, ...restored, isKept: true }
      } catch (error) {
        if (!(error instanceof LedgerIsWrong)) throw error
        const { ledger } = error
        return {
          header,
          files,
          ledger,
          isKept: false,
          hasSecret: false,
          stopped: 0,
          deletedAgain: 0,
        }
      }
    })
  } finally {
    await target.close()
  }
}

async function* counted(
  pieces: AsyncGenerator<Buffer>,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    count(piece.length)
    yield piece
  }
}

/** Writes a file of a backup atomically, replacing any file of that name. */
async function restoreFile(
  storage: Storage,
  key: string,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  if (!KEY.test(key)) throw new BadBackup(`the backup names a file "${key}", which is no file.`)
  await storage.putAs(key, pieces)
}

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
